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
    bool spreadGroup(std::span<ContactShare> points);

    // Scratch
    std::vector<std::uint32_t> members_;
    std::vector<double> forces_;
    std::vector<std::uint8_t> isActive_, isDone_;
};

}  // namespace sunder::fracture
