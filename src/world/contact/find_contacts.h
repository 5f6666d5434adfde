// Finds the contacts of a step, or of a part of it: pairs by the broad phase (pairs/update_pairs.h), manifolds by the narrow
// phase, each where and when the bodies will meet.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Needs SolveState::bodies at the start of the part. Afterwards WorldState::constraints has one constraint per manifold, in the
// order of the pairs, with the impulses of the last step times impulseScale as a first guess.
void findContacts(WorldState& world, const StepPart& part, Real impulseScale);
// Factor on impulses of a substep of one length (s), as a first guess for a substep of another.
inline Real impulseScale(Real lastSubstep, Real h) { return lastSubstep > 0 ? h / lastSubstep : Real(0); }

}  // namespace sunder::world
