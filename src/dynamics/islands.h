// Groups of bodies that push on each other, directly or through others. Fixed and kinematic bodies join nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/contact/constraint.h"
#include "dynamics/joints/joint_solver.h"

namespace sunder::dynamics {

class Islands {
public:
    // Bodies joined by contacts that carried an impulse in this step, and by joints.
    void build(std::span<const SolverBodyConstants> bodies, std::span<const ContactConstraint> constraints,
               std::span<const JointLink> joints);

    // Island of solver body i, or -1 where neither it nor anything joined to it touches anything. Numbered by their first body.
    std::int32_t island(std::uint32_t body) const { return islandOf_[body]; }
    int count() const { return count_; }

private:
    std::uint32_t root(std::uint32_t body);
    void join(std::uint32_t a, std::uint32_t b);

    std::vector<std::uint32_t> parent_;
    std::vector<std::uint8_t> touched_;
    std::vector<std::int32_t> islandOf_;
    int count_ = 0;
};

}  // namespace sunder::dynamics
