#include "dynamics/islands.h"

namespace sunder::dynamics {

std::uint32_t Islands::root(std::uint32_t body) {
    while (parent_[body] != body) {
        parent_[body] = parent_[parent_[body]];
        body = parent_[body];
    }
    return body;
}

void Islands::build(TaskRunner& tasks, std::span<const SolverBodyConstants> bodies, std::span<const ContactLink> links,
                    std::span<const Strike> strikes, std::span<const JointLink> joints) {
    begin(tasks, bodies);
    for (const ContactLink& contact : links)
        if (contact.carriedLoad)
            join(contact.bodyA, contact.bodyB);
    for (const Strike& strike : strikes)
        join(strike.bodyA, strike.bodyB);
    for (const JointLink& joint : joints)
        link(joint.bodyA, joint.bodyB);
    finish(Loners::LeftOut);
}

void Islands::begin(TaskRunner& tasks, std::span<const SolverBodyConstants> bodies) {
    constexpr std::size_t kBodiesPerRange = 1024;
    parent_.resize(bodies.size());
    isDynamic_.resize(bodies.size());
    touched_.assign(bodies.size(), 0);
    runRanges(tasks, bodies.size(), kBodiesPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            parent_[i] = static_cast<std::uint32_t>(i);
            isDynamic_[i] = bodies[i].isDynamic;
        }
    });
}

void Islands::join(std::uint32_t bodyA, std::uint32_t bodyB) {
    touched_[bodyA] = touched_[bodyB] = 1;
    link(bodyA, bodyB);
}

void Islands::link(std::uint32_t bodyA, std::uint32_t bodyB) {
    if (!isDynamic_[bodyA] || !isDynamic_[bodyB])
        return;
    const std::uint32_t a = root(bodyA), b = root(bodyB);
    if (a != b)
        parent_[a > b ? a : b] = a > b ? b : a;  // the lowest index stays the root
}

void Islands::finish(Loners loners) {
    const auto size = static_cast<std::uint32_t>(parent_.size());
    for (std::uint32_t i = 0; i < size; ++i)
        if (touched_[i] && isDynamic_[i])
            touched_[root(i)] = 1;
    islandOf_.assign(size, -1);
    count_ = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
        if (!isDynamic_[i])
            continue;
        const std::uint32_t r = root(i);
        if (!touched_[r] && loners == Loners::LeftOut)
            continue;
        if (r == i)
            islandOf_[i] = count_++;
        else
            islandOf_[i] = islandOf_[r];  // r < i, so it has its number
    }
}

}  // namespace sunder::dynamics
