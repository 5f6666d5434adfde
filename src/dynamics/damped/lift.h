// Repairs overlaps by moving bodies, from the ground up, and leaves velocities alone [Egan03] 4.4, A.2.
#pragma once

#include "dynamics/damped/damped_state.h"

namespace sunder::dynamics {

// Call after bodies have moved. Each pair that overlaps by more than what counts as touching is moved apart along its normal:
// the higher body alone where the lower one stands on the ground, else both so that their common centre stays.
void lift(DampedStep& step);
// Lifts where no phase has found sites or the order of pairs: from ImpulsePair::carried, sites at the start of the step.
void liftCarried(DampedStep& step);

}  // namespace sunder::dynamics
