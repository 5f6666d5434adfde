#include "dynamics/contact/soft_contact.h"

#include "dynamics/contact/bounce_clamp.h"

namespace sunder::dynamics {

namespace {

// Steps for which a new manifold is swept twice per pass: it has no impulses to start from yet, and one sweep from nothing
// favours the point that comes first.
constexpr int kYoung = 10;

// The response of a body to an impulse along `direction` at an arm, felt along `along` there.
Real response(const SolverBody& body, const Vec3& armCrossDirection, const Vec3& direction, const Vec3& armCrossAlong,
              const Vec3& along) {
    return dot(multiply(body.inverseMass, direction), along) + dot(body.inverseInertia * armCrossDirection, armCrossAlong);
}

// The arm to a surface point now.
Vec3 surfaceArm(const SolverBody& body, const AnchorFrame& frame, const Vec3& anchor) {
    switch (frame.motion) {
        case AnchorMotion::Turns: return rotate(body.orientation, anchor);
        case AnchorMotion::Stays: return anchor;
        case AnchorMotion::Swings: break;
    }
    // The shortest turn that takes the old axis to the new one.
    const Vec3 axis = rotate(body.orientation, frame.axis), c = cross(frame.startAxis, axis);
    const Real d = dot(frame.startAxis, axis);
    return d > Real(-0.9) ? anchor * d + cross(c, anchor) + c * (dot(c, anchor) / (1 + d)) : anchor;
}

void applyPair(SolverBody& a, SolverBody& b, const ConstraintPoint& point, const Vec3& impulse) {
    applyImpulse(a, -impulse, point.armA);
    applyImpulse(b, impulse, point.armB);
}

void updateMasses(ConstraintPoint& point, const ContactConstraint& constraint, const SolverBody& a, const SolverBody& b) {
    const Vec3 &n = constraint.normal, &t1 = constraint.tangent1, &t2 = constraint.tangent2;
    const Vec3 an = cross(point.armA, n), bn = cross(point.armB, n);
    point.normalMass = 1 / (response(a, an, n, an, n) + response(b, bn, n, bn, n));
    const Vec3 a1 = cross(point.armA, t1), b1 = cross(point.armB, t1);
    const Vec3 a2 = cross(point.armA, t2), b2 = cross(point.armB, t2);
    const Real k11 = response(a, a1, t1, a1, t1) + response(b, b1, t1, b1, t1);
    const Real k12 = response(a, a1, t1, a2, t2) + response(b, b1, t1, b2, t2);
    const Real k22 = response(a, a2, t2, a2, t2) + response(b, b2, t2, b2, t2);
    const Real determinant = k11 * k22 - k12 * k12;
    const Real inverse = determinant > 0 ? 1 / determinant : 0;
    point.tangentMass11 = k22 * inverse;
    point.tangentMass12 = -k12 * inverse;
    point.tangentMass22 = k11 * inverse;
    point.slidingMass = k11 + k22 > 0 ? 2 / (k11 + k22) : Real(0);
}

void solveNormal(const ContactConstraint& constraint, ConstraintPoint& point, SolverBody& a, SolverBody& b, Real targetVelocity,
                 Real leak) {
    const Real normalVelocity = dot(relativeVelocity(a, b, point), constraint.normal);
    const Real wanted = (1 - leak) * (point.normalImpulse - point.normalMass * (normalVelocity - targetVelocity));
    const Real impulse = max(wanted, 0);
    applyPair(a, b, point, constraint.normal * (impulse - point.normalImpulse));
    point.normalImpulse = impulse;
}

// Coulomb's cone in its two-dimensional form: no direction in the plane is preferred.
void solveFriction(const ContactConstraint& constraint, ConstraintPoint& point, SolverBody& a, SolverBody& b) {
    const Vec3 slip = relativeVelocity(a, b, point) - constraint.surfaceVelocity;
    const Real slip1 = dot(slip, constraint.tangent1), slip2 = dot(slip, constraint.tangent2);
    Real impulse1 = point.tangentImpulse1 - (point.tangentMass11 * slip1 + point.tangentMass12 * slip2);
    Real impulse2 = point.tangentImpulse2 - (point.tangentMass12 * slip1 + point.tangentMass22 * slip2);
    const Real limit = constraint.friction * point.normalImpulse;
    if (impulse1 * impulse1 + impulse2 * impulse2 > limit * limit) {
        // It slides: friction must oppose the slip itself, and the matrix would turn it aside.
        impulse1 = point.tangentImpulse1 - point.slidingMass * slip1;
        impulse2 = point.tangentImpulse2 - point.slidingMass * slip2;
        const Real squared = impulse1 * impulse1 + impulse2 * impulse2;
        const Real scale = squared > limit * limit ? limit / std::sqrt(squared) : Real(1);
        impulse1 *= scale;
        impulse2 *= scale;
    }
    const Vec3 change =
        constraint.tangent1 * (impulse1 - point.tangentImpulse1) + constraint.tangent2 * (impulse2 - point.tangentImpulse2);
    point.tangentImpulse1 = impulse1;
    point.tangentImpulse2 = impulse2;
    applyPair(a, b, point, change);
}

// Torques against rolling and spinning, limited by the load times a length.
void solveRotationalFriction(ContactConstraint& constraint, SolverBody& a, SolverBody& b) {
    Real load = 0;
    for (int i = 0; i < constraint.count; ++i)
        load += constraint.points[i].normalImpulse;
    const auto apply = [&](const Vec3& axis, Real change) {
        a.angularVelocity -= a.inverseInertia * (axis * change);
        b.angularVelocity += b.inverseInertia * (axis * change);
    };
    const auto angularMass = [&](const Vec3& axis) {
        const Real k = dot(a.inverseInertia * axis + b.inverseInertia * axis, axis);
        return k > 0 ? 1 / k : Real(0);
    };
    if (constraint.spinningFriction > 0) {
        const Real spin = dot(b.angularVelocity - a.angularVelocity, constraint.normal);
        const Real limit = constraint.spinningFriction * load;
        const Real impulse = clamp(constraint.spinningImpulse - angularMass(constraint.normal) * spin, -limit, limit);
        apply(constraint.normal, impulse - constraint.spinningImpulse);
        constraint.spinningImpulse = impulse;
    }
    if (constraint.rollingFriction > 0) {
        const Vec3 rolling = b.angularVelocity - a.angularVelocity;
        Real impulse1 = constraint.rollingImpulse1 - angularMass(constraint.tangent1) * dot(rolling, constraint.tangent1);
        Real impulse2 = constraint.rollingImpulse2 - angularMass(constraint.tangent2) * dot(rolling, constraint.tangent2);
        const Real limit = constraint.rollingFriction * load;
        const Real size = std::sqrt(impulse1 * impulse1 + impulse2 * impulse2);
        if (size > limit) {
            impulse1 *= limit / size;
            impulse2 *= limit / size;
        }
        apply(constraint.tangent1, impulse1 - constraint.rollingImpulse1);
        apply(constraint.tangent2, impulse2 - constraint.rollingImpulse2);
        constraint.rollingImpulse1 = impulse1;
        constraint.rollingImpulse2 = impulse2;
    }
}

enum class PointOrder { Forward, Backward };

ConstraintPoint& pointAt(ContactConstraint& constraint, int i, PointOrder order) {
    return constraint.points[order == PointOrder::Forward ? i : constraint.count - 1 - i];
}

void solveAllFriction(ContactConstraint& constraint, SolverBody& a, SolverBody& b, PointOrder order) {
    for (int i = 0; i < constraint.count; ++i)
        solveFriction(constraint, pointAt(constraint, i, order), a, b);
    if (constraint.rollingFriction > 0 || constraint.spinningFriction > 0)
        solveRotationalFriction(constraint, a, b);
}

void pushApart(ContactConstraint& constraint, SolverBody& a, SolverBody& b, const ContactSettings& settings, PointOrder order,
               Real leak) {
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = pointAt(constraint, i, order);
        if (point.separation > kTouchingGap)
            solveNormal(constraint, point, a, b, -allowedApproach(point.separation, settings), 0);
        else
            solveNormal(constraint, point, a, b, min(-settings.recoveryRate * point.separation, settings.recoverySpeed), leak);
    }
    solveAllFriction(constraint, a, b, order);
}

}  // namespace

