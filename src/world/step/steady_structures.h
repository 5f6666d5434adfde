// Structures that stand are solved as a whole (dynamics/island/steady_islands.h): six times a second, and every step while
// contacts are new.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Before the substeps: structures that were just built get the loads that hold them. h: the substep.
void loadStructures(WorldState& world, Real h);
// After the substeps.
void steadyStructures(WorldState& world, Real dt, Real h);

}  // namespace sunder::world
