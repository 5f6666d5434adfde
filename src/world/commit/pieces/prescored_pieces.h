// The fracture method Prescored: a pattern is placed at the hit, and its regions become pieces.
//   [Su09] 4.2
#pragma once

#include "world/state/state.h"

namespace sunder::world {

std::vector<CutPiece> breakBy(const Prescored& method, WorldState& world, const Body& body, const BreakRequest& request,
                              int mostPieces);

// Fits the pattern to the body's grid, for aligned placement of it and of its pieces.
void fitAligned(const Prescored& method, BodyFracture& fracture);
// Resamples the pattern for all axes of an aligned placement beforehand, so that no step has to.
void prepareAligned(const Prescored& method, TaskRunner& tasks, BreakingState& breaking, const BodyFracture& fracture);

}  // namespace sunder::world
