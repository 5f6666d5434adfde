// How two bodies press on each other where they touch at many places. A rigid solver finds forces with the right sum and the
// right moment; which of a hundred points bears how much is chance, and changes from step to step. The pieces of a wall that
// gives way ever so little share the load: what acts along the normal is spread linearly over the points, f = a + b.x, which is
// the least sum of squares with the same force and moment (none below zero), and friction follows it.
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
    Vec3d impulse;  // on the body
    Vec3d torque;   // about the point; filled in: what friction loses of its moment by being spread
};

// Points of one pair of bodies; those that share a normal share their load. Sums of forces and moments stay.
class ContactSpreader {
public:
    void spread(std::span<ContactShare> points);

private:
    // What the members of a group bear together, about the middle of their points.
    struct Sum {
        Vec3d normal, u, v, center;
        double force = 0, alongU = 0, alongV = 0;  // along the normal, and its moments
        double size = 0;                           // m: of the group about its centre
        Vec3d friction, moment;                    // across the normal, and the moment of that
    };
    Sum sumOf(std::span<const ContactShare> points) const;
    // Fills forces_ with the linear spread, none below zero; false where there is none.
    bool findForces(std::span<const ContactShare> points, const Sum& sum);
    // Points out of one plane would turn what is spread along the normal into another moment.
    bool keepsMoment(std::span<const ContactShare> points, const Sum& sum) const;
    bool spreadGroup(std::span<ContactShare> points);

    // Scratch
    std::vector<std::uint32_t> members_;
    std::vector<double> forces_;
    std::vector<std::uint8_t> isActive_, isDone_;
};

}  // namespace sunder::fracture
