// How the load of two bodies that touch at many points is distributed. A rigid solver finds forces with the right sum and
// moment, but how much each of a hundred points bears is arbitrary and changes from step to step. The pieces of a real wall
// give way a little and share the load: the normal force is spread linearly over the points, f = a + b.x, the least sum of
// squares with that force and moment (none below zero), and friction follows it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3d.h"

namespace sunder::fracture {

struct ContactShare {
    std::uint32_t piece = 0;
    Vec3d point;
    Vec3d normal;   // unit, into the body
    Vec3d impulse;  // N s, on the body
    Vec3d torque;   // N m s, about the point; output: the moment that friction loses by being spread
};

// Spreads the load of one pair of bodies; points that share a normal share their load. Sums of forces and moments stay.
class ContactSpreader {
public:
    void spread(std::span<ContactShare> points);

private:
    // The load that the members of a group bear together, about the middle of their points.
    struct Sum {
        Vec3d normal, u, v, center;
        double force = 0, alongU = 0, alongV = 0;  // along the normal, and its moments about u and v
        double size = 0;                           // m: of the group about its centre
        Vec3d friction, moment;                    // across the normal, and its moment
    };
    Sum sumOf(std::span<const ContactShare> points) const;
    // Fills forces_ with the linear spread, none below zero; false where there is none.
    bool findForces(std::span<const ContactShare> points, const Sum& sum);
    // Whether the spread load keeps its moment: points that do not lie in one plane would change it.
    bool keepsMoment(std::span<const ContactShare> points, const Sum& sum) const;
    bool spreadGroup(std::span<ContactShare> points);

    // Scratch.
    std::vector<std::uint32_t> members_;
    std::vector<double> forces_;
    std::vector<std::uint8_t> isActive_, isDone_;
};

}  // namespace sunder::fracture
