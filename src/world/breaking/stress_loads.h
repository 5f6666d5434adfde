// What stresses a body: the impulses that it felt, as forces.
//   [Bao07] VI   stress from impulses, so that it does not depend on the step
// Deviation: an impulse over nothing is no force. What a blow does is divided by the time that elastic bodies touch (Hertz), at
// the speed of the impact; what a resting contact does by the step. So the same blow does the same at every step, and so does
// the same weight.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Whether what the body felt in the solve may crack it and must be tried; then `hit` asks for that. isSettling: see
// breaking.cpp.
bool isStressHit(const WorldState& world, const FeltState::Range& range, Real dt,
                 bool (*isSettling)(const WorldState&, const ContactPair&), BodyHit& hit);

// The outcome of a trial that left the body whole: its cracks and the load that it bore.
void keepBorne(WorldState& world, const BreakRequest& request);

}  // namespace sunder::world
