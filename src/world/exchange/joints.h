// The way of joints into the solver and back.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Wakes what is joined to a body that moves, such as a chain on a hook that is set going, and says whether there was any.
// Bodies have been gathered, and must then be gathered anew. Woken a step later, the joint would stand open by the way of that
// step.
bool wakeJoined(WorldState& world);
// Fills SolveState::jointSolver; bodies have been gathered. scale: of the impulses of the last substep.
void gatherJoints(const PagedVector<Body>& bodies, std::vector<Joint>& joints, JointRoster& jointRoster, SolveState& solve,
                  Real scale);
// Impulses and forces back into the joints.
void scatterJoints(const SolveState& solve, std::vector<Joint>& joints, Real dt);

}  // namespace sunder::world
