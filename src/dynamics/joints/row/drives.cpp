#include "dynamics/joints/row/drives.h"

#include "math/trigonometry.h"

namespace sunder::dynamics {

namespace {

void bound(JointRow& row, Real strength, Real h) {
    if (!(strength < kInfinity))
        return;
    row.bounded = true;
    row.high = min(row.high, strength * h);
    row.low = max(row.low, -row.high);
}

// The force -k error + d (speed - velocity), taken implicitly (compliance.h): the damper adds (1 - Gamma) speed to what is
// wanted. Without a spring it is a motor, which seeks the speed with all its strength.
void drive(const RowBuilder& builder, const FreeDirection& direction, const SpringSpec& spec, Real answer, int slot) {
    JointRow& row = builder.add(slot);
    row.linear = direction.linear;
    row.angularA = direction.angularA;
    row.angularB = direction.angularB;
    if (spec.pulls()) {
        setSpring(row, spec.spring, spec.frequency, spec.dampingRatio, answer, direction.position - spec.rest, builder);
        row.bias -= (1 - row.rate * builder.settings.h) * spec.speed;
    } else {
        row.bias = -spec.speed;
    }
    bound(row, spec.strength, builder.settings.h);
}

}  // namespace

// C = the turn e that leads from the target to where B is, as a rotation vector in A's frame. Each row is the gradient of one
// of its components, so that the three together do the work of the energy sum k e^2 / 2, whatever the three k are.
void springTurn(const RowBuilder& builder) {
    const JointSpec& spec = builder.joint.spec;
    if (!spec.hasSpring())
        return;
    const Quat q = shortWay(builder.at.turn * conjugate(spec.springRotation));
    const Vec3 e = rotationVectorBetween({}, q);
    SpringSpec each{spec.spring,
                    spec.springFrequency,
                    spec.springDampingRatio,
                    0,
                    0,
                    spec.hasSpringStrength ? spec.springStrength : kInfinity};
    for (int axis = 0; axis < 3; ++axis)
        drive(builder, aboutDirection(inWorld(builder.at, turnGradient(q, e, axis)), component(e, axis)), each,
              component(builder.joint.answer.aboutAxes, axis), kDriveSlot + axis);
}

void motorTurn(const RowBuilder& builder) {
    const JointSpec& spec = builder.joint.spec;
    if (!(spec.motorStrength > 0))
        return;
    for (int axis = 0; axis < 3; ++axis) {
        SpringSpec each;
        each.speed = component(spec.motorVelocity, axis);
        each.strength = spec.motorStrength;
        drive(builder, aboutDirection(axisOf(builder.at.axesA, axis), 0), each, 0, kDriveSlot + 3 + axis);
    }
}

// Angles are the components of the turn as a rotation vector, as those that its limits bound (limitTurn).
void driveSixDof(const RowBuilder& builder) {
    const JointSpec& spec = builder.joint.spec;
    if (spec.drivenAxes == 0)
        return;
    const Quat q = shortWay(builder.at.turn);
    const Vec3 t = turnVector(builder.at);
    for (int axis = 0; axis < 3; ++axis)
        if (spec.drivenAxes >> axis & 1)
            drive(builder, alongAxis(builder, axis), spec.drives[axis], builder.joint.answer.linear, kDriveSlot + axis);
    for (int axis = 0; axis < 3; ++axis)
        if (spec.drivenAxes >> (3 + axis) & 1)
            drive(builder, aboutDirection(inWorld(builder.at, turnGradient(q, t, axis)), component(t, axis)),
                  spec.drives[3 + axis], component(builder.joint.answer.aboutAxes, axis), kDriveSlot + 3 + axis);
}

// The axle is held at right angles to the axis, and about it at the angle that is asked for, or by a spring and limits.
Vec3 steerWheel(const RowBuilder& builder) {
    const JointSpec& spec = builder.joint.spec;
    const bool isSoft = spec.isSteeredSoftly();
    const Real angle = isSoft ? steeringAngle(builder.at) : spec.steering.rest;
    JointGeometry turned = builder.at;
    if (angle != 0) {
        const SinCos at = sinCos(angle);
        turned.axesA.row1 = builder.at.axesA.row1 * at.cos + builder.at.axesA.row2 * at.sin;
        turned.axesA.row2 = builder.at.axesA.row2 * at.cos - builder.at.axesA.row1 * at.sin;
    }
    const RowBuilder steered{builder.joint, turned, builder.a, builder.b, builder.settings};
    if (!isSoft) {
        alignAxis(steered, 1);
        return turned.axesA.row1;
    }
    const Real tilt = dot(cross(turned.axesA.row1, turned.axesB.row1), turned.axesA.row2);
    hold(steered, aboutDirection(turned.axesA.row2, tilt), tilt, 0, kAngularSlot + 2);
    const FreeDirection about = aboutDirection(turned.axesA.row0, angle);
    if (spec.hasSteeringLimits)
        limit(steered, about, spec.steeringLimits, kConeSlot);
    if (spec.steering.pulls())
        drive(steered, about, spec.steering, builder.joint.answer.aboutAxes.x, kDriveSlot);
    return turned.axesA.row1;
}

}  // namespace sunder::dynamics
