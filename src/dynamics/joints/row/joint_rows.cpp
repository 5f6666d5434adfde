#include "dynamics/joints/row/joint_rows.h"

#include "dynamics/joints/row/drives.h"

namespace sunder::dynamics {

namespace {

void addBall(const PartContext& part) {
    holdPoint(part);
    springTurn(part);
    motorTurn(part);
    angularFriction(part);
}

// The one direction that a joint leaves free, with all that may act along it.
void leaveFree(const PartContext& part, const FreeDirection& direction) {
    if (part.joint.spec.hasLimits)
        limit(part, direction, part.joint.spec.limits, kLimitSlot);
    spring(part, direction);
    motor(part, direction);
    friction(part, direction, kFrictionSlot);
}

void addHinge(const PartContext& part) {
    holdPoint(part);
    alignAxis(part, 0);
    leaveFree(part, aboutDirection(part.at.axesA.row0, hingeAngle(part)));
}

void addSlider(const PartContext& part) {
    for (int axis = 1; axis < 3; ++axis) {
        const FreeDirection across = alongAxis(part, axis);
        hold(part, across, across.position, 0, kLinearSlot + axis);
    }
    holdTurn(part);
    leaveFree(part, alongAxis(part, 0));
}

void addFixed(const PartContext& part) {
    holdPoint(part);
    holdTurn(part);
}

void addDistance(const PartContext& part) {
    const JointSpec& spec = part.joint.spec;
    const FreeDirection along = betweenAnchors(part);
    const bool held = !spec.hasLimits && !spec.hasSpring() && !(spec.motorStrength > 0);
    if (held && !part.settings.curves) {
        hold(part, along, along.position - spec.length, 0, kLinearSlot);
    } else if (held) {
        // The direction turns: what goes along it by s and across it by t in a substep is at sqrt(s^2 + t^2), not s. Never more
        // than t, however short the distance is.
        const Vec3 &wA = part.a.angularVelocity, &wB = part.b.angularVelocity;
        const Real h = part.settings.h;
        const Vec3 v = part.b.velocity + cross(wB, part.at.armB) - part.a.velocity - cross(wA, part.at.armA);
        const Real speed = dot(v, along.linear), s = max(along.position + h * speed, Real(0));
        const Real t2 = square(h) * max(lengthSquared(v) - square(speed), Real(0));
        const Real across = t2 > 0 ? t2 / ((std::sqrt(square(s) + t2) + s) * h) : Real(0);
        const Real curvature = across + dot(curvatureOfArms(part.joint, part.a, part.b, h), along.linear);
        hold(part, along, along.position - spec.length, curvature, kLinearSlot);
    } else if (spec.hasLimits) {
        limit(part, along, spec.limits, kLimitSlot);
    }
    spring(part, along);
    motor(part, along);
    friction(part, along, kFrictionSlot);
}

void addConeTwist(const PartContext& part) {
    holdPoint(part);
    if (part.joint.spec.hasCone)
        limitCone(part);
    if (part.joint.spec.hasLimits)
        limitTwist(part);
    springTurn(part);
    motorTurn(part);
    angularFriction(part);
}

void addSixDof(const PartContext& part) {
    const JointSpec& spec = part.joint.spec;
    for (int axis = 0; axis < 3; ++axis)
        if (!(spec.freeAxes >> axis & 1))
            limit(part, alongAxis(part, axis), {component(spec.linearLow, axis), component(spec.linearHigh, axis)},
                  kLinearSlot + axis);
    limitTurn(part);
    driveSixDof(part);
}

void addWheel(const PartContext& part) {
    for (int axis = 1; axis < 3; ++axis) {
        const FreeDirection across = alongAxis(part, axis);
        hold(part, across, across.position, 0, kLinearSlot + axis);
    }
    const Vec3 axle = steerWheel(part);
    const FreeDirection along = alongAxis(part, 0);
    if (part.joint.spec.hasLimits)
        limit(part, along, part.joint.spec.limits, kLimitSlot);
    spring(part, along);
    const FreeDirection spin = aboutDirection(axle, 0);
    motor(part, spin);
    friction(part, spin, kFrictionSlot);
}

}  // namespace

void makeRows(JointConstraint& joint, const SolverBody& a, const SolverBody& b, const JointSettings& settings) {
    const JointGeometry at = geometryOf(joint, a, b);
    joint.rowCount = 0;
    joint.armA = at.armA;
    joint.armB = at.armB;
    const PartContext part{joint, at, a, b, settings};
    switch (joint.spec.type) {
        case JointType::Ball: addBall(part); break;
        case JointType::Hinge: addHinge(part); break;
        case JointType::Slider: addSlider(part); break;
        case JointType::Fixed: addFixed(part); break;
        case JointType::Distance: addDistance(part); break;
        case JointType::ConeTwist: addConeTwist(part); break;
        case JointType::SixDof: addSixDof(part); break;
        case JointType::Wheel: addWheel(part); break;
    }
    for (int i = 0; i < joint.rowCount; ++i) {
        const JointRow& row = joint.rows[i];
        joint.impulse[row.slot] = clamp(joint.impulse[row.slot], row.low, row.high);
    }
}

void updateCurvature(JointConstraint& joint, const SolverBody& a, const SolverBody& b, const JointSettings& settings) {
    switch (joint.spec.type) {
        case JointType::Slider:
        case JointType::SixDof:
        case JointType::Wheel: return;
        case JointType::Distance: {
            JointSettings curved = settings;
            curved.curves = true;
            makeRows(joint, a, b, curved);
            return;
        }
        default: break;
    }
    const Vec3 now = curvatureOfArms(joint, a, b, settings.h);
    for (int i = 0; i < 3; ++i) {  // holdPoint's rows come first
        JointRow& row = joint.rows[i];
        if (!row.rigid)
            continue;
        row.bias += component(now, i) - row.curvature;
        row.curvature = component(now, i);
    }
}

}  // namespace sunder::dynamics
