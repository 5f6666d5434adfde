// What wakes sleeping islands, and the questions that falling asleep and waking share. sleep.h has the whole.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

inline bool isAnyAsleep(const SleepState& sleep) { return sleep.freeIslands.size() < sleep.islands.size(); }

// Whether a pair with one or two sleepers belongs to the island: both are of it, or the other stays where it is. A kinematic
// body wakes by moving whom it touches; as a sensor it does not, so its pairs stay awake.
inline bool sleepsWithIsland(const Body& a, const Body& b) {
    const auto stays = [](const Body& x) { return x.motion == Motion::Static || (x.motion == Motion::Kinematic && !x.sensor); };
    return isAsleep(a) && isAsleep(b) ? a.island == b.island : stays(isAsleep(a) ? b : a);
}

// Whether a kinematic body stays where it is: what it is told may come back with a rounding error.
inline bool isStill(const dynamics::SolverBody& body) {
    constexpr Real kRounding = Real(1e-6);  // m/s, rad/s
    return lengthSquared(body.velocity) <= square(kRounding) && lengthSquared(body.angularVelocity) <= square(kRounding);
}

// Copies the pair and its manifolds, of WorldState::constraints, to its island.
void keepPair(const PagedVector<Body>& bodies, const PagedVector<dynamics::ContactConstraint>& constraints, SleepState& sleep,
              const ContactPair& pair);

// In the order of their numbers, each once; sorts the list.
void wakeIslands(WorldState& world, std::vector<std::uint32_t>& islands);

// In the contact search, when pairs are known and before manifolds are: wakes the islands that something reaches in this step,
// and says whether there were any. Bodies must then be gathered anew.
bool wakeReached(WorldState& world, Real dt);

// The time at rest begins anew; the island of a sleeping body wakes.
void wakeBody(WorldState& world, std::uint32_t slot);
// The same, and where others may rest on the body or hang on it, islands near it and joined to it: before it changes.
void wakeAround(WorldState& world, std::uint32_t slot);
// Wakes every island that keeps a pair of this body, so that all its pairs are in WorldState::pairs.
void wakePairsOf(WorldState& world, std::uint32_t slot);
void wakeAll(WorldState& world);

}  // namespace sunder::world
