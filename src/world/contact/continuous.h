// Keeps fast bodies from passing through others after a blow has turned them aside within a step.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Contacts are found along the way that bodies would go undisturbed. A body that a contact has stopped, turned or set in motion
// goes another way for the rest of the step, where nobody has looked. Where that rest is long, the body's core (a ball inside
// its thickest part) is swept along it, and what it meets is struck, as often as needed.
// Other moving bodies are taken to go straight from where they were to where they will be, so that fast bodies which strike
// each other several times within one step may still overtake each other. No contact event tells of these blows; they are in
// SolveState::sweptBlows, from where bodies feel them (feel.h). Between the solver and the scattering of its results; changes
// only bodies that moved far and not as expected, and what they strike.
void limitFastBodies(WorldState& world, Real dt);
// When the solve is to stand: sleepers that were struck are to wake.
void wakeStruck(WorldState& world);

}  // namespace sunder::world
