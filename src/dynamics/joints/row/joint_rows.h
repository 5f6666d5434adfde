// The rows of a joint of any type, composed of holds, limits, springs, motors and friction (row_builder.h).
#pragma once

#include "dynamics/joints/row/joint_constraint.h"

namespace sunder::dynamics {

// Rows where the bodies are now.
void makeRows(JointConstraint& joint, const SolverBody& a, const SolverBody& b, const JointSettings& settings);

// The curvature of the rows anew, with the velocities as they are now.
void updateCurvature(JointConstraint& joint, const SolverBody& a, const SolverBody& b, const JointSettings& settings);

}  // namespace sunder::dynamics
