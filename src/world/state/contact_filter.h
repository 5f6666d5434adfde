// What the host's filter (contacts.h) says of two bodies whose layers agree.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

inline bool passesFilter(const WorldState& world, std::uint32_t slotA, std::uint32_t slotB) {
    if (!world.host.contactFilter)
        return true;
    const Body &a = world.bodies[slotA], &b = world.bodies[slotB];
    const BodyId idA{slotA, a.generation}, idB{slotB, b.generation};
    return a.serial < b.serial ? world.host.contactFilter(idA, idB) : world.host.contactFilter(idB, idA);
}

}  // namespace sunder::world
