#include "dynamics/contact/soft_contact.h"

#include <algorithm>

#include "dynamics/contact/bounce_clamp.h"

namespace sunder::dynamics {

namespace {

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

// What a body feels along `along` of a unit impulse along `direction`, both at the arm.
Real response(const SolverBody& body, const Vec3& armCrossDirection, const Vec3& direction, const Vec3& armCrossAlong,
              const Vec3& along) {
    return dot(multiply(body.inverseMass, direction), along) + dot(body.inverseInertia * armCrossDirection, armCrossAlong);
}

Real leastResponse(const SolverBody& a, const SolverBody& b, const Vec3& armA, const Vec3& armB) {
    const Real linear = max(max(a.inverseMass.x, a.inverseMass.y), a.inverseMass.z) +
                        max(max(b.inverseMass.x, b.inverseMass.y), b.inverseMass.z);
    if (linear > 0)
        return kLeastAnswer * linear;
    const Sym3 &i = a.inverseInertia, &j = b.inverseInertia;
    return kLeastAnswer * ((i.xx + i.yy + i.zz) * lengthSquared(armA) + (j.xx + j.yy + j.zz) * lengthSquared(armB));
}

void applyPair(SolverBody& a, SolverBody& b, const ConstraintPoint& point, const Vec3& impulse) {
    a.velocity -= multiply(a.inverseMass, impulse);
    a.angularVelocity -= a.inverseInertia * cross(point.armA, impulse);
    b.velocity += multiply(b.inverseMass, impulse);
    b.angularVelocity += b.inverseInertia * cross(point.armB, impulse);
}

void solveNormal(const ContactConstraint& constraint, ConstraintPoint& point, SolverBody& a, SolverBody& b, Real targetVelocity,
                 Real share, Real kept) {
    const Vec3& n = constraint.normal;
    const Vec3 leverA = cross(point.armA, n), leverB = cross(point.armB, n);
    const Real velocity = dot(b.velocity - a.velocity, n) + dot(b.angularVelocity, leverB) - dot(a.angularVelocity, leverA);
    const Real error = velocity - targetVelocity;
    const Real part = std::fabs(error) < kGentle ? share : Real(1);
    const Real impulse = max(kept * (point.normalImpulse - part * point.normalMass * error), 0);
    const Real change = impulse - point.normalImpulse;
    a.velocity -= multiply(a.inverseMass, n) * change;
    a.angularVelocity -= (a.inverseInertia * leverA) * change;
    b.velocity += multiply(b.inverseMass, n) * change;
    b.angularVelocity += (b.inverseInertia * leverB) * change;
    point.normalImpulse = impulse;
}

// Coulomb's cone in its two-dimensional form: no direction in the plane is preferred.
void solveFriction(const ContactConstraint& constraint, ConstraintPoint& point, SolverBody& a, SolverBody& b) {
    const Vec3 slip = relativeVelocity(a, b, point) - constraint.surfaceVelocity;
    const Real slip1 = dot(slip, constraint.tangent1), slip2 = dot(slip, constraint.tangent2);
    Real impulse1 = point.tangentImpulse1 - (point.tangentMass11 * slip1 + point.tangentMass12 * slip2);
    Real impulse2 = point.tangentImpulse2 - (point.tangentMass12 * slip1 + point.tangentMass22 * slip2);
    const Real limit = constraint.friction * point.normalImpulse;
    if (!(limit > 0)) {
        impulse1 = impulse2 = 0;
    } else if (impulse1 * impulse1 + impulse2 * impulse2 > limit * limit) {
        // It slides: friction must oppose the slip itself, and the matrix would turn it aside.
        impulse1 = point.tangentImpulse1 - point.slidingMass * slip1;
        impulse2 = point.tangentImpulse2 - point.slidingMass * slip2;
        const Real squared = impulse1 * impulse1 + impulse2 * impulse2;
        const Real scale = squared > limit * limit ? limit / std::sqrt(squared) : Real(1);
        impulse1 = impulse1 * scale;
        impulse2 = impulse2 * scale;
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
        a.angularVelocity -= (a.inverseInertia * axis) * change;
        b.angularVelocity += (b.inverseInertia * axis) * change;
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

ConstraintPoint& pointAt(ContactConstraint& constraint, int i, PointOrder order) {
    return constraint.points[order == PointOrder::Forward ? i : constraint.count - 1 - i];
}

bool isActive(const ContactConstraint& constraint, const ConstraintPoint& point) {
    return (constraint.activePoints >> (&point - constraint.points) & 1) != 0;
}

void solveAllFriction(ContactConstraint& constraint, SolverBody& a, SolverBody& b, PointOrder order) {
    for (int i = 0; i < constraint.count; ++i)
        if (ConstraintPoint& point = pointAt(constraint, i, order); isActive(constraint, point))
            solveFriction(constraint, point, a, b);
    if (constraint.rollingFriction > 0 || constraint.spinningFriction > 0)
        solveRotationalFriction(constraint, a, b);
}

void sweep(ContactConstraint& constraint, SolverBody& a, SolverBody& b, const ContactSettings& settings, PointOrder order,
           Real keptUnderLoad) {
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = pointAt(constraint, i, order);
        if (!isActive(constraint, point))
            continue;
        const bool touches = point.separation <= kTouchingGap;
        const Real target = touches ? min(-settings.recoveryRate * point.separation, settings.recoverySpeed)
                                    : -allowedApproach(point.separation, settings);
        solveNormal(constraint, point, a, b, target, touches ? settings.gentleShare : Real(1),
                    touches ? keptUnderLoad : Real(1));
    }
    solveAllFriction(constraint, a, b, order);
}

// Leaves of each impulse what may be a load, and counts the rest among what the bodies do freely.
void forgetBlows(ContactConstraint& constraint, SolverBody& a, SolverBody& b, const Real* before) {
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        const Real load = kBlow * before[i] + point.normalMass * kGentle;
        if (!isActive(constraint, point) || !(point.normalImpulse > load))
            continue;
        const Real share = load / point.normalImpulse;
        const Vec3 blow = impulseOf(constraint, point) * (1 - share);
        point.normalImpulse = point.normalImpulse * share;
        point.tangentImpulse1 = point.tangentImpulse1 * share;
        point.tangentImpulse2 = point.tangentImpulse2 * share;
        a.freeVelocity -= multiply(a.inverseMass, blow);
        a.freeAngularVelocity -= a.inverseInertia * cross(point.armA, blow);
        b.freeVelocity += multiply(b.inverseMass, blow);
        b.freeAngularVelocity += b.inverseInertia * cross(point.armB, blow);
    }
}

// What a manifold has given its bodies: to B, and taken from A.
struct Given {
    Vec3 linear, angularA, angularB;
};

void addAtArms(Given& given, const ConstraintPoint& point, const Vec3& impulse) {
    given.linear += impulse;
    given.angularA += cross(point.armA, impulse);
    given.angularB += cross(point.armB, impulse);
}

}  // namespace

void updateGeometry(ContactConstraint& constraint, std::span<const SolverBody> bodies, Real h) {
    const SolverBody& a = bodies[constraint.bodyA];
    const SolverBody& b = bodies[constraint.bodyB];
    const Vec3 offset = constraint.centerOffset + (b.displacement - a.displacement);
    const Real speed = length(b.velocity - a.velocity);
    constraint.activePoints = 0;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        const Vec3 surfaceA = surfaceArm(a, constraint.frameA, point.anchorA);
        const Vec3 surfaceB = surfaceArm(b, constraint.frameB, point.anchorB);
        const Vec3 gap = offset + surfaceB - surfaceA;
        point.separation = dot(gap, constraint.normal);
        point.armA = surfaceA + gap * constraint.pointOnB;
        point.armB = point.armA - offset;
        // Twice what the gap can close in a substep: others may push the bodies on the way.
        const Real turning = length(cross(b.angularVelocity, point.armB) - cross(a.angularVelocity, point.armA));
        const bool isNear = point.separation < 2 * h * (speed + turning) + kTouchingGap;
        if (point.normalImpulse > 0 || isNear)
            constraint.activePoints = static_cast<std::uint8_t>(constraint.activePoints | 1 << i);
    }
}

