// The impulses of one joint: rows made anew in every substep, solved one by one or all at once.
#pragma once

#include <span>

#include "dynamics/joints/row/joint_constraint.h"

namespace sunder::dynamics {

// Makes the rows anew where the bodies are now. The bodies have repeated what the joint gave them in the last substep, at their
// centres (integrate/substep.h); this applies the difference to what the same impulses give along the new rows. In the first
// substep `given` is zero, so it applies the impulses themselves.
void refreshJoint(JointConstraint& joint, std::span<SolverBody> bodies, const JointSettings& settings);
// What its impulses give along its rows.
JointWrench wrenchOf(const JointConstraint& joint);
void applyRow(const JointRow& row, Real change, SolverBody& a, SolverBody& b);
// Rows with bounds, one after the other.
void solveBounded(JointConstraint& joint, std::span<SolverBody> bodies);
// All rows of one joint without bounds, at once.
void solveHeld(JointConstraint& joint, std::span<SolverBody> bodies, const JointSettings& settings);
// Notes what the rows have given, and adds it to the sums of the step.
void finishSubstep(JointConstraint& joint);
// After finishSubstep. Of an impulse that rose within this substep, the next substep repeats only what was there before: a blow
// that was repeated would throw light bodies at their contacts. Returns whether much of it was a blow (kBlowShare).
bool forgetBlow(JointConstraint& joint, std::span<SolverBody> bodies);

}  // namespace sunder::dynamics
