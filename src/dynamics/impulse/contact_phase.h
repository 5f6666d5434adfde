// Lines 3 and 6 of the step: contact, which stops bodies from approaching and never lets them bounce.
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// Line 3. Bodies hold x^n and v~^(n+1/2); afterwards v^(n+1/2). Also builds the contact graph of the step.
void runPositionContact(ImpulseStep& step);
// After lines 4 and 5: takes back what line 3 did to the angular momentum of bodies that no fixed body supports.
void restoreAngularMomentum(ImpulseStep& step);
// Line 6. Bodies hold x^(n+1) and v^(n+1), kept holds v^n after the collisions.
void runVelocityContact(ImpulseStep& step);
// Line 6 as two calls, between which others may find the impulses of some pairs (ImpulsePair::isSolved): the sites at x^(n+1),
// then passes over the remaining pairs.
void findTouchingSites(ImpulseStep& step);
void runVelocityPasses(ImpulseStep& step);
// How often the passes of a step visit a contact, at most.
int passesPerContact(const ImpulseSettings& settings);

}  // namespace sunder::dynamics
