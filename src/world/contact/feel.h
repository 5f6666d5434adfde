// Lists what the solve at hand did to the bodies that may break.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// After a solve and limitFastBodies; h: the substep. Fills SolveState::felt.
void listFelt(WorldState& world, Real h);

}  // namespace sunder::world
