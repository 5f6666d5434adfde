#include "dynamics/islands.h"

namespace sunder::dynamics {

namespace {
bool carriedLoad(const ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i)
        if (constraint.points[i].totalNormalImpulse > 0)
            return true;
    return false;
}
}  // namespace

std::uint32_t Islands::root(std::uint32_t body) {
    while (parent_[body] != body) {
        parent_[body] = parent_[parent_[body]];
        body = parent_[body];
    }
    return body;
}

void Islands::join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a != b)
        parent_[a > b ? a : b] = a > b ? b : a;  // the lowest index stays the root
}

void Islands::build(std::span<const SolverBodyConstants> bodies, std::span<const ContactConstraint> constraints,
                    std::span<const JointLink> joints) {
    const auto size = static_cast<std::uint32_t>(bodies.size());
    parent_.resize(size);
    for (std::uint32_t i = 0; i < size; ++i)
        parent_[i] = i;
    touched_.assign(size, 0);
    for (const ContactConstraint& constraint : constraints) {
        if (!carriedLoad(constraint))
            continue;
        touched_[constraint.bodyA] = touched_[constraint.bodyB] = 1;
        if (bodies[constraint.bodyA].isDynamic && bodies[constraint.bodyB].isDynamic)
            join(constraint.bodyA, constraint.bodyB);
    }
    for (const JointLink& joint : joints)
        if (joint.movesA && joint.movesB)
            join(joint.bodyA, joint.bodyB);
    for (std::uint32_t i = 0; i < size; ++i)
        if (touched_[i] && bodies[i].isDynamic)
            touched_[root(i)] = 1;
    islandOf_.assign(size, -1);
    count_ = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
        const std::uint32_t r = root(i);
        if (!touched_[r] || !bodies[i].isDynamic)
            continue;
        if (r == i)
            islandOf_[i] = count_++;
        else
            islandOf_[i] = islandOf_[r];  // r < i, so it has its number
    }
}

}  // namespace sunder::dynamics
