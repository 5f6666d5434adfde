// The parts that joints are made of. Each adds rows to the joint; what a row is, joint_constraint.h says.
#pragma once

#include "dynamics/joints/row/joint_constraint.h"

namespace sunder::dynamics {

// Everything a part needs to know.
struct PartContext {
    JointConstraint& joint;
    const JointGeometry& at;
    const SolverBody &a, &b;
    const JointSettings& settings;

    JointRow& add(int slot) const {
        JointRow& row = joint.rows[joint.rowCount++];
        row = {};
        row.slot = static_cast<std::uint8_t>(slot);
        return row;
    }
};

// A direction in which B moves against A, and where it is.
struct FreeDirection {
    Vec3 linear, angularA, angularB;
    Real position = 0;
};
// Along A's axis: n = that axis, C = n . gap; n turns with A, so the arm of A reaches to B's anchor.
FreeDirection alongAxis(const PartContext& part, int axis);
// About a world direction.
FreeDirection aboutDirection(const Vec3& direction, Real angle);
// Between the anchors, its length as position.
FreeDirection betweenAnchors(const PartContext& part);

// answer: what a spring that is given by its frequency takes for the row's inverse mass. It must stay the same however the
// bodies turn: a spring whose stiffness follows a body on a long arm feeds its swing, without end where nothing damps it.
void setSpring(JointRow& row, Spring spring, Real frequency, Real dampingRatio, Real answer, Real error,
               const PartContext& part);

// What turning moves B's arm by beyond h w x r in a substep, less what it moves A's by, per second.
Vec3 curvatureOfArms(const JointConstraint& joint, const SolverBody& a, const SolverBody& b, Real h);
void holdPoint(const PartContext& part);            // 3 rows
void holdTurn(const PartContext& part);             // 3 rows
void alignAxis(const PartContext& part, int axis);  // 2 rows
void hold(const PartContext& part, const FreeDirection& direction, Real error, Real curvature, int slot);
void limit(const PartContext& part, const FreeDirection& direction, const Interval& limits, int slot);
void spring(const PartContext& part, const FreeDirection& direction);
void motor(const PartContext& part, const FreeDirection& direction);
void friction(const PartContext& part, const FreeDirection& direction, int slot);
void angularFriction(const PartContext& part);  // 3 rows

// Limits of angles, angle_limits.cpp.
// Nearest to the middle of its limits; where it has none, to where its spring rests.
Real hingeAngle(const PartContext& part);
void limitCone(const PartContext& part);
void limitTwist(const PartContext& part);
void limitTurn(const PartContext& part);  // up to 3 rows: a six_dof's

}  // namespace sunder::dynamics
