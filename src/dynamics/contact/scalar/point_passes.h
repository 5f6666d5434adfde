// The passes of a Gauss-Seidel sweep over the points of one manifold, in the coordinates of its frame.
#pragma once

#include "dynamics/contact/scalar/contact_frame.h"
#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::dynamics {

enum class PointOrder { Forward, Backward };
inline PointOrder opposite(PointOrder order) {
    return order == PointOrder::Forward ? PointOrder::Backward : PointOrder::Forward;
}
inline int indexAt(const ContactConstraint& constraint, int i, PointOrder order) {
    return order == PointOrder::Forward ? i : constraint.count - 1 - i;
}
inline bool isActive(const ContactConstraint& constraint, int i) { return (constraint.substep.activePoints >> i & 1) != 0; }

// What an impulse along the normal, or along the tangents, of a point at (x, y) is about the frame's origin.
inline Vec3 pushAt(Real change, Real x, Real y) { return {change, change * y, -(change * x)}; }
inline Vec3 dragAt(Real change1, Real change2, Real x, Real y) { return {change1, change2, x * change2 - y * change1}; }
// Moments about the tangents of friction that acts at height z.
inline Vec3 leanAt(Real change1, Real change2, Real z) { return {0, -(z * change2), z * change1}; }

// Solves the normal impulse of point i. `along` is the relative motion and is kept up to date; the impulse is added to `given`.
inline void solveNormal(ConstraintPoint& point, const ContactFrame& frame, int i, Vec3& along, Vec3& given, Real targetVelocity,
                        Real share, Real kept) {
    const Real x = frame.plane.points[i].x, y = frame.plane.points[i].y;
    const Real velocity = along.x + (along.y * y - along.z * x);
    const Real error = velocity - targetVelocity;
    const Real part = std::fabs(error) < kGentle ? share : Real(1);
    const Real impulse = max(kept * (point.normalImpulse - part * frame.normalMass[i] * error), 0);
    const Vec3 push = pushAt(impulse - point.normalImpulse, x, y);
    point.normalImpulse = impulse;
    along += frame.alongResponse * push;
    given += push;
}

// Friction of the active points, and against rolling and spinning. `motion` is kept up to date; impulses are added to `given`.
void solveAllFriction(ContactConstraint& constraint, const ContactFrame& frame, Screw& motion, Screw& given, PointOrder order);

// Sum of what a manifold gave its bodies: B's side, and A's with the opposite sign.
struct GivenImpulse {
    Vec3 linear, angularA, angularB;
};

inline void addAtArms(GivenImpulse& given, const ConstraintPoint& point, const Vec3& impulse) {
    given.linear += impulse;
    given.angularA += cross(point.armA, impulse);
    given.angularB += cross(point.armB, impulse);
}

}  // namespace sunder::dynamics