void followArms(ContactConstraint& constraint, std::span<SolverBody> bodies, Real h) {
    Vec3 oldA[collision::kMaxManifoldPoints], oldB[collision::kMaxManifoldPoints];
    for (int i = 0; i < constraint.count; ++i) {
        oldA[i] = constraint.points[i].armA;
        oldB[i] = constraint.points[i].armB;
    }
    updateGeometry(constraint, bodies, h);
    Vec3 turnA, turnB;
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& point = constraint.points[i];
        const Vec3 impulse = impulseOf(constraint, point);
        turnA += cross(point.armA - oldA[i], impulse);
        turnB += cross(point.armB - oldB[i], impulse);
    }
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    a.angularVelocity -= a.inverseInertia * turnA;
    b.angularVelocity += b.inverseInertia * turnB;
}

void updateMasses(ContactConstraint& constraint, std::span<const SolverBody> bodies) {
    const SolverBody& a = bodies[constraint.bodyA];
    const SolverBody& b = bodies[constraint.bodyB];
    const Vec3 &n = constraint.normal, &t1 = constraint.tangent1, &t2 = constraint.tangent2;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        const Vec3 an = cross(point.armA, n), bn = cross(point.armB, n);
        const Real k = response(a, an, n, an, n) + response(b, bn, n, bn, n);
        point.normalMass = k > leastResponse(a, b, point.armA, point.armB) ? 1 / k : Real(0);
        const Vec3 a1 = cross(point.armA, t1), b1 = cross(point.armB, t1);
        const Vec3 a2 = cross(point.armA, t2), b2 = cross(point.armB, t2);
        const Real k11 = response(a, a1, t1, a1, t1) + response(b, b1, t1, b1, t1);
        const Real k12 = response(a, a1, t1, a2, t2) + response(b, b1, t1, b2, t2);
        const Real k22 = response(a, a2, t2, a2, t2) + response(b, b2, t2, b2, t2);
        const Real determinant = k11 * k22 - k12 * k12;
        const Real inverse = determinant > 0 ? 1 / determinant : 0;
        point.tangentMass11 = k22 * inverse;
        point.tangentMass12 = -(k12 * inverse);
        point.tangentMass22 = k11 * inverse;
        point.slidingMass = k11 + k22 > 0 ? 2 / (k11 + k22) : Real(0);
    }
}

