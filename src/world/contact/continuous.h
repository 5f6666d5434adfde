// Keeps fast bodies from passing through others after a blow has turned them aside within a step.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Contacts are found along the ways that bodies would go undisturbed. A body that a contact has stopped, turned or set in
// motion goes another way for the rest of the step, along which no contacts were looked for. Where the rest of its way is long,
// the body's inner ball (inside its thickest child) is swept along it, and strikes what it meets, up to a bound. The way of a
// body through the step is bent at most once (BentWay), and a blow between two free bodies acts where both go on from, so that
// it keeps their angular momentum. Fast bodies that strike each other several times within one step may still pass each other.
// The blows are in SolveState::sweptBlows, from which bodies feel them (feel.h) and contact events report them (events.h).
// Called between the solver and the scattering of its results; changes only bodies that moved far and not as expected, and
// those that they strike.
void limitFastBodies(WorldState& world, Real dt);
// To be called once the solve will not be repeated: lists the islands of sleepers that were struck, which are to wake.
void wakeStruck(const PagedVector<Body>& bodies, const SolveState& solve, SleepState& sleep);

}  // namespace sunder::world
