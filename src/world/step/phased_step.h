// What the steppers `damped` and `timewarp` have in common: everything but their phases. As with `impulse` of old, bodies break
// at the start of the next step.
#pragma once

#include "world/state/state.h"
#include "world/step/step_outcome.h"

namespace sunder::world {

// solve: the phases of the stepper, on the bodies and pairs that were gathered. isGuarded: islands that gained energy lose it.
StepOutcome stepInPhases(WorldState& world, Real dt, bool isGuarded, void (*solve)(WorldState& world, Real dt));

}  // namespace sunder::world
