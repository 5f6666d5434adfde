#include "dynamics/joints/row/parts.h"

namespace sunder::dynamics {

namespace {

// Share of an exceeded limit that a substep takes back; less than all of it, so that a limit does not throw.
constexpr Real kLimitRepair = Real(0.2);

Vec3 unit(int axis) { return {axis == 0 ? Real(1) : Real(0), axis == 1 ? Real(1) : Real(0), axis == 2 ? Real(1) : Real(0)}; }
const Vec3& axisOf(const Mat3& axes, int axis) { return axis == 0 ? axes.row0 : (axis == 1 ? axes.row1 : axes.row2); }

void setDirection(JointRow& row, const FreeDirection& direction) {
    row.linear = direction.linear;
    row.angularA = direction.angularA;
    row.angularB = direction.angularB;
}

// The fastest repair of a row's error. Of a body that cannot follow a row but at an angle, since its other axes are locked, no
// more is asked than that it moves at that speed along those it has.
Real recoverySpeedOf(const JointRow& row, const PartContext& part) {
    const Real free = freeAnswer(row, part.a, part.b), answer = responseOf(row, part.a, part.b);
    return answer < free ? part.settings.recoverySpeed * std::sqrt(answer / free) : part.settings.recoverySpeed;
}

// A row that is held at zero error: rigid, or as soft as the joint is.
void setHold(JointRow& row, Real error, Real curvature, const PartContext& part) {
    const JointSpec& spec = part.joint.spec;
    if (spec.isCompliant())
        return setSpring(row, spec.hold, spec.holdFrequency, spec.holdDampingRatio, answerAlong(row, part.joint.answer), error,
                         part);
    const JointSettings& settings = part.settings;
    const Real fastest = recoverySpeedOf(row, part);
    row.error = error;
    row.rate = settings.repairRate;
    row.bias = clamp(error * row.rate, -fastest, fastest) + curvature;
    row.curvature = curvature;
}

}  // namespace

void setSpring(JointRow& row, Spring spring, Real frequency, Real dampingRatio, Real answer, Real error,
               const PartContext& part) {
    if (frequency > 0)
        spring = springOfFrequency(frequency, dampingRatio, answer > 0 ? 1 / answer : Real(0));
    row.rigid = false;
    if (!(spring.stiffness > 0 || spring.damping > 0)) {  // nothing answers: no force
        row.low = row.high = 0;
        row.bounded = true;
        return;
    }
    const Compliance compliance = toCompliance(spring, part.settings.h);
    row.error = error;
    row.rate = compliance.gamma * part.settings.inverseH;
    row.bias = compliance.gamma * error * part.settings.inverseH;
    row.softness = compliance.sigma;
}

// d/dt (n . gap) = n . (vB + wB x rB - vA - wA x rA) + (wA x n) . gap, and (wA x n) . gap = -wA . (gap x n).
FreeDirection alongAxis(const PartContext& part, int axis) {
    const Vec3& n = axisOf(part.at.axesA, axis);
    return {n, cross(part.at.armA + part.at.gap, n), cross(part.at.armB, n), dot(part.at.gap, n)};
}

FreeDirection aboutDirection(const Vec3& direction, Real angle) { return {{}, direction, direction, angle}; }

// C = |gap|, dC/dt = n . d(gap)/dt with n = gap / |gap|.
FreeDirection betweenAnchors(const PartContext& part) {
    const Real length = sunder::length(part.at.gap);
    const Vec3 n = normalizeOr(part.at.gap, part.at.axesA.row0);
    return {n, cross(part.at.armA, n), cross(part.at.armB, n), length};
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
void holdPoint(const PartContext& part) {
    const Vec3 &rA = part.at.armA, &rB = part.at.armB;
    const Vec3 curvature = part.settings.curves ? curvatureOfArms(part.joint, part.a, part.b, part.settings.h) : Vec3{};
    for (int i = 0; i < 3; ++i) {
        JointRow& row = part.add(kLinearSlot + i);
        row.linear = unit(i);
        row.angularA = cross(rA, row.linear);
        row.angularB = cross(rB, row.linear);
        setHold(row, component(part.at.gap, i), component(curvature, i), part);
    }
}

// C = the turn of B's frame against A's as a small rotation vector, in world axes; dC/dt = wB - wA to first order.
void holdTurn(const PartContext& part) {
    for (int i = 0; i < 3; ++i) {
        JointRow& row = part.add(kAngularSlot + i);
        row.angularA = row.angularB = unit(i);
        setHold(row, component(part.at.worldTurn, i), 0, part);
    }
}

// C = u . (axisA x axisB) for the two directions u perpendicular to the axis; dC/dt = u . (wB - wA) to first order.
void alignAxis(const PartContext& part, int axis) {
    const Vec3 tilt = cross(axisOf(part.at.axesA, axis), axisOf(part.at.axesB, axis));
    for (int i = 1; i <= 2; ++i) {
        const int other = (axis + i) % 3;
        JointRow& row = part.add(kAngularSlot + other);
        row.angularA = row.angularB = axisOf(part.at.axesA, other);
        setHold(row, dot(tilt, row.angularA), 0, part);
    }
}

void hold(const PartContext& part, const FreeDirection& direction, Real error, Real curvature, int slot) {
    JointRow& row = part.add(slot);
    setDirection(row, direction);
    setHold(row, error, curvature, part);
}

// One-sided at whichever end is nearer: the direction may close the gap to it within the substep, no more.
void limit(const PartContext& part, const FreeDirection& direction, const Interval& limits, int slot) {
    const Real toLow = direction.position - limits.low, toHigh = limits.high - direction.position;
    if (limits.low == limits.high)
        return hold(part, direction, toLow, 0, slot);
    JointRow& row = part.add(slot);
    setDirection(row, direction);
    row.bounded = true;
    const bool atLow = toLow < toHigh;
    const Real gap = atLow ? toLow : toHigh;
    const Real allowed =
        gap > 0 ? gap * part.settings.inverseH : max(kLimitRepair * gap * part.settings.inverseH, -recoverySpeedOf(row, part));
    row.error = atLow ? toLow : -toHigh;
    row.rate = kLimitRepair * part.settings.inverseH;
    row.bias = atLow ? allowed : -allowed;
    (atLow ? row.low : row.high) = 0;
}

void spring(const PartContext& part, const FreeDirection& direction) {
    const JointSpec& spec = part.joint.spec;
    if (!spec.hasSpring())
        return;
    JointRow& row = part.add(kSpringSlot);
    setDirection(row, direction);
    // The axis of a turn stays with the bodies, and so does what they answer about it.
    const Real answer = row.linear == Vec3{} ? responseOf(row, part.a, part.b) : answerAlong(row, part.joint.answer);
    setSpring(row, spec.spring, spec.springFrequency, spec.springDampingRatio, answer, direction.position - spec.springRest,
              part);
    if (spec.hasSpringStrength) {
        row.bounded = true;
        row.high = min(row.high, spec.springStrength * part.settings.h);
        row.low = max(row.low, -row.high);
    }
}

void motor(const PartContext& part, const FreeDirection& direction) {
    const JointSpec& spec = part.joint.spec;
    if (!(spec.motorStrength > 0))
        return;
    JointRow& row = part.add(kMotorSlot);
    setDirection(row, direction);
    row.bounded = true;
    row.bias = -spec.motorSpeed;
    row.high = spec.motorStrength * part.settings.h;
    row.low = -row.high;
}

void friction(const PartContext& part, const FreeDirection& direction, int slot) {
    const JointSpec& spec = part.joint.spec;
    if (!(spec.friction > 0))
        return;
    JointRow& row = part.add(slot);
    setDirection(row, direction);
    row.bounded = true;
    row.high = spec.friction * part.settings.h;
    row.low = -row.high;
}

// About the world's axes: a box in place of the ball of torques, at most sqrt(3) too strong in a corner.
void angularFriction(const PartContext& part) {
    for (int i = 0; i < 3; ++i)
        friction(part, aboutDirection(unit(i), 0), kFrictionSlot + i);
}

}  // namespace sunder::dynamics
