// The way of a body's state into the solver and back.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Fills solverBodies and solverConstants. Kinematic bodies get the velocity that takes them in the time left of the step (s)
// where they must be at its end.
void gatherBodies(WorldState& world, Real timeLeft);
// Writes the solver's result back. A body that is no longer finite is quarantined and reported. In the last part of a step
// kinematic bodies arrive and forces end.
void scatterBodies(WorldState& world, bool isLast);
void countStep(WorldState& world, Real dt);

}  // namespace sunder::world
