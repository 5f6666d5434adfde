// Structures that stand are solved as a whole (dynamics/island/steady_islands.h): six times a second, and every step while
// contacts are new.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// After the substeps, with SolveState::islands built. h: the substep.
void steadyStructures(WorldState& world, Real dt, Real h);

}  // namespace sunder::world
