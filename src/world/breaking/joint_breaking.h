// Joints that are loaded beyond their strength; see overloads.h.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

void findJointOverloads(WorldState& world, Real dt, Real h);
bool breakJointOverloads(WorldState& world);
void keepJointLoads(WorldState& world, Real dt, Real h);

}  // namespace sunder::world
