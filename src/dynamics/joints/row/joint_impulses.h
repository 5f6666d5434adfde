// The impulses of one joint: rows made anew in every substep, solved one by one or all at once.
#pragma once

#include <span>

#include "dynamics/joints/row/joint_constraint.h"

namespace sunder::dynamics {

// Rows anew; what the joint gave in the last substep has been given again about the centres of the bodies, and is turned to the
// new rows. At the start of a chain of substeps (`given` is zero) this applies the impulses themselves.
void refreshJoint(JointConstraint& joint, std::span<SolverBody> bodies, const JointSettings& settings);
// Given by its impulses.
JointWrench wrenchOf(const JointConstraint& joint);
void applyRow(const JointRow& row, Real change, SolverBody& a, SolverBody& b);
// Rows with bounds, one after the other.
void solveBounded(JointConstraint& joint, std::span<SolverBody> bodies);
// All other rows of one joint at once.
void solveHeld(JointConstraint& joint, std::span<SolverBody> bodies, const JointSettings& settings);
// Notes what the rows have given, and adds it to the sums of the step.
void finishSubstep(JointConstraint& joint);
// After it: of impulses that rose within one substep only what was there before is given again in the next. A blow given again
// would throw light bodies at their contacts. Whether much of it was a blow.
bool forgetBlow(JointConstraint& joint, std::span<SolverBody> bodies);

}  // namespace sunder::dynamics
