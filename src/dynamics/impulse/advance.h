// Lines 1, 4 and 5 of the step: the velocities and positions between the contact phases.
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// Clears what the last step left.
void beginStep(ImpulseStep& step);
// What forces give a dynamic body in this time (s).
Momentary givenByForces(const ImpulseStep& step, std::size_t body, Real time);
// Line 1 [SSF08]: from v^n (kept for later) to v~^(n+1/2).
void startHalfStep(ImpulseStep& step);
// Line 4: x^(n+1) = x^n + dt v^(n+1/2). Line 5: v^(n+1) = v^n + dt a from the kept v^n.
void advancePositions(ImpulseStep& step);

}  // namespace sunder::dynamics
