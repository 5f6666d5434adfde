// Joints in the step of the impulse scheme. They act in three places:
//   2  after each pass of collisions, on v^n: rigid rows pass a blow on to the bodies behind the one that was struck
//   3  with the first contact phase, on v^(n+1/2): chosen so that the rows are met at x^(n+1). Unlike the impulses of contacts
//      those of rigid rows stay in the velocities, so that a pendulum keeps its energy (the step is then that of RATTLE)
//   6  with the second contact phase, on v^(n+1): rigid rows let nothing move along them
// Springs, limits, motors and friction act in lines 3 and 6, and only what they did in line 6 stays. There a spring obeys
// J v + Sigma lambda = -Gamma phi / dt [Li18] 3.2, so that lambda^2 / (2 k dt^2) is its energy at phi + dt J v [Li18] 3.4. In
// line 3 it acts for half of the step, as gravity does: a weight then hangs still where k phi is its weight. For an oscillator
// with s = k dt^2 / m the step has the determinant 1 / ((1 + s / 2) (1 + s)): it is damped for any dt.
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// Before line 2. joints[i] belongs to links[i].
void beginJoints(ImpulseStep& step, std::span<JointConstraint* const> joints, std::span<const JointLink> links);
// After a pass of collisions. Changes velocities and setbacks.
void passBlowsOn(ImpulseStep& step);
// Before the passes of line 3, in each of them, and after them: then v^n, which is kept, gets the impulses that stay.
void beginPositionJoints(ImpulseStep& step);
void solvePositionJoints(ImpulseStep& step, int pass);
void keepJointImpulses(ImpulseStep& step);
// Before and in the passes of line 6, and at its end: afterwards the joints hold what they did in the step.
void beginVelocityJoints(ImpulseStep& step);
void solveVelocityJoints(ImpulseStep& step);
void finishJoints(ImpulseStep& step);

}  // namespace sunder::dynamics
