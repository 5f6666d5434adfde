#include "dynamics/joints/row/row_builder.h"

namespace sunder::dynamics {

namespace {

// Share of an exceeded limit that a substep repairs. Less than all of it: the speed of a repair stays with the body.
constexpr Real kLimitRepair = Real(0.2);

Vec3 unit(int axis) { return {axis == 0 ? Real(1) : Real(0), axis == 1 ? Real(1) : Real(0), axis == 2 ? Real(1) : Real(0)}; }

void setDirection(JointRow& row, const FreeDirection& direction) {
    row.linear = direction.linear;
    row.angularA = direction.angularA;
    row.angularB = direction.angularB;
}

// The fastest repair of a row's error, m/s or rad/s. A body with locked axes may have to follow the row at an angle, faster
// than the row's error shrinks; the repair is slowed down so that the body itself moves no faster than recoverySpeed.
Real recoverySpeedOf(const JointRow& row, const RowBuilder& builder) {
    const Real free = freeAnswer(row, builder.a, builder.b), answer = responseOf(row, builder.a, builder.b);
    return answer < free ? builder.settings.recoverySpeed * std::sqrt(answer / free) : builder.settings.recoverySpeed;
}

// Makes a row that holds its error at zero: rigid, or with the joint's stiffness and damping.
void setHold(JointRow& row, Real error, Real curvature, const RowBuilder& builder) {
    const JointSpec& spec = builder.joint.spec;
    if (spec.isCompliant())
        return setSpring(row, spec.hold, spec.holdFrequency, spec.holdDampingRatio, answerAlong(row, builder.joint.answer),
                         error, builder);
    const JointSettings& settings = builder.settings;
    const Real fastest = recoverySpeedOf(row, builder);
    row.error = error;
    row.rate = settings.repairRate;
    row.bias = clamp(error * row.rate, -fastest, fastest) + curvature;
    row.curvature = curvature;
}

}  // namespace

void setSpring(JointRow& row, Spring spring, Real frequency, Real dampingRatio, Real answer, Real error,
               const RowBuilder& builder) {
    if (frequency > 0)
        spring = springOfFrequency(frequency, dampingRatio, answer > 0 ? 1 / answer : Real(0));
    row.rigid = false;
    if (!(spring.stiffness > 0 || spring.damping > 0)) {  // no spring and no damper: no force
        row.low = row.high = 0;
        row.bounded = true;
        return;
    }
    const Compliance compliance = toCompliance(spring, builder.settings.h);
    row.error = error;
    row.rate = compliance.gamma * builder.settings.inverseH;
    row.bias = compliance.gamma * error * builder.settings.inverseH;
    row.softness = compliance.sigma;
}

// d/dt (n . gap) = n . (vB + wB x rB - vA - wA x rA) + (wA x n) . gap, and (wA x n) . gap = -wA . (gap x n).
FreeDirection alongAxis(const RowBuilder& builder, int axis) {
    const Vec3& n = axisOf(builder.at.axesA, axis);
    return {n, cross(builder.at.armA + builder.at.gap, n), cross(builder.at.armB, n), dot(builder.at.gap, n)};
}

FreeDirection aboutDirection(const Vec3& direction, Real angle) { return {{}, direction, direction, angle}; }

// C = |gap|, dC/dt = n . d(gap)/dt with n = gap / |gap|.
FreeDirection betweenAnchors(const RowBuilder& builder) {
    const Real length = sunder::length(builder.at.gap);
    const Vec3 n = normalizeOr(builder.at.gap, builder.at.axesA.row0);
    return {n, cross(builder.at.armA, n), cross(builder.at.armB, n), length};
}

// An arm turned by the angle h w moves by sin(h w) / w of w x r and (1 - cos(h w)) / w^2 of w x (w x r). The latter is
// 1 / (2 + (h w)^2 / 6) of h^2 up to (h w)^4, and stays below 6 r whatever the spin: with 1 / 2 in its place a long arm that
// spins fast asks for a velocity that grows with the square of its own, without end.
Vec3 curvatureOfArms(const JointConstraint& joint, const SolverBody& a, const SolverBody& b, Real h) {
    const auto turned = [&](const Vec3& w, const Vec3& arm) {
        return cross(w, cross(w, arm)) * (h / (2 + square(h) * lengthSquared(w) * (Real(1) / 6)));
    };
    return turned(b.angularVelocity, joint.armB) - turned(a.angularVelocity, joint.armA);
}

// C = gap = xB + rB - xA - rA in world axes. An arm turned by h w moves by h w x r + h^2/2 w x (w x r): with the second term in
// the bias the anchors meet at the end of the substep, not one order later, and a pendulum keeps its energy (the step is then
// SHAKE's, which is symplectic).
void holdPoint(const RowBuilder& builder) {
    const Vec3 &rA = builder.at.armA, &rB = builder.at.armB;
    const Vec3 curvature =
        builder.settings.curves ? curvatureOfArms(builder.joint, builder.a, builder.b, builder.settings.h) : Vec3{};
    for (int i = 0; i < 3; ++i) {
        JointRow& row = builder.add(kLinearSlot + i);
        row.linear = unit(i);
        row.angularA = cross(rA, row.linear);
        row.angularB = cross(rB, row.linear);
        setHold(row, component(builder.at.gap, i), component(curvature, i), builder);
    }
}

// C = the turn of B's frame against A's as a small rotation vector, in world axes; dC/dt = wB - wA to first order.
void holdTurn(const RowBuilder& builder) {
    for (int i = 0; i < 3; ++i) {
        JointRow& row = builder.add(kAngularSlot + i);
        row.angularA = row.angularB = unit(i);
        setHold(row, component(builder.at.worldTurn, i), 0, builder);
    }
}

// C = u . (axisA x axisB) for the two directions u perpendicular to the axis; dC/dt = u . (wB - wA) to first order.
void alignAxis(const RowBuilder& builder, int axis) {
    const Vec3 tilt = cross(axisOf(builder.at.axesA, axis), axisOf(builder.at.axesB, axis));
    for (int i = 1; i <= 2; ++i) {
        const int other = (axis + i) % 3;
        JointRow& row = builder.add(kAngularSlot + other);
        row.angularA = row.angularB = axisOf(builder.at.axesA, other);
        setHold(row, dot(tilt, row.angularA), 0, builder);
    }
}

void hold(const RowBuilder& builder, const FreeDirection& direction, Real error, Real curvature, int slot) {
    JointRow& row = builder.add(slot);
    setDirection(row, direction);
    setHold(row, error, curvature, builder);
}

// A one-sided row at whichever end is nearer: within the substep the motion may close the gap to that end, and no more.
void limit(const RowBuilder& builder, const FreeDirection& direction, const Interval& limits, int slot) {
    const Real toLow = direction.position - limits.low, toHigh = limits.high - direction.position;
    if (limits.low == limits.high)
        return hold(builder, direction, toLow, 0, slot);
    JointRow& row = builder.add(slot);
    setDirection(row, direction);
    row.bounded = true;
    const bool atLow = toLow < toHigh;
    const Real gap = atLow ? toLow : toHigh;
    const Real allowed = gap > 0 ? gap * builder.settings.inverseH
                                 : max(kLimitRepair * gap * builder.settings.inverseH, -recoverySpeedOf(row, builder));
    row.error = atLow ? toLow : -toHigh;
    row.rate = kLimitRepair * builder.settings.inverseH;
    row.bias = atLow ? allowed : -allowed;
    (atLow ? row.low : row.high) = 0;
}

void spring(const RowBuilder& builder, const FreeDirection& direction) {
    const JointSpec& spec = builder.joint.spec;
    if (!spec.hasSpring())
        return;
    JointRow& row = builder.add(kSpringSlot);
    setDirection(row, direction);
    // A turn keeps its axis in the bodies, so their inverse inertia about it stays the same as they turn.
    const Real answer = row.linear == Vec3{} ? responseOf(row, builder.a, builder.b) : answerAlong(row, builder.joint.answer);
    setSpring(row, spec.spring, spec.springFrequency, spec.springDampingRatio, answer, direction.position - spec.springRest,
              builder);
    if (spec.hasSpringStrength) {
        row.bounded = true;
        row.high = min(row.high, spec.springStrength * builder.settings.h);
        row.low = max(row.low, -row.high);
    }
}

void motor(const RowBuilder& builder, const FreeDirection& direction) {
    const JointSpec& spec = builder.joint.spec;
    if (!(spec.motorStrength > 0))
        return;
    JointRow& row = builder.add(kMotorSlot);
    setDirection(row, direction);
    row.bounded = true;
    row.bias = -spec.motorSpeed;
    row.high = spec.motorStrength * builder.settings.h;
    row.low = -row.high;
}

void friction(const RowBuilder& builder, const FreeDirection& direction, int slot) {
    const JointSpec& spec = builder.joint.spec;
    if (!(spec.friction > 0))
        return;
    JointRow& row = builder.add(slot);
    setDirection(row, direction);
    row.bounded = true;
    row.high = spec.friction * builder.settings.h;
    row.low = -row.high;
}

// Three rows about the world's axes: friction is bounded by a box in place of a ball of torques, at most sqrt(3) too strong in
// a corner.
void angularFriction(const RowBuilder& builder) {
    for (int i = 0; i < 3; ++i)
        friction(builder, aboutDirection(unit(i), 0), kFrictionSlot + i);
}

}  // namespace sunder::dynamics
