// Copies the state of bodies into the solver and back.
#pragma once

#include <span>

#include "world/state/state.h"

namespace sunder::world {

// Fills SolveState::bodies and ::constants with the bodies of these slots (of BodyRoster::moving, ascending by serial). Moving
// bodies that are left out count as fixed in this solve. Kinematic bodies get the velocity that takes them to their target in
// timeLeft (s), the time to the end of the step.
void gatherBodies(WorldState& world, std::span<const std::uint32_t> slots, Real timeLeft);
// Gathers all moving bodies.
void gatherBodies(WorldState& world, Real timeLeft);
// Writes the solver's result back. A body that is no longer finite is quarantined and reported. In the last part of a step
// kinematic bodies arrive and forces end.
void scatterBodies(WorldState& world, bool isLast);

}  // namespace sunder::world
