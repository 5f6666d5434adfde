#include "dynamics/joints/row/joint_rows.h"

#include "dynamics/joints/row/drives.h"

namespace sunder::dynamics {

namespace {

void addBall(const RowBuilder& builder) {
    holdPoint(builder);
    springTurn(builder);
    motorTurn(builder);
    angularFriction(builder);
}

// Rows that may act along the one direction that a joint leaves free: limits, spring, motor, friction.
void leaveFree(const RowBuilder& builder, const FreeDirection& direction) {
    if (builder.joint.spec.hasLimits)
        limit(builder, direction, builder.joint.spec.limits, kLimitSlot);
    spring(builder, direction);
    motor(builder, direction);
    friction(builder, direction, kFrictionSlot);
}

void addHinge(const RowBuilder& builder) {
    holdPoint(builder);
    alignAxis(builder, 0);
    leaveFree(builder, aboutDirection(builder.at.axesA.row0, hingeAngle(builder)));
}

void addSlider(const RowBuilder& builder) {
    for (int axis = 1; axis < 3; ++axis) {
        const FreeDirection across = alongAxis(builder, axis);
        hold(builder, across, across.position, 0, kLinearSlot + axis);
    }
    holdTurn(builder);
    leaveFree(builder, alongAxis(builder, 0));
}

void addFixed(const RowBuilder& builder) {
    holdPoint(builder);
    holdTurn(builder);
}

void addDistance(const RowBuilder& builder) {
    const JointSpec& spec = builder.joint.spec;
    const FreeDirection along = betweenAnchors(builder);
    const bool held = !spec.hasLimits && !spec.hasSpring() && !(spec.motorStrength > 0);
    if (held && !builder.settings.curves) {
        hold(builder, along, along.position - spec.length, 0, kLinearSlot);
    } else if (held) {
        // The direction turns with the bodies: an end at the distance s that moves by t across it is then at sqrt(s^2 + t^2).
        // The bias takes the difference, never more than t however short the distance is.
        const Vec3 &wA = builder.a.angularVelocity, &wB = builder.b.angularVelocity;
        const Real h = builder.settings.h;
        const Vec3 v = builder.b.velocity + cross(wB, builder.at.armB) - builder.a.velocity - cross(wA, builder.at.armA);
        const Real speed = dot(v, along.linear), s = max(along.position + h * speed, Real(0));
        const Real t2 = square(h) * max(lengthSquared(v) - square(speed), Real(0));
        const Real across = t2 > 0 ? t2 / ((std::sqrt(square(s) + t2) + s) * h) : Real(0);
        const Real curvature = across + dot(curvatureOfArms(builder.joint, builder.a, builder.b, h), along.linear);
        hold(builder, along, along.position - spec.length, curvature, kLinearSlot);
    } else if (spec.hasLimits) {
        limit(builder, along, spec.limits, kLimitSlot);
    }
    spring(builder, along);
    motor(builder, along);
    friction(builder, along, kFrictionSlot);
}

void addConeTwist(const RowBuilder& builder) {
    holdPoint(builder);
    if (builder.joint.spec.hasCone)
        limitCone(builder);
    if (builder.joint.spec.hasLimits)
        limitTwist(builder);
    springTurn(builder);
    motorTurn(builder);
    angularFriction(builder);
}

void addSixDof(const RowBuilder& builder) {
    const JointSpec& spec = builder.joint.spec;
    for (int axis = 0; axis < 3; ++axis)
        if (!(spec.freeAxes >> axis & 1))
            limit(builder, alongAxis(builder, axis), {component(spec.linearLow, axis), component(spec.linearHigh, axis)},
                  kLinearSlot + axis);
    limitTurn(builder);
    driveSixDof(builder);
}

void addWheel(const RowBuilder& builder) {
    for (int axis = 1; axis < 3; ++axis) {
        const FreeDirection across = alongAxis(builder, axis);
        hold(builder, across, across.position, 0, kLinearSlot + axis);
    }
    const Vec3 axle = steerWheel(builder);
    const FreeDirection along = alongAxis(builder, 0);
    if (builder.joint.spec.hasLimits)
        limit(builder, along, builder.joint.spec.limits, kLimitSlot);
    spring(builder, along);
    const FreeDirection spin = aboutDirection(axle, 0);
    motor(builder, spin);
    friction(builder, spin, kFrictionSlot);
}

}  // namespace

void makeRows(JointConstraint& joint, const SolverBody& a, const SolverBody& b, const JointSettings& settings) {
    const JointGeometry at = geometryOf(joint, a, b);
    joint.rowCount = 0;
    joint.armA = at.armA;
    joint.armB = at.armB;
    const RowBuilder builder{joint, at, a, b, settings};
    switch (joint.spec.type) {
        case JointType::Ball: addBall(builder); break;
        case JointType::Hinge: addHinge(builder); break;
        case JointType::Slider: addSlider(builder); break;
        case JointType::Fixed: addFixed(builder); break;
        case JointType::Distance: addDistance(builder); break;
        case JointType::ConeTwist: addConeTwist(builder); break;
        case JointType::SixDof: addSixDof(builder); break;
        case JointType::Wheel: addWheel(builder); break;
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
