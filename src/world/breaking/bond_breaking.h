// Bonds that are loaded beyond their strength; see overloads.h.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

void findBondOverloads(WorldState& world, Real dt, Real h);
bool breakBondOverloads(WorldState& world);
void keepBondLoads(WorldState& world, Real dt, bool isLast);

}  // namespace sunder::world
