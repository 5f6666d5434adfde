// The way of joints into the solver and back.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Fills world.solve.jointSolver; bodies have been gathered. h: the substep; scale: of the impulses of the last one.
void gatherJoints(WorldState& world, Real h, Real scale);
// Impulses and forces back into the joints.
void scatterJoints(WorldState& world, Real dt);

}  // namespace sunder::world
