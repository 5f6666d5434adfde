// The inner parts of sleep.h that falling asleep and waking share.
#pragma once

#include "world/state.h"

namespace sunder::world {

inline bool isAnyAsleep(const WorldState& world) { return world.sleep.freeIslands.size() < world.sleep.islands.size(); }

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
void keepPair(WorldState& world, const ContactPair& pair);

// In the order of their numbers, each once; sorts the list.
void wakeIslands(WorldState& world, std::vector<std::uint32_t>& islands);

}  // namespace sunder::world
