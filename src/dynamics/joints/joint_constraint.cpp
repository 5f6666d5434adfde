#include "dynamics/joints/joint_constraint.h"

#include "dynamics/joints/dense_solve.h"
#include "dynamics/joints/parts.h"
#include "math/trigonometry.h"

namespace sunder::dynamics {

namespace {

void addBall(const PartContext& part) {
    holdPoint(part);
    angularFriction(part);
}

void addHinge(const PartContext& part) {
    holdPoint(part);
    alignAxis(part, 0);
    const FreeDirection turn = aboutDirection(part.at.axesA.row0, hingeAngle(part));
    if (part.joint.spec.hasLimits)
        limit(part, turn, part.joint.spec.limits, kLimitSlot);
    spring(part, turn);
    motor(part, turn);
    friction(part, turn, kFrictionSlot);
}

void addSlider(const PartContext& part) {
    for (int axis = 1; axis < 3; ++axis) {
        const FreeDirection across = alongAxis(part, axis);
        hold(part, across, across.position, 0, kLinearSlot + axis);
    }
    holdTurn(part);
    const FreeDirection along = alongAxis(part, 0);
    if (part.joint.spec.hasLimits)
        limit(part, along, part.joint.spec.limits, kLimitSlot);
    spring(part, along);
    motor(part, along);
    friction(part, along, kFrictionSlot);
}

void addFixed(const PartContext& part) {
    holdPoint(part);
    holdTurn(part);
}

void addDistance(const PartContext& part) {
    const JointSpec& spec = part.joint.spec;
    const FreeDirection along = betweenAnchors(part);
    const bool held = !spec.hasLimits && !spec.hasSpring() && !(spec.motorStrength > 0);
    if (held) {
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
    angularFriction(part);
}

void addSixDof(const PartContext& part) {
    const JointSpec& spec = part.joint.spec;
    for (int axis = 0; axis < 3; ++axis)
        if (!(spec.freeAxes >> axis & 1))
            limit(part, alongAxis(part, axis), {component(spec.linearLow, axis), component(spec.linearHigh, axis)},
                  kLinearSlot + axis);
    limitTurn(part);
}

void addWheel(const PartContext& part) {
    for (int axis = 1; axis < 3; ++axis) {
        const FreeDirection across = alongAxis(part, axis);
        hold(part, across, across.position, 0, kLinearSlot + axis);
    }
    alignAxis(part, 1);
    const FreeDirection along = alongAxis(part, 0);
    if (part.joint.spec.hasLimits)
        limit(part, along, part.joint.spec.limits, kLimitSlot);
    spring(part, along);
    const FreeDirection spin = aboutDirection(part.at.axesA.row1, 0);
    motor(part, spin);
    friction(part, spin, kFrictionSlot);
}

void applyWrench(const Vec3& linear, const Vec3& angularA, const Vec3& angularB, SolverBody& a, SolverBody& b) {
    if (canMove(a)) {
        a.velocity -= multiply(a.inverseMass, linear);
        a.angularVelocity -= a.inverseInertia * angularA;
    }
    if (canMove(b)) {
        b.velocity += multiply(b.inverseMass, linear);
        b.angularVelocity += b.inverseInertia * angularB;
    }
}

JointWrench wrenchOf(const JointConstraint& joint) {
    JointWrench wrench;
    for (int i = 0; i < joint.rowCount; ++i) {
        const JointRow& row = joint.rows[i];
        const Real impulse = joint.impulse[row.slot];
        wrench.linear += row.linear * impulse;
        wrench.angularA += row.angularA * impulse;
        wrench.angularB += row.angularB * impulse;
    }
    return wrench;
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
    constexpr Real kLockedShare = Real(1e-3);  // of what the bodies do along their free axes
    return dot(multiply(a.inverseMass + b.inverseMass, row.linear), row.linear) < kLockedShare * freeAnswer(row, a, b);
}

Real yieldToLocks(const JointRow& row, const SolverBody& a, const SolverBody& b) {
    constexpr Real kShare = Real(0.03);  // of what is missing
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
        case JointType::Distance: makeRows(joint, a, b, settings); return;
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

void refreshJoint(JointConstraint& joint, std::span<SolverBody> bodies, const JointSettings& settings) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    makeRows(joint, a, b, settings);
    const JointWrench now = wrenchOf(joint), &before = joint.given;
    applyWrench(now.linear - before.linear, now.angularA - before.angularA, now.angularB - before.angularB, a, b);
    joint.given = now;
}

void applyRow(const JointRow& row, Real change, SolverBody& a, SolverBody& b) {
    applyWrench(row.linear * change, row.angularA * change, row.angularB * change, a, b);
}

void solveBounded(JointConstraint& joint, std::span<SolverBody> bodies) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    for (int i = 0; i < joint.rowCount; ++i) {
        const JointRow& row = joint.rows[i];
        const Real k = responseOf(row, a, b);
        if (!row.bounded || !(k > 0))
            continue;
        Real& impulse = joint.impulse[row.slot];
        const Real softness = row.softness + (row.rigid ? yieldToLocks(row, a, b) : Real(0));
        const Real met = impulse - (velocityOf(row, a, b) + row.bias + softness * impulse) / (k + softness);
        const Real wanted = isLocked(row, a, b) ? Real(0) : met;
        const Real next = clamp(wanted, row.low, row.high);
        applyRow(row, next - impulse, a, b);
        impulse = next;
    }
}

// (K + Sigma) change = -(J v + bias + Sigma impulse), all rows of the joint at once; rigid rows then forget a share of their
// impulse, as contacts do (contact/soft_contact.h).
void solveHeld(JointConstraint& joint, std::span<SolverBody> bodies, const JointSettings& settings) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    JointRow* rows[kJointSlots];
    int count = 0;
    for (int i = 0; i < joint.rowCount; ++i)
        if (!joint.rows[i].bounded)
            rows[count++] = &joint.rows[i];
    double matrix[kJointSlots * kJointSlots], x[kJointSlots];
    for (int i = 0; i < count; ++i) {
        const JointRow& row = *rows[i];
        const Vec3 linear = multiply(a.inverseMass + b.inverseMass, row.linear);
        const Vec3 angularA = a.inverseInertia * row.angularA, angularB = b.inverseInertia * row.angularB;
        for (int j = 0; j <= i; ++j)
            matrix[i * kJointSlots + j] = double(dot(linear, rows[j]->linear)) + double(dot(angularA, rows[j]->angularA)) +
                                          double(dot(angularB, rows[j]->angularB));
        matrix[i * kJointSlots + i] += double(row.softness);
        x[i] = -(double(velocityOf(row, a, b)) + row.bias + double(row.softness) * joint.impulse[row.slot]);
    }
    constexpr double kLeastPivot = 1e-6;  // of sums of floats
    choleskyFactor(matrix, count, kJointSlots, kLeastPivot);
    choleskySolve(matrix, x, count, kJointSlots);
    for (int i = 0; i < count; ++i) {
        Real& impulse = joint.impulse[rows[i]->slot];
        const Real next = (impulse + Real(x[i])) * (rows[i]->rigid ? settings.kept : Real(1));
        applyRow(*rows[i], next - impulse, a, b);
        impulse = next;
    }
}

void finishSubstep(JointConstraint& joint) {
    joint.given = wrenchOf(joint);
    joint.totalForce += joint.given.linear;
    joint.totalTorque += joint.given.angularB - cross(joint.armB, joint.given.linear);
    // What has no row now is forgotten.
    JointImpulses kept{};
    for (int i = 0; i < joint.rowCount; ++i)
        kept[joint.rows[i].slot] = joint.impulse[joint.rows[i].slot];
    joint.impulse = kept;
}

}  // namespace sunder::dynamics
