// Copies joints into the solver, and their impulses back.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Wakes sleepers that are joined to a body that moves, such as a chain on a hook that is set going, and returns whether there
// were any. Bodies have been gathered, and must then be gathered again. Woken a step later, the joint would open by the way of
// that step.
bool wakeJoined(WorldState& world);
// Fills SolveState::joints; bodies have been gathered. scale: factor on the impulses of the last substep, as a first
// guess.
void gatherJoints(WorldState& world, Real scale);
// Copies impulses and mean forces (over dt, s) back into the joints.
void scatterJoints(TaskRunner& tasks, const SolveState& solve, std::vector<Joint>& joints, Real dt);

}  // namespace sunder::world