void warmStart(const ContactConstraint& constraint, std::span<SolverBody> bodies) {
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    for (int i = 0; i < constraint.count; ++i)
        applyPair(a, b, constraint.points[i], impulseOf(constraint, constraint.points[i]));
    const Vec3 angular = constraint.normal * constraint.spinningImpulse + constraint.tangent1 * constraint.rollingImpulse1 +
                         constraint.tangent2 * constraint.rollingImpulse2;
    a.angularVelocity -= a.inverseInertia * angular;
    b.angularVelocity += b.inverseInertia * angular;
}

void push(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings, PointOrder order) {
    followArms(constraint, bodies, settings.h);
    if (constraint.activePoints == 0)
        return;
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    const Real keptUnderLoad = 1 - settings.leakRate * settings.h;
    const bool isYoung = constraint.age < kYoung;
    Real before[collision::kMaxManifoldPoints];
    for (int i = 0; i < constraint.count; ++i)
        before[i] = constraint.points[i].normalImpulse;
    sweep(constraint, a, b, settings, order, isYoung ? Real(1) : keptUnderLoad);
    if (isYoung)
        sweep(constraint, a, b, settings, opposite(order), keptUnderLoad);
    sumImpulses(constraint);
    if (!constraint.bounces)  // those are forgotten by bounce
        forgetBlows(constraint, a, b, before);
}

