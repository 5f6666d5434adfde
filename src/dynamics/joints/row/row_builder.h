// What joints are made of: holds, limits, springs, motors and friction. Each function here adds the rows of one of them to the
// joint; joint_constraint.h says what a row is.
#pragma once

#include "dynamics/joints/row/joint_constraint.h"

namespace sunder::dynamics {

// A joint that is being given its rows, and what they depend on.
struct RowBuilder {
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

inline const Vec3& axisOf(const Mat3& axes, int axis) { return axis == 0 ? axes.row0 : (axis == 1 ? axes.row1 : axes.row2); }
// A vector of A's frame in world axes.
inline Vec3 inWorld(const JointGeometry& at, const Vec3& v) {
    return at.axesA.row0 * v.x + at.axesA.row1 * v.y + at.axesA.row2 * v.z;
}
// The shorter way of a turn, at most half a turn: of a quaternion and its negative, the one with w >= 0.
inline Quat shortWay(const Quat& turn) {
    const Real sign = turn.w < 0 ? Real(-1) : Real(1);
    return {sign * turn.x, sign * turn.y, sign * turn.z, sign * turn.w};
}

// A direction in which B can move relative to A, and B's position along it (m or rad).
struct FreeDirection {
    Vec3 linear, angularA, angularB;
    Real position = 0;
};
// Along A's axis: n = that axis, C = n . gap; n turns with A, so the arm of A reaches to B's anchor.
FreeDirection alongAxis(const RowBuilder& builder, int axis);
// About a world direction.
FreeDirection aboutDirection(const Vec3& direction, Real angle);
// Between the anchors, its length as position.
FreeDirection betweenAnchors(const RowBuilder& builder);

// answer: the row's inverse mass for a spring that is given by its frequency. It must not change as the bodies turn: a spring
// whose stiffness followed a body on a long arm would feed its swing, without bound where nothing damps it.
void setSpring(JointRow& row, Spring spring, Real frequency, Real dampingRatio, Real answer, Real error,
               const RowBuilder& builder);

// m/s: by how much the turn of a substep moves the end of B's arm beyond h w x r, less the same of A's arm, divided by h.
Vec3 curvatureOfArms(const JointConstraint& joint, const SolverBody& a, const SolverBody& b, Real h);
void holdPoint(const RowBuilder& builder);            // 3 rows
void holdTurn(const RowBuilder& builder);             // 3 rows
void alignAxis(const RowBuilder& builder, int axis);  // 2 rows
void hold(const RowBuilder& builder, const FreeDirection& direction, Real error, Real curvature, int slot);
void limit(const RowBuilder& builder, const FreeDirection& direction, const Interval& limits, int slot);
void spring(const RowBuilder& builder, const FreeDirection& direction);
void motor(const RowBuilder& builder, const FreeDirection& direction);
void friction(const RowBuilder& builder, const FreeDirection& direction, int slot);
void angularFriction(const RowBuilder& builder);  // 3 rows

// Limits of angles, in angle_limits.cpp.
// rad: of the angles that differ by whole turns, the one nearest to the middle of the limits, or to the spring's rest where
// there are none.
Real hingeAngle(const RowBuilder& builder);
void limitCone(const RowBuilder& builder);
void limitTwist(const RowBuilder& builder);
void limitTurn(const RowBuilder& builder);  // up to 3 rows: a six_dof's

}  // namespace sunder::dynamics
