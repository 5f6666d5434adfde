// Line 2 of the step: impacts, with restitution.
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// Bodies hold x^n, v^n. Afterwards the velocities are v^n after the collisions, and setback tells what they have moved.
void runCollisionPhase(ImpulseStep& step);

}  // namespace sunder::dynamics
