// Finds the contacts of a step, once: pairs by the broad phase, manifolds by the narrow phase, each where and when the
// bodies will meet.
#pragma once

#include "world/state.h"

namespace sunder::world {

// Needs solverBodies at the start of the step. Afterwards world.constraints holds one constraint per manifold, with the
// impulses of the last step, times impulseScale, as a first guess; in the order of world.pairs.
void findContacts(WorldState& world, Real dt, Real impulseScale);

}  // namespace sunder::world
