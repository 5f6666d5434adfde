#include "dynamics/contact/soft_contact.h"
#include <cstdlib>
#include <cstdio>

namespace sunder::dynamics {

namespace {

// The response of a body to an impulse along `direction` at `arm`, felt along `along` there.
Real response(const SolverBody& body, const Vec3& armCrossDirection, const Vec3& direction, const Vec3& armCrossAlong,
              const Vec3& along) {
    return dot(multiply(body.inverseMass, direction), along) + dot(body.inverseInertia * armCrossDirection, armCrossAlong);
}

void applyPair(SolverBody& a, SolverBody& b, const ConstraintPoint& point, const Vec3& impulse) {
    applyImpulse(a, -impulse, point.armA);
    applyImpulse(b, impulse, point.armB);
}

Vec3 relativeVelocity(const SolverBody& a, const SolverBody& b, const ConstraintPoint& point) {
    return velocityAt(b, point.armB) - velocityAt(a, point.armA);
}

// Coulomb's cone in its two-dimensional form: no direction in the plane is preferred.
void solveFriction(const ContactConstraint& constraint, ConstraintPoint& point, SolverBody& a, SolverBody& b) {
    const Vec3 slip = relativeVelocity(a, b, point) - constraint.surfaceVelocity;
    const Real slip1 = dot(slip, constraint.tangent1), slip2 = dot(slip, constraint.tangent2);
    Real impulse1 = point.tangentImpulse1 - (point.tangentMass11 * slip1 + point.tangentMass12 * slip2);
    Real impulse2 = point.tangentImpulse2 - (point.tangentMass12 * slip1 + point.tangentMass22 * slip2);
    const Real limit = constraint.friction * point.normalImpulse;
    const Real squared = impulse1 * impulse1 + impulse2 * impulse2;
    if (squared > limit * limit) {
        const Real scale = limit / std::sqrt(squared);
        impulse1 *= scale;
        impulse2 *= scale;
    }
    const Vec3 change = constraint.tangent1 * (impulse1 - point.tangentImpulse1) + constraint.tangent2 * (impulse2 - point.tangentImpulse2);
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
    const auto inverseResponse = [&](const Vec3& axis) {
        const Real k = dot(a.inverseInertia * axis + b.inverseInertia * axis, axis);
        return k > 0 ? 1 / k : Real(0);
    };
    if (constraint.spinningFriction > 0) {
        const Real spin = dot(b.angularVelocity - a.angularVelocity, constraint.normal);
        const Real limit = constraint.spinningFriction * load;
        const Real impulse = clamp(constraint.spinningImpulse - inverseResponse(constraint.normal) * spin, -limit, limit);
        apply(constraint.normal, impulse - constraint.spinningImpulse);
        constraint.spinningImpulse = impulse;
    }
    if (constraint.rollingFriction > 0) {
        const Vec3 rolling = b.angularVelocity - a.angularVelocity;
        Real impulse1 = constraint.rollingImpulse1 - inverseResponse(constraint.tangent1) * dot(rolling, constraint.tangent1);
        Real impulse2 = constraint.rollingImpulse2 - inverseResponse(constraint.tangent2) * dot(rolling, constraint.tangent2);
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

static const bool RF = getenv("RF");
static const int INN = getenv("INN") ? atoi(getenv("INN")) : 1;
static const bool FF = getenv("FF") ? atoi(getenv("FF")) : false;
void solveAllFriction(ContactConstraint& constraint, SolverBody& a, SolverBody& b, bool reverse = false) {
    for (int i = 0; i < constraint.count; ++i)
        solveFriction(constraint, constraint.points[reverse ? constraint.count - 1 - i : i], a, b);
    if (constraint.rollingFriction > 0 || constraint.spinningFriction > 0)
        solveRotationalFriction(constraint, a, b);
}

void solveNormal(const ContactConstraint& constraint, ConstraintPoint& point, SolverBody& a, SolverBody& b, Real targetVelocity,
                 Real massScale, Real impulseScale) {
    const Real normalVelocity = dot(relativeVelocity(a, b, point), constraint.normal);
    const Real wanted = point.normalImpulse - point.normalMass * massScale * (normalVelocity - targetVelocity) - impulseScale * point.normalImpulse;
    const Real impulse = max(wanted, 0);
    applyPair(a, b, point, constraint.normal * (impulse - point.normalImpulse));
    point.normalImpulse = impulse;
}

}  // namespace

Softness makeSoftness(Real frequency, Real dampingRatio, Real h) {
    // x'' + 2 zeta omega x' + omega^2 x = 0 by an implicit Euler step.
    const Real omega = 2 * kPi * frequency;
    const Real a1 = 2 * dampingRatio + h * omega;
    const Real a2 = h * omega * a1;
    return {omega / a1, a2 / (1 + a2), 1 / (1 + a2)};
}

void updateGeometry(ContactConstraint& constraint, std::span<const SolverBody> bodies) {
    const SolverBody& a = bodies[constraint.bodyA];
    const SolverBody& b = bodies[constraint.bodyB];
    const Vec3 offset = constraint.centerOffset + b.displacement - a.displacement;
    const Vec3 &n = constraint.normal, &t1 = constraint.tangent1, &t2 = constraint.tangent2;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        const Vec3 surfaceA = rotate(a.orientation, point.anchorA);
        const Vec3 surfaceB = rotate(b.orientation, point.anchorB);
        const Vec3 gap = offset + surfaceB - surfaceA;
        point.separation = dot(gap, n);
        point.pushImpulse = 0;
        point.armA = surfaceA + gap * Real(0.5);
        point.armB = surfaceB - gap * Real(0.5);
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
    }
}

void warmStart(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings&) {
    static const bool NR = getenv("ITR") && atoi(getenv("ITR"))==0;
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        if (!NR) { point.normalImpulse = point.wn; point.tangentImpulse1 = point.w1; point.tangentImpulse2 = point.w2; } else {point.wn=point.normalImpulse; point.w1=point.tangentImpulse1; point.w2=point.tangentImpulse2;}
        applyPair(a, b, point,
                  constraint.normal * point.normalImpulse + constraint.tangent1 * point.tangentImpulse1 +
                      constraint.tangent2 * point.tangentImpulse2);
    }
    const Vec3 angular = constraint.normal * constraint.spinningImpulse + constraint.tangent1 * constraint.rollingImpulse1 +
                         constraint.tangent2 * constraint.rollingImpulse2;
    a.angularVelocity -= a.inverseInertia * angular;
    b.angularVelocity += b.inverseInertia * angular;
}

void solve(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings) {
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    const bool fixed = constraint.bodyA == kFixedBody || constraint.bodyB == kFixedBody;
    const Softness& soft = fixed ? settings.fixedSoftness : settings.dynamicSoftness;
    static const Real C = getenv("C") ? atof(getenv("C")) : 1;
    static const Real S0 = getenv("S0") ? atof(getenv("S0")) : 0;
    for (int inner=0; inner<INN; ++inner) {
    if (FF) solveAllFriction(constraint, a, b);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        if (point.separation > 0)  // may close the gap, no faster
            solveNormal(constraint, point, a, b, -(max(point.separation-S0,0)+C*min(point.separation,S0)) / settings.h, 1, 0);
        else
            {
            static const Real BR = getenv("BR") ? atof(getenv("BR")) : 0;
            static const Real BR2 = getenv("BR2") ? atof(getenv("BR2")) : BR;
            static const Real D0 = getenv("D0") ? atof(getenv("D0")) : 0.001;
            static const Real LK = getenv("LK") ? atof(getenv("LK")) : 0;
            const Real d = -point.separation;
            if (BR > 0) solveNormal(constraint, point, a, b, min(BR * min(d, D0) + BR2 * max(d - D0, 0), settings.recoverySpeed), 1-LK, LK);
            else
            solveNormal(constraint, point, a, b, min(-soft.biasRate * point.separation, settings.recoverySpeed), soft.massScale,
                        soft.impulseScale);
            }
    }
    if (!FF) solveAllFriction(constraint, a, b);
    }
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
        const Real normalVelocity = dot(relativeVelocity(a, b, point), constraint.normal);
        static const Real C = getenv("C") ? atof(getenv("C")) : 1;
        static const Real S0 = getenv("S0") ? atof(getenv("S0")) : 0;
        const Real gap = max(point.separation-S0, 0)+C*clamp(point.separation,0,S0);
        const bool hits = gap + settings.h * (normalVelocity + settings.h * acceleration) < 0;
        if (!hits || normalVelocity > -settings.restitutionThreshold)
            continue;
        // The speed at the moment of touching, not at the start of the substep: v^2 grows by 2 a s on the way.
        const Real impactSquared = normalVelocity * normalVelocity - 2 * acceleration * gap;
        point.bounceVelocity = constraint.restitution * std::sqrt(max(impactSquared, 0));
    }
}

