#include "dynamics/joints/row/joint_constraint.h"

#include <bit>

#include "math/trigonometry.h"

namespace sunder::dynamics {

namespace {

void setDrive(JointSpec& spec, const JointDrive& drive) {
    for (int axis = 0; axis < 6; ++axis)
        if (drive.axes >> axis & 1)
            spec.drives[axis] = {
                {drive.stiffness, drive.damping},  drive.frequency, drive.dampingRatio, drive.rest, drive.speed,
                drive.strength.value_or(kInfinity)};
    spec.drivenAxes = static_cast<std::uint8_t>(spec.drivenAxes | drive.axes);
}

}  // namespace

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
    spec.friction = def.friction.value_or(Real(0));
    spec.rubs = !def.friction && (def.type == JointType::ConeTwist || (def.type == JointType::Hinge && def.limits.has_value()));
    if (def.type == JointType::Distance)
        spec.length = length(def.anchorB.value_or(def.anchor) - def.anchor);
    spec.hasConeZ = def.coneZ.has_value();
    spec.coneZ = def.coneZ.value_or(Real(0));
    spec.springRotation = normalize(def.springRotation);
    spec.motorVelocity = def.motorVelocity;
    for (const JointDrive& drive : def.drives)
        setDrive(spec, drive);
    spec.hasSteeringLimits = def.steeringLimits.has_value();
    spec.steeringLimits = def.steeringLimits.value_or(Interval{});
    spec.steering = {
        {def.steeringStiffness, def.steeringDamping}, def.steeringFrequency, def.steeringDampingRatio, def.steering, 0,
        def.steeringStrength.value_or(kInfinity)};
    return spec;
}

bool JointSpec::fitsBundle() const {
    const bool isOfThem =
        type == JointType::Ball || type == JointType::Hinge || type == JointType::Fixed || type == JointType::ConeTwist;
    return isOfThem && turnRowCapacity(*this) <= kMostTurnRows;
}

// Held rows, a spring, and at most one rigid row with bounds for each free direction (see direct_group.cpp).
int rowCapacity(const JointSpec& spec) {
    const int free = (spec.hasSpring() ? 1 : 0) + (spec.hasLimits || spec.motorStrength > 0 || spec.friction > 0 ? 1 : 0);
    const int turns = (spec.hasSpring() ? 3 : 0) + (spec.motorStrength > 0 || spec.friction > 0 ? 3 : 0);
    switch (spec.type) {
        case JointType::Ball: return 3 + turns;
        case JointType::Hinge:
        case JointType::Slider: return 5 + free;
        case JointType::Fixed: return 6;
        case JointType::Distance: return 1 + free;
        case JointType::ConeTwist: return 3 + turns + (spec.hasCone ? 1 : 0) + (spec.hasLimits ? 1 : 0);
        case JointType::SixDof: return 6 + std::popcount(spec.drivenAxes);
        case JointType::Wheel:
            return 4 + (spec.hasSpring() ? 1 : 0) + (spec.hasLimits ? 1 : 0) + (spec.isSteeredSoftly() ? 1 : 0) + 1;
    }
    return 6;
}

int turnRowCapacity(const JointSpec& spec) {
    const int friction = spec.friction > 0 ? 1 : 0, limits = spec.hasLimits ? 1 : 0;
    const int spring = spec.hasSpring() ? 1 : 0, motor = spec.motorStrength > 0 ? 1 : 0;
    switch (spec.type) {
        case JointType::Hinge: return 2 + limits + friction + spring + motor;
        case JointType::ConeTwist: return limits + 3 * (friction + spring + motor) + (spec.hasCone ? 1 : 0);
        case JointType::Fixed: return 3;
        default: return 3 * (friction + spring + motor);
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

// g = e + t x e / 2 + k t x (t x e), the transpose of dt/dt = w - t x w / 2 + k t x (t x w) from dq/dt = w q / 2, with
// k = (1 - |t| / 2 cot(|t| / 2)) / |t|^2.
Vec3 turnGradient(const Quat& turn, const Vec3& t, int axis) {
    constexpr Real kSmall = Real(0.1);  // k is 1 / 12 up to t^2 / 720
    const Real angle = length(t);
    const Real k =
        angle < kSmall ? Real(1) / 12 : (1 - angle / 2 * turn.w / length(Vec3{turn.x, turn.y, turn.z})) / square(angle);
    const Vec3 e{Real(axis == 0), Real(axis == 1), Real(axis == 2)};
    const Vec3 across = cross(t, e);
    return e + across / 2 + k * cross(t, across);
}

Real steeringAngle(const JointGeometry& at) {
    return arcTangent2(dot(at.axesB.row1, at.axesA.row2), dot(at.axesB.row1, at.axesA.row1));
}

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

Spring springOf(const JointRow& row, Real h) {
    if (!(row.softness > 0))
        return {};
    return toSpring({row.rate * h, row.softness}, h);
}

}  // namespace sunder::dynamics
