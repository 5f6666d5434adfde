// What stresses a body: the impulses that it felt, as forces.
//   [Bao07] VI   stress from impulses
//   [Bao07] VIII   so that it does not depend on the step
// Deviation: an impulse over nothing is no force. A blow is that of two free bodies at the speed of the impact, over the time
// that elastic bodies touch (Hertz): it is over before the body's other contacts answer. What a contact does otherwise is a
// mean over kLoadTime. So the same blow does the same at every step, and so does the same weight.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Whether what the body felt in the solve may crack it and must be tried; then `hit` asks for that.
bool isStressHit(const WorldState& world, const FeltState::Range& range, Real dt, BodyHit& hit);

// An error event where a trial did not find the stress of the body, or lost it after cracks had grown.
void reportLostStress(WorldState& world, const BreakRequest& request);

// The outcome of a trial that left the body whole: its cracks and the load that it bore.
void keepBorne(WorldState& world, const BreakRequest& request);

}  // namespace sunder::world
