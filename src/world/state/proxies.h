// Where the broad phase keeps a body.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

void addProxy(WorldState& world, std::uint32_t slot);
// Its bounds follow a body that was moved from outside.
void refreshProxy(WorldState& world, Body& body);
// Pairs of a body that were left out are looked at again by the next step: its proxy counts as moved.
void findAgain(WorldState& world, std::uint32_t slot);

}  // namespace sunder::world