void relax(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings) {
    static const Real C = getenv("C") ? atof(getenv("C")) : 1;
    static const Real S0 = getenv("S0") ? atof(getenv("S0")) : 0;
    static const Real AL = getenv("AL") ? atof(getenv("AL")) : 1;
    static const Real AF = getenv("AF") ? atof(getenv("AF")) : 1;
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    for (int inner=0; inner<INN; ++inner) {
    if (FF) solveAllFriction(constraint, a, b, RF);
    static const bool RP = getenv("RP");
    for (int ii = 0; ii < constraint.count; ++ii) {
        const int i = RP ? constraint.count - 1 - ii : ii;
        ConstraintPoint& point = constraint.points[i];
        if (point.separation > 0 && point.normalImpulse == 0)
            continue;
        const Real target = point.bounceVelocity > 0 ? point.bounceVelocity : -(max(point.separation-S0,0)+C*clamp(point.separation,0,S0)) / settings.h;
        solveNormal(constraint, point, a, b, target, 1, 0);
    }
    if (!FF) solveAllFriction(constraint, a, b, RF);
    }
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        point.totalNormalImpulse += point.normalImpulse;
        point.totalTangentImpulse1 += point.tangentImpulse1;
        point.totalTangentImpulse2 += point.tangentImpulse2;
        point.wn += AL * (point.normalImpulse - point.wn);
        point.w1 += AF * (point.tangentImpulse1 - point.w1);
        point.w2 += AF * (point.tangentImpulse2 - point.w2);
        if (point.bounceVelocity > 0) point.wn = point.w1 = point.w2 = 0;
        if (point.bounceVelocity > 0)  // a blow is no guess for the load of the next substep
            point.normalImpulse = point.tangentImpulse1 = point.tangentImpulse2 = 0;
    }
}

}  // namespace sunder::dynamics
