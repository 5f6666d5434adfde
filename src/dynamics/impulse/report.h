// Sums the impulses of a pair over the step, for contact events.
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// Adds the current impulses of the pair's sites; isSteady: they are those of contact, not of a collision. Positions are those
// of the last report.
void reportImpulses(ImpulsePair& pair, bool isSteady);

}  // namespace sunder::dynamics
