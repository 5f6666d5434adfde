// The way of a body's state into the solver and back.
#pragma once

#include <span>

#include "world/state/state.h"

namespace sunder::world {

// Fills SolveState::bodies and ::constants with the bodies of these slots (ascending by serial, of BodyRoster::moving); what
// moves and is left out is the fixed body to them. Kinematic bodies get the velocity that takes them in the time left of the
// step (s) where they must be at its end.
void gatherBodies(WorldState& world, std::span<const std::uint32_t> slots, Real timeLeft);
// All that move.
void gatherBodies(WorldState& world, Real timeLeft);
// Writes the solver's result back. A body that is no longer finite is quarantined and reported. In the last part of a step
// kinematic bodies arrive and forces end.
void scatterBodies(WorldState& world, bool isLast);

}  // namespace sunder::world
