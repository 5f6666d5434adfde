// What the steppers `damped` and `timewarp` have in common: everything but their phases. Bodies break at the start of the step
// after the blow.
#pragma once

#include "dynamics/analytic/analytic_contact.h"
#include "world/state/state.h"
#include "world/step/step_outcome.h"

namespace sunder::world {

// solve: the phases of the stepper, on the bodies and pairs that were gathered. isGuarded: islands that gained energy lose it.
StepOutcome stepInPhases(WorldState& world, Real dt, bool isGuarded, void (*solve)(WorldState& world, Real dt));

// What pivoting did, for WorldStats.
inline void reportAnalytic(const dynamics::AnalyticOutcome& outcome, WorldStats& stats) {
    stats.analyticPoints = outcome.points;
    stats.analyticFallbacks = outcome.tooLarge + outcome.failed;
    stats.analyticResidual = outcome.residual;
}

}  // namespace sunder::world
