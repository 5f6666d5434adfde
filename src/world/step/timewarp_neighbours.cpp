#include "world/step/timewarp_neighbours.h"

#include <algorithm>

#include "world/contact/impulse_pairs.h"
#include "world/contact/pairs/update_pairs.h"
#include "world/pair/distances.h"
#include "world/pair/make_constraint.h"
#include "world/state/contact_filter.h"

namespace sunder::world {

namespace {

// Bounds of the body from its valid to its test state. However it turns, it stays within its ball.
Bounds boundsOfWay(const Body& body, const dynamics::WarpBody& warp, Real acceleration, Real dt) {
    const Bounds ball{Vec3{-1, -1, -1} * boundingRadius(body), Vec3{1, 1, 1} * boundingRadius(body)};
    const Vec3 center = toVec3(body.center), from = center + warp.valid.displacement, to = center + warp.test.displacement;
    const Real sag = acceleration * square(dt - warp.validTime) / 8;
    return expand(unite({ball.low + from, ball.high + from}, {ball.low + to, ball.high + to}),
                  sag + marginOf(body.shape->innerRadius));
}

}  // namespace

void BroadNeighbours::turnedAside(const dynamics::WarpStep& step, std::uint32_t body) {
    const std::uint32_t slot = world_.solve.layout[body - 1];
    const Body& moved = world_.bodies[slot];
    if (moved.vertices)
        return;
    if (!isListed_)
        listKnown();
    const Bounds way = boundsOfWay(moved, step.bodies[body], length(world_.solve.constants[body].acceleration), dt_);
    if (!contains(world_.broadPhase.fatBounds(moved.proxy), way))
        world_.broadPhase.refit(moved.proxy, unite(way, world_.broadPhase.fatBounds(moved.proxy)), {});
    std::vector<std::uint32_t> others;
    for (const Motion motion : {Motion::Static, Motion::Kinematic, Motion::Dynamic})
        world_.broadPhase.query(motion, way, [&](std::uint32_t collider) { others.push_back(slotOf(collider)); });
    std::sort(others.begin(), others.end());
    for (const std::uint32_t other : others)
        meet(slot, other);
}

void BroadNeighbours::listKnown() {
    isListed_ = true;
    for (std::uint32_t i = 0; i < world_.pairs.size(); ++i)
        known_.push_back({collision::pairKey(world_.pairs[i].bodyA, world_.pairs[i].bodyB), i});
    std::sort(known_.begin(), known_.end());
    for (std::size_t i = 0; i < world_.solve.impulse.pairCount; ++i) {
        const ContactPair& pair = world_.pairs[world_.solve.impulse.pairs[i].source];
        taken_.insert(collision::pairKey(pair.bodyA, pair.bodyB));
    }
}

// The pair of these bodies, new where the broad phase did not know it.
std::uint32_t BroadNeighbours::pairIndex(std::uint32_t low, std::uint32_t high) {
    const std::uint64_t key = collision::pairKey(low, high);
    const auto found = std::lower_bound(known_.begin(), known_.end(), std::pair(key, 0u));
    if (found != known_.end() && found->first == key) {
        isMixed_ = true;  // it comes after pairs with higher numbers
        return found->second;
    }
    world_.pairSet.insert(key);
    ContactPair& pair = world_.pairs.emplace_back();
    pair.bodyA = low;
    pair.bodyB = high;
    return static_cast<std::uint32_t>(world_.pairs.size() - 1);
}

void BroadNeighbours::meet(std::uint32_t slot, std::uint32_t other) {
    const std::uint32_t low = std::min(slot, other), high = std::max(slot, other);
    const Body &a = world_.bodies[low], &b = world_.bodies[high];
    const std::uint64_t key = collision::pairKey(low, high);
    if (slot == other || a.vertices || b.vertices || a.sensor || b.sensor || taken_.contains(key) ||
        !mayTouch(world_.bodies, world_.jointRoster, key) || !passesFilter(world_, low, high))
        return;
    taken_.insert(key);
    const std::uint32_t index = pairIndex(low, high);
    dynamics::ContactConstraint material;
    const Flight flightA = flightOf(a, {}, dt_), flightB = flightOf(b, {}, dt_);
    setPair(flightA, flightB, material);
    setTurnFriction(flightA, flightB, material);
    ContactPair& pair = world_.pairs[index];
    pair.firstManifold = static_cast<std::uint32_t>(world_.constraints.size());
    pair.manifoldCount = 1;
    world_.constraints.push_back(material);
    addImpulsePair(world_.bodies, pair, index, material, world_.solve.impulse);
}

void BroadNeighbours::sortPairs() {
    if (!isMixed_)
        return;
    std::vector<dynamics::ImpulsePair>& pairs = world_.solve.impulse.pairs;
    std::sort(pairs.begin(), pairs.begin() + std::ptrdiff_t(world_.solve.impulse.pairCount),
              [](const dynamics::ImpulsePair& x, const dynamics::ImpulsePair& y) { return x.source < y.source; });
}

}  // namespace sunder::world
