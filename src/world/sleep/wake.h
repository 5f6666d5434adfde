// Waking of sleeping islands, and functions that falling asleep and waking share. sleep.h gives the overview.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

inline bool isAnyAsleep(const SleepState& sleep) { return sleep.freeIslands.size() < sleep.islands.size(); }

// Whether a pair with one or two sleepers sleeps with the island: both bodies belong to it, or the other one stays where it is.
// A kinematic body that moves wakes what it touches, but a kinematic sensor does not, so the pairs of such a sensor stay awake.
inline bool sleepsWithIsland(const Body& a, const Body& b) {
    const auto stays = [](const Body& x) { return x.motion == Motion::Static || (x.motion == Motion::Kinematic && !x.sensor); };
    return isAsleep(a) && isAsleep(b) ? a.island == b.island : stays(isAsleep(a) ? b : a);
}

// Whether a kinematic body does not move. A target at its present place may give it a velocity by rounding.
inline bool isStill(const dynamics::SolverBody& body) {
    constexpr Real kRounding = Real(1e-6);  // m/s, rad/s
    return lengthSquared(body.velocity) <= square(kRounding) && lengthSquared(body.angularVelocity) <= square(kRounding);
}

// Copies the pair, with its manifolds of WorldState::constraints, to the island of its sleeper.
void keepPair(const PagedVector<Body>& bodies, const PagedVector<dynamics::ContactConstraint>& constraints, SleepState& sleep,
              const ContactPair& pair);

// Wakes these islands in the order of their numbers, each once; sorts the list.
void wakeIslands(WorldState& world, std::vector<std::uint32_t>& islands);

// The body's time at rest begins again; if it sleeps, its island wakes.
void wakeBody(WorldState& world, std::uint32_t slot);
// wakeBody for a body that is about to change: if it is static or kinematic, others may rest or hang on it, so islands that
// touch it or are joined to it wake too.
void wakeAround(WorldState& world, std::uint32_t slot);
// Wakes every island that keeps a pair of this body, so that all its pairs are in WorldState::pairs.
void wakePairsOf(WorldState& world, std::uint32_t slot);
void wakeAll(WorldState& world);

}  // namespace sunder::world
