// Waking of deformable bodies, and of what lies near those that move. Contacts with a deformable body are solved with it only,
// so it must be awake before anything touches it.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Slots of the deformable bodies that the stage moves: those that are awake and finite.
std::vector<std::uint32_t> movingSolids(const WorldState& world);

// Before the contacts of a step of dt (s) are solved: wakes deformable bodies that something reaches, and everything that those
// which move come near.
void wakeNearFlesh(WorldState& world, Real dt);

}  // namespace sunder::world
