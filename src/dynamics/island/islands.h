// Groups of bodies that push on each other, directly or through others. Fixed and kinematic bodies join nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/task_runner.h"
#include "dynamics/contact/scalar/contact_link.h"
#include "dynamics/joints/joint_solver.h"

namespace sunder::dynamics {

// Two solver bodies that struck each other outside the contacts (limitFastBodies).
struct Strike {
    std::uint32_t bodyA = kFixedBody, bodyB = kFixedBody;
    Real work = 0;  // J: work of a kinematic partner
};

class Islands {
public:
    // Bodies joined by constraints that carried an impulse in this step, by strikes and by joints.
    void build(TaskRunner& tasks, std::span<const SolverBodyConstants> bodies, std::span<const ContactLink> links,
               std::span<const Strike> strikes, std::span<const JointLink> joints);

    // Islands by other rules: begin, then join in any order and on any threads, then finish.
    void begin(TaskRunner& tasks, std::span<const SolverBodyConstants> bodies);
    void join(std::uint32_t bodyA, std::uint32_t bodyB);
    // Whether a dynamic body that was joined to nothing is an island.
    enum class Loners { LeftOut, Islands };
    void finish(TaskRunner& tasks, Loners loners);

    // Island of solver body i, or -1 where it neither touches anything nor is held by a joint. Islands are numbered by their
    // first body.
    std::int32_t island(std::uint32_t body) const { return islandOf_[body]; }
    int count() const { return count_; }

private:
    // The forest of core/union_find.h, for many threads: a root is its own parent, and the lowest index of its tree, whatever
    // order they were joined in. It has its own code because parents are atomic here: a root may join another tree between
    // being found and being hung up, and then must be looked for again; and begin() starts anew in the same memory.
    struct Node {
        std::atomic<std::uint32_t> parent{0};
        std::atomic<bool> isTouched{false};
        bool isDynamic = false;
    };
    std::uint32_t root(std::uint32_t body);
    // Reads first: a write would take the node out of the caches of all other threads.
    void touch(std::uint32_t body) {
        if (!nodes_[body].isTouched.load(std::memory_order_relaxed))
            nodes_[body].isTouched.store(true, std::memory_order_relaxed);
    }

    std::vector<Node> nodes_;  // at least one per body
    std::vector<std::int32_t> islandOf_;
    int count_ = 0;
};

}  // namespace sunder::dynamics
