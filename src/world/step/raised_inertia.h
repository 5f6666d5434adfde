// Light bodies between great joint forces, for steppers without substeps.
//
// A joint force F at the arm r turns with the body that it pulls, which swings with omega^2 = sum F r / I. A step follows that
// up to omega dt = 2; beyond it the swing grows in every step, and a taut chain of light links throws itself about. So the
// inertia of such a body is raised for the step, by the forces of the last one, until omega dt is 0.7, as
// dynamics/joints/direct/group_bodies.h does in substeps. Rigid joints need none of it: their rows are met where the body will
// be (dynamics/impulse/joint_phase.h).
#pragma once

#include <span>

#include "world/record/joint.h"
#include "world/state/solve_state.h"

namespace sunder::world {

// After gatherBodies, which sets the true inertias, and gatherJoints.
void raiseInertia(std::span<const Joint> joints, SolveState& solve, Real dt);

}  // namespace sunder::world
