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

void SharedBounces::Group::add(const Meeting& meeting) {
    ++hits;
    anyNow = anyNow || meeting.hits == Hits::Now;
    first = min(first, meeting.first);
}

void SharedBounces::begin(std::size_t bodyCount, std::size_t constraintCount) {
    groups_.assign(bodyCount, {});
    meetings_.resize(constraintCount);
    places_.resize(constraintCount);
    substep_ = 1;
    added_ = 0;
}

void SharedBounces::expect(std::size_t index, const ContactConstraint& constraint, const Meeting& meeting,
                           std::span<const SolverBody> bodies) {
    meetings_[index] = meeting;
    const std::uint32_t body = onlyMoved(constraint, bodies);
    if (body == kFixedBody)
        return;
    if (groups_[body].substep != substep_)
        groups_[body] = {.substep = substep_};
    groups_[body].add(meeting);
}

bool SharedBounces::isShared(std::span<const ContactConstraint> constraints, std::size_t index,
                             std::span<const SolverBody> bodies) const {
    const ContactConstraint& constraint = constraints[index];
    if (const std::uint32_t body = onlyMoved(constraint, bodies); body != kFixedBody)
        return groups_[body].isJoinedBy(meetings_[index]);
    // The manifolds of a pair follow each other.
    std::size_t begin = index, end = index + 1;
    while (begin > 0 && isSamePair(constraints[begin - 1], constraint))
        --begin;
    while (end < constraints.size() && isSamePair(constraints[end], constraint))
        ++end;
    Group pair;
    for (std::size_t i = begin; i < end; ++i)
        if (constraints[i].substep.hits != Hits::No)
            pair.add(meetings_[i]);
    return pair.isJoinedBy(meetings_[index]);
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
        bounces_.emplace_back(constraints[place.constraint], bodies, settings, pointsTogether(place.constraint));
    bool changes = true;
    for (int round = 0; round < kMostSharedRounds && changes; ++round) {
        changes = false;
        for (Bounce& bounce : bounces_)
            changes = bounce.separate(bodies, settings) || changes;
    }
    for (Bounce& bounce : bounces_)
        bounce.rub(bodies);
    for (Bounce& bounce : bounces_)
        bounce.finish(bodies);
    for (const BouncePlace& place : added)
        if (place.block)
            repackLane(*place.block, place.lane, constraints[place.constraint]);
}

}  // namespace sunder::dynamics