Real allowedApproach(Real gap, const ContactSettings& settings) {
    return max(gap - kTouchingGap, 0) / settings.h + settings.recoveryRate * clamp(gap, 0, kTouchingGap);
}

void updateGeometry(ContactConstraint& constraint, std::span<const SolverBody> bodies, Real h) {
    const SolverBody& a = bodies[constraint.bodyA];
    const SolverBody& b = bodies[constraint.bodyB];
    const Vec3 offset = constraint.centerOffset + b.displacement - a.displacement;
    const Real speed = length(b.velocity - a.velocity);
    constraint.active = false;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        const Vec3 surfaceA = surfaceArm(a, constraint.frameA, point.anchorA);
        const Vec3 surfaceB = surfaceArm(b, constraint.frameB, point.anchorB);
        const Vec3 gap = offset + surfaceB - surfaceA;
        point.separation = dot(gap, constraint.normal);
        point.armA = surfaceA + gap * constraint.pointOnB;
        point.armB = surfaceB - gap * (1 - constraint.pointOnB);
        constraint.active = constraint.active || point.normalImpulse > 0 || point.separation < kTouchingGap;
        if (!constraint.active) {
            // Twice what the gap can close in a substep: others may push the bodies on the way.
            const Real turning = length(cross(a.angularVelocity, point.armA)) + length(cross(b.angularVelocity, point.armB));
            constraint.active = point.separation < 2 * h * (speed + turning) + kTouchingGap;
        }
    }
    if (!constraint.active)
        return;
    for (int i = 0; i < constraint.count; ++i)
        updateMasses(constraint.points[i], constraint, a, b);
}

