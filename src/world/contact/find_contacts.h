// Finds the contacts of a step, or of a part of it: pairs by the broad phase, manifolds by the narrow phase, each where and
// when the bodies will meet.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Needs solverBodies at the start of the part. Afterwards world.constraints holds one constraint per manifold, with the
// impulses of the last step, times impulseScale, as a first guess; in the order of world.pairs.
void findContacts(WorldState& world, const StepPart& part, Real impulseScale);

}  // namespace sunder::world
