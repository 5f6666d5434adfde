// Which sleepers something reaches in a step: awake bodies on their ways, and bodies that fast ones may throw.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// In the contact search, after pairs and before manifolds are found: wakes the islands that something reaches in this step, and
// returns whether there were any. Bodies must then be gathered again.
bool wakeReached(WorldState& world, Real dt);

}  // namespace sunder::world
