// The contact graph of a step, and the order of its pairs: lowest first.
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// Notes who rests on whom at a site (ImpulseScratch::rests). gap (m): between the surfaces at the start of the step. [GBF03]: a
// body rests on what it would enter if it alone moved under gravity.
void noteRest(ImpulseStep& step, const ImpulsePair& pair, const ImpulseSite& site, Real gap);
// Builds the graph of what was noted, and ImpulseScratch::order.
void rankPairs(ImpulseStep& step);

}  // namespace sunder::dynamics
