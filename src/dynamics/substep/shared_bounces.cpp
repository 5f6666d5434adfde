#include "dynamics/substep/shared_bounces.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

constexpr int kMostSharedRounds = 20;  // the four feet of a table need about ten

// The one body of the pair that impulses move; kFixedBody where they move both or none.
std::uint32_t onlyMoved(const ContactConstraint& constraint, std::span<const SolverBody> bodies) {
    const bool movesA = canMove(bodies[constraint.bodyA]), movesB = canMove(bodies[constraint.bodyB]);
    return movesA == movesB ? kFixedBody : movesA ? constraint.bodyA : constraint.bodyB;
}

bool isSamePair(const ContactConstraint& x, const ContactConstraint& y) { return x.bodyA == y.bodyA && x.bodyB == y.bodyB; }

}  // namespace

void SharedBounces::begin(std::size_t bodyCount, std::size_t constraintCount) {
    counts_.assign(bodyCount, {});
    places_.resize(std::max(places_.size(), constraintCount));
    substep_ = 1;
    added_ = 0;
}

void SharedBounces::count(const ContactConstraint& constraint, std::span<const SolverBody> bodies) {
    const std::uint32_t body = onlyMoved(constraint, bodies);
    if (body == kFixedBody)
        return;
    Count& count = counts_[body];
    if (count.substep != substep_)
        count = {substep_, 0, 0};
    ++count.hits;
    count.hitsNow = static_cast<std::uint16_t>(count.hitsNow + (constraint.substep.hits == Hits::Now));
}

bool SharedBounces::isShared(std::span<const ContactConstraint> constraints, std::size_t index,
                             std::span<const SolverBody> bodies) const {
    const ContactConstraint& constraint = constraints[index];
    if (const std::uint32_t body = onlyMoved(constraint, bodies); body != kFixedBody)
        return counts_[body].hits > 1 && counts_[body].hitsNow > 0;
    // The manifolds of a pair follow each other.
    int hits = 0, hitsNow = 0;
    const auto look = [&](const ContactConstraint& other) {
        hits += other.substep.hits != Hits::No;
        hitsNow += other.substep.hits == Hits::Now;
    };
    for (std::size_t i = index; i < constraints.size() && isSamePair(constraints[i], constraint); ++i)
        look(constraints[i]);
    for (std::size_t i = index; i-- > 0 && isSamePair(constraints[i], constraint);)
        look(constraints[i]);
    return hits > 1 && hitsNow > 0;
}

void SharedBounces::solve(std::span<ContactConstraint> constraints, std::span<SolverBody> bodies,
                          const ContactSettings& settings) {
    ++substep_;
    const std::span<BouncePlace> added(places_.data(), added_.exchange(0, std::memory_order_relaxed));
    if (added.empty())
        return;
    std::sort(added.begin(), added.end(), [](const auto& x, const auto& y) { return x.constraint < y.constraint; });
    bounces_.clear();
    for (const BouncePlace& place : added)
        bounces_.emplace_back(constraints[place.constraint], bodies, settings, true);
    bool changes = true;
    for (int round = 0; round < kMostSharedRounds && changes; ++round) {
        changes = false;
        for (Bounce& bounce : bounces_)
            changes = bounce.solve(bodies, settings) || changes;
    }
    for (Bounce& bounce : bounces_)
        bounce.finish(bodies);
    for (const BouncePlace& place : added)
        if (place.block)
            repackLane(*place.block, place.lane, constraints[place.constraint]);
}

}  // namespace sunder::dynamics
