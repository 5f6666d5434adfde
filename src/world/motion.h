// The way of a body's state into the solver and back.
#pragma once

#include "world/state.h"

namespace sunder::world {

// Fills solverBodies and solverConstants. Kinematic bodies get the velocity that takes them where they must be.
void gatherBodies(WorldState& world, Real dt);
// Writes the solver's result back and clears the forces. A body that is no longer finite is quarantined and reported.
void scatterBodies(WorldState& world, Real dt);

}  // namespace sunder::world