void warmStart(ContactConstraint& constraint, std::span<SolverBody> bodies) {
    if (!constraint.active)
        return;
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& point = constraint.points[i];
        applyPair(a, b, point, impulseOf(constraint, point));
    }
    const Vec3 angular = constraint.normal * constraint.spinningImpulse + constraint.tangent1 * constraint.rollingImpulse1 +
                         constraint.tangent2 * constraint.rollingImpulse2;
    a.angularVelocity -= a.inverseInertia * angular;
    b.angularVelocity += b.inverseInertia * angular;
}

void solve(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings) {
    if (!constraint.active)
        return;
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    const Real leak = settings.leakRate * settings.h;
    const bool isYoung = constraint.age < kYoung;
    if (isYoung)
        pushApart(constraint, a, b, settings, PointOrder::Forward, 0);
    pushApart(constraint, a, b, settings, isYoung ? PointOrder::Backward : PointOrder::Forward, leak);
}

void prepareRestitution(ContactConstraint& constraint, std::span<const SolverBody> bodies,
                        std::span<const SolverBodyConstants> constants, const ContactSettings& settings) {
    const SolverBody& a = bodies[constraint.bodyA];
    const SolverBody& b = bodies[constraint.bodyB];
    const Vec3 relativeAcceleration = constants[constraint.bodyB].acceleration - constants[constraint.bodyA].acceleration;
    const Real acceleration = dot(relativeAcceleration, constraint.normal);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        point.bounceVelocity = 0;
        if (!constraint.active)
            continue;
        const Real normalVelocity = dot(relativeVelocity(a, b, point), constraint.normal);
        const bool hits = normalVelocity + settings.h * acceleration < -allowedApproach(point.separation, settings);
        if (!hits || normalVelocity > -settings.restitutionThreshold)
            continue;
        // The speed at the moment of touching, not at the start of the substep: v^2 grows by 2 a s on the way.
        const Real impactSquared = normalVelocity * normalVelocity - 2 * acceleration * max(point.separation, 0);
        point.bounceVelocity = constraint.restitution * std::sqrt(max(impactSquared, 0));
    }
}

void relax(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings) {
    if (!constraint.active)
        return;
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = pointAt(constraint, i, PointOrder::Backward);
        // A gap that nothing has closed yet is the next substep's: to brake for it now would hide the impact.
        if (point.separation > 0 && point.normalImpulse == 0)
            continue;
        const Real target = point.bounceVelocity > 0 ? point.bounceVelocity : -allowedApproach(point.separation, settings);
        solveNormal(constraint, point, a, b, target, 0);
    }
    solveAllFriction(constraint, a, b, PointOrder::Forward);
    finishSubstep(constraint, bodies, settings);
}

void finishSubstep(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings) {
    if (settings.clampEnergy && constraint.restitution > 0)
        clampBounce(constraint, bodies[constraint.bodyA], bodies[constraint.bodyB]);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        point.totalNormalImpulse += point.normalImpulse;
        point.totalTangentImpulse1 += point.tangentImpulse1;
        point.totalTangentImpulse2 += point.tangentImpulse2;
        if (point.bounceVelocity > 0)  // a blow is no guess for the load of the next substep
            point.normalImpulse = point.tangentImpulse1 = point.tangentImpulse2 = 0;
    }
}

}  // namespace sunder::dynamics
