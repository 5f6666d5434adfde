// Two bodies that met where the broad phase did not expect them.
#pragma once

#include <algorithm>

#include "world/state/proxies.h"
#include "world/state/state.h"

namespace sunder::world {

// Makes them a pair, and returns it; null where they are one already. The next step drops it unless their bounds overlap then.
inline ContactPair* addMetPair(WorldState& world, std::uint32_t moving, std::uint32_t met) {
    const std::uint32_t low = std::min(moving, met), high = std::max(moving, met);
    if (!world.pairSet.insert(collision::pairKey(low, high)))
        return nullptr;
    ContactPair& pair = world.pairs.emplace_back();
    pair.bodyA = low;
    pair.bodyB = high;
    findAgain(world.bodies, world.broadPhase, moving);
    return &pair;
}

}  // namespace sunder::world
