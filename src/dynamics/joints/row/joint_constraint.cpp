#include "dynamics/joints/row/joint_constraint.h"

#include "math/trigonometry.h"

namespace sunder::dynamics {

JointSpec specOf(const JointDef& def) {
    JointSpec spec;
    spec.type = def.type;
    spec.freeAxes = def.freeAxes;
    spec.hasLimits = def.limits.has_value();
    spec.limits = def.limits.value_or(Interval{});
    spec.hasCone = def.cone.has_value();
    spec.cone = def.cone.value_or(Real(0));
    spec.linearLow = def.linearLow;
    spec.linearHigh = def.linearHigh;
    spec.angularLow = def.angularLow;
    spec.angularHigh = def.angularHigh;
    spec.hold = {def.stiffness, def.damping};
    spec.holdFrequency = def.frequency;
    spec.holdDampingRatio = def.dampingRatio;
    spec.spring = {def.springStiffness, def.springDamping};
    spec.springFrequency = def.springFrequency;
    spec.springDampingRatio = def.springDampingRatio;
    spec.springRest = def.springRest;
    spec.hasSpringStrength = def.springStrength.has_value();
    spec.springStrength = def.springStrength.value_or(Real(0));
    spec.motorSpeed = def.motorSpeed;
    spec.motorStrength = def.motorStrength;
    spec.friction = def.friction;
    if (def.type == JointType::Distance)
        spec.length = length(def.anchorB.value_or(def.anchor) - def.anchor);
    return spec;
}

// Held rows, a spring, and at most one rigid row with bounds for each free direction (see direct_group.cpp).
int rowCapacity(const JointSpec& spec) {
    const int free = (spec.hasSpring() ? 1 : 0) + (spec.hasLimits || spec.motorStrength > 0 || spec.friction > 0 ? 1 : 0);
    switch (spec.type) {
        case JointType::Ball: return spec.friction > 0 ? 6 : 3;
        case JointType::Hinge:
        case JointType::Slider: return 5 + free;
        case JointType::Fixed: return 6;
        case JointType::Distance: return 1 + free;
        case JointType::ConeTwist: return 3 + (spec.friction > 0 ? 3 : 0) + (spec.hasCone ? 1 : 0) + (spec.hasLimits ? 1 : 0);
        case JointType::SixDof: return 6;
        case JointType::Wheel: return 4 + (spec.hasSpring() ? 1 : 0) + (spec.hasLimits ? 1 : 0) + 1;
    }
    return 6;
}

int turnRowCapacity(const JointSpec& spec) {
    const int friction = spec.friction > 0 ? 1 : 0, limits = spec.hasLimits ? 1 : 0;
    switch (spec.type) {
        case JointType::Hinge: return 2 + limits + friction + (spec.hasSpring() ? 1 : 0) + (spec.motorStrength > 0 ? 1 : 0);
        case JointType::ConeTwist: return limits + 3 * friction + (spec.hasCone ? 1 : 0);
        case JointType::Fixed: return 3;
        default: return 3 * friction;
    }
}

JointGeometry geometryOf(const JointConstraint& joint, const SolverBody& a, const SolverBody& b) {
    JointGeometry at;
    at.armA = rotate(a.orientation, joint.frameA.position);
    at.armB = rotate(b.orientation, joint.frameB.position);
    at.gap = joint.centerOffset + (b.displacement - a.displacement) + at.armB - at.armA;
    const Quat qA = a.orientation * joint.frameA.orientation, qB = b.orientation * joint.frameB.orientation;
    at.axesA = transpose(toMatrix(qA));
    at.axesB = transpose(toMatrix(qB));
    at.turn = conjugate(qA) * qB;
    const Real sign = at.turn.w < 0 ? Real(-2) : Real(2);
    at.worldTurn = rotate(qA, Vec3{at.turn.x, at.turn.y, at.turn.z} * sign);
    return at;
}

Real angleAbout(const JointGeometry& at, int axis) {
    const Real sine = component({at.turn.x, at.turn.y, at.turn.z}, axis);
    return at.turn.w < 0 ? 2 * arcTangent2(-sine, -at.turn.w) : 2 * arcTangent2(sine, at.turn.w);
}

Vec3 turnVector(const JointGeometry& at) { return rotationVectorBetween({}, at.turn); }

Real swingAngle(const JointGeometry& at) {
    return arcTangent2(length(cross(at.axesA.row0, at.axesB.row0)), dot(at.axesA.row0, at.axesB.row0));
}

Real responseOf(const JointRow& row, const SolverBody& a, const SolverBody& b) {
    return dot(row.linear, multiply(a.inverseMass + b.inverseMass, row.linear)) +
           dot(row.angularA, a.inverseInertia * row.angularA) + dot(row.angularB, b.inverseInertia * row.angularB);
}

Real freeAnswer(const JointRow& row, const SolverBody& a, const SolverBody& b) {
    const Vec3 inverse = a.inverseMass + b.inverseMass;
    return max(inverse.x, max(inverse.y, inverse.z)) * lengthSquared(row.linear);
}

bool isLocked(const JointRow& row, const SolverBody& a, const SolverBody& b) {
    constexpr Real kLockedShare = Real(1e-3);  // of freeAnswer: less than this is a locked axis, up to rounding
    return dot(multiply(a.inverseMass + b.inverseMass, row.linear), row.linear) < kLockedShare * freeAnswer(row, a, b);
}

Real yieldToLocks(const JointRow& row, const SolverBody& a, const SolverBody& b) {
    // Share of the answer that locks take away. Met in full, such rows ask for 70 m/s and more across them (docs/joints.md).
    constexpr Real kShare = Real(0.03);
    return kShare * max(freeAnswer(row, a, b) - responseOf(row, a, b), Real(0));
}

Spring springOf(const JointRow& row, const JointSpec& spec, const SolverBody& a, const SolverBody& b) {
    const bool isSpring = row.slot == kSpringSlot;
    const Real frequency = isSpring ? spec.springFrequency : spec.holdFrequency;
    const Real response = responseOf(row, a, b);
    if (frequency > 0 && response > 0)
        return springOfFrequency(frequency, isSpring ? spec.springDampingRatio : spec.holdDampingRatio, 1 / response);
    return isSpring ? spec.spring : spec.hold;
}

}  // namespace sunder::dynamics