void sortByLoad(ContactConstraint& constraint) {
    ConstraintPoint* idle = constraint.points;
    for (ConstraintPoint* point = idle; point < constraint.points + constraint.count; ++point)
        if (point->normalImpulse > 0) {
            std::rotate(idle, point, point + 1);
            ++idle;
        }
}

void sumImpulses(ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        point.totalNormalImpulse += point.normalImpulse;
        point.totalTangentImpulse1 += point.tangentImpulse1;
        point.totalTangentImpulse2 += point.tangentImpulse2;
    }
}

bool prepareBounce(ContactConstraint& constraint, std::span<const SolverBody> bodies,
                   std::span<const SolverBodyConstants> constants, const ContactSettings& settings) {
    const SolverBody& a = bodies[constraint.bodyA];
    const SolverBody& b = bodies[constraint.bodyB];
    const Vec3 relativeAcceleration = constants[constraint.bodyB].acceleration - constants[constraint.bodyA].acceleration;
    const Real acceleration = dot(relativeAcceleration, constraint.normal);
    bool bounces = false;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        point.bounceVelocity = 0;
        const Vec3 velocity = b.freeVelocity + cross(b.freeAngularVelocity, point.armB) - a.freeVelocity -
                              cross(a.freeAngularVelocity, point.armA);
        const Real later = dot(velocity, constraint.normal);            // at the end of the substep, if nothing acts
        const Real normalVelocity = later - settings.h * acceleration;  // now
        if (!(later < -allowedApproach(point.separation, settings)) || normalVelocity > -settings.restitutionThreshold)
            continue;
        // The speed at the moment of touching, not at the start of the substep: v^2 grows by 2 a s on the way.
        const Real impactSquared = normalVelocity * normalVelocity - 2 * acceleration * max(point.separation, 0);
        point.bounceVelocity = constraint.restitution * std::sqrt(max(impactSquared, 0));
        bounces = bounces || point.bounceVelocity > 0;
    }
    return bounces;
}

void bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings) {
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    Given given;
    Vec3 before[collision::kMaxManifoldPoints];
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        before[i] = impulseOf(constraint, point);
        addAtArms(given, point, before[i]);               // where they were when it was given
        point.totalNormalImpulse -= point.normalImpulse;  // to be summed again below
        point.totalTangentImpulse1 -= point.tangentImpulse1;
        point.totalTangentImpulse2 -= point.tangentImpulse2;
    }
    updateGeometry(constraint, bodies, settings.h);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = pointAt(constraint, i, PointOrder::Backward);
        // A gap that nothing has closed yet is the next substep's: to brake for it now would hide the impact.
        if (point.separation > 0 && point.normalImpulse == 0)
            continue;
        const Real target = point.bounceVelocity > 0 ? point.bounceVelocity : -allowedApproach(point.separation, settings);
        solveNormal(constraint, point, a, b, target, 1, 1);
    }
    solveAllFriction(constraint, a, b, PointOrder::Forward);
    if (settings.clampEnergy)
        clampBounce(constraint, a, b);
    sumImpulses(constraint);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        addAtArms(given, point, impulseOf(constraint, point) - before[i]);
        point.normalImpulse = point.tangentImpulse1 = point.tangentImpulse2 = 0;
    }
    const Vec3 turn = constraint.normal * constraint.spinningImpulse + constraint.tangent1 * constraint.rollingImpulse1 +
                      constraint.tangent2 * constraint.rollingImpulse2;
    constraint.spinningImpulse = constraint.rollingImpulse1 = constraint.rollingImpulse2 = 0;
    a.freeVelocity -= multiply(a.inverseMass, given.linear);
    a.freeAngularVelocity -= a.inverseInertia * (given.angularA + turn);
    b.freeVelocity += multiply(b.inverseMass, given.linear);
    b.freeAngularVelocity += b.inverseInertia * (given.angularB + turn);
}

}  // namespace sunder::dynamics
