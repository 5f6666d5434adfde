// The broad phase of a step: which pairs of colliders come near each other.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Foresees the flight of every body in the solve (SearchState::flights) and gives its proxies bounds that are swept along it,
// so that a pair that will meet is found before it does.
void updateProxies(WorldState& world, Real dt);
// Ends the pairs whose bounds no longer overlap, and adds those that began to.
void updatePairs(WorldState& world);

// Whether the two bodies of a pair may push on each other: layers, joints, and sleep.
bool mayTouch(const PagedVector<Body>& bodies, const JointRoster& jointRoster, std::uint64_t key);

}  // namespace sunder::world
