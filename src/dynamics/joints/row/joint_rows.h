// The rows of a joint of any type, composed of holds, limits, springs, motors and friction (row_builder.h).
#pragma once

#include "dynamics/joints/row/joint_constraint.h"

namespace sunder::dynamics {

// Makes the rows of the joint where the bodies are now.
void makeRows(JointConstraint& joint, const SolverBody& a, const SolverBody& b, const JointSettings& settings);

// Finds the curvature of the rows again, with the velocities that the bodies have now.
void updateCurvature(JointConstraint& joint, const SolverBody& a, const SolverBody& b, const JointSettings& settings);

}  // namespace sunder::dynamics
