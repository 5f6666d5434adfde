// Keeps fast bodies from passing through others after a blow has turned them aside within a step.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Contacts are found along the way that bodies would go undisturbed. A body that a contact has stopped, turned or set in motion
// goes another way for the rest of the step, where nobody has looked. Where that rest is long, the body's core (a ball inside
// its thickest part) is swept along it, and what it meets is struck, as often as needed.
// Every body's way through the step is bent at most once (BentWay), and a blow between two free bodies acts where both go on
// from, so that their angular momentum stays. Fast bodies which strike each other several times within one step may still
// overtake each other. The blows are in SolveState::sweptBlows, from where bodies feel them (feel.h) and contact events tell of
// them (events.h). Between the solver and the scattering of its results; changes only bodies that moved far and not as
// expected, and what they strike.
void limitFastBodies(WorldState& world, Real dt);
// When the solve is to stand: sleepers that were struck are to wake.
void wakeStruck(const PagedVector<Body>& bodies, const SolveState& solve, SleepState& sleep);

}  // namespace sunder::world
