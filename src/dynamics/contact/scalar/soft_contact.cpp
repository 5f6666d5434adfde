#include "dynamics/contact/scalar/soft_contact.h"

#include <algorithm>

#include "dynamics/contact/scalar/point_passes.h"

namespace sunder::dynamics {

namespace {

void sweep(ContactConstraint& constraint, const ContactFrame& frame, Screw& motion, Screw& given,
           const ContactSettings& settings, PointOrder order, Real keptUnderLoad) {
    Vec3 push;
    for (int k = 0; k < constraint.count; ++k) {
        const int i = indexAt(constraint, k, order);
        if (!isActive(constraint, i))
            continue;
        ConstraintPoint& point = constraint.points[i];
        const bool touches = point.separation <= kTouchingGap;
        const Real recoveryRate = constraint.isFirm ? settings.firmRecoveryRate : settings.recoveryRate;
        const Real target = touches ? repairSpeed(point.separation, constraint.isFirm, settings)
                                    : -allowedApproach(point.separation, recoveryRate, settings);
        solveNormal(point, frame, i, motion.along, push, target, touches ? settings.gentleShare : Real(1),
                    touches ? keptUnderLoad : Real(1));
    }
    given.along += push;
    motion.across += acrossOf(frame, push);
    solveAllFriction(constraint, frame, motion, given, order);
}

// Splits each impulse into a part that may be a steady load and the rest, a blow. Only the load is carried on to the next
// substep; the blow becomes part of the bodies' free motion.
void forgetBlows(ContactConstraint& constraint, const ContactFrame& frame, SolverBody& a, SolverBody& b, const Real* before,
                 const ContactSettings& settings) {
    Screw blow;
    bool any = false;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        const Real load = kBlow * before[i] + frame.normalMass[i] * settings.blowSpeed;
        if (!isActive(constraint, i) || !(point.normalImpulse > load))
            continue;
        any = true;
        const Real share = load / point.normalImpulse, rest = 1 - share;
        const ContactPlane::Point& at = frame.plane.points[i];
        const Real rest1 = point.tangentImpulse1 * rest, rest2 = point.tangentImpulse2 * rest;
        blow.along += pushAt(point.normalImpulse * rest, at.x, at.y);
        blow.along += leanAt(rest1, rest2, at.z);
        blow.across += dragAt(rest1, rest2, at.x, at.y);
        point.normalImpulse = point.normalImpulse * share;
        point.tangentImpulse1 = point.tangentImpulse1 * share;
        point.tangentImpulse2 = point.tangentImpulse2 * share;
    }
    if (!any)
        return;
    const Vec3 force = forceOf(constraint, blow), torque = torqueOf(constraint, blow);
    a.freeVelocity -= multiply(a.inverseMass, force);
    a.freeAngularVelocity -= a.inverseInertia * (torque + cross(frame.plane.armA, force));
    b.freeVelocity += multiply(b.inverseMass, force);
    b.freeAngularVelocity += b.inverseInertia * (torque + cross(frame.plane.armB, force));
}

// Shifts the frame or lays it anew. The bodies repeat the last substep's impulses about their centres, with the moments of the
// old arms; the change of the arms is corrected here.
void followBodies(const ContactConstraint& constraint, const FrameMotion& since, ContactFrame& frame, SolverBody& a,
                  SolverBody& b) {
    const Vec3 torqueBefore = torqueOf(constraint, impulseOf(constraint, frame));
    const Vec3 armA = frame.plane.armA, armB = frame.plane.armB;
    if (since.isVeryFar || !anchorsTurn(constraint))
        frame = layFrame(constraint, a, b);
    else
        shiftFrame(constraint, since, a, b, frame);
    const Screw now = impulseOf(constraint, frame);
    const Vec3 turn = torqueOf(constraint, now) - torqueBefore, force = forceOf(constraint, now);
    a.angularVelocity -= a.inverseInertia * (turn + cross(frame.plane.armA - armA, force));
    b.angularVelocity += b.inverseInertia * (turn + cross(frame.plane.armB - armB, force));
}

// Bits of the points that carry load or may touch in the coming substep: within twice the distance that the gap can close,
// since other contacts may push the bodies meanwhile.
std::uint8_t activePointsOf(const ContactConstraint& constraint, const ContactFrame& frame, const Screw& motion, Real h) {
    const Vec3 &u = motion.along, &v = motion.across;
    const Real speed = std::sqrt(u.x * u.x + v.x * v.x + v.y * v.y), spin = std::sqrt(u.y * u.y + u.z * u.z + v.z * v.z);
    std::uint8_t active = 0;
    for (int i = 0; i < constraint.count; ++i) {
        const Real x = frame.plane.points[i].x, y = frame.plane.points[i].y;
        const Real turning = spin * std::sqrt(x * x + y * y);
        const bool isNear = constraint.points[i].separation < 2 * h * (speed + turning) + kTouchingGap;
        if (constraint.points[i].normalImpulse > 0 || isNear)
            active = static_cast<std::uint8_t>(active | 1 << i);
    }
    return active;
}

void placeArms(ContactConstraint& constraint, const ContactPlane& plane) {
    for (int i = 0; i < constraint.count; ++i) {
        const Vec3 side = constraint.tangent1 * plane.points[i].x + constraint.tangent2 * plane.points[i].y +
                          constraint.normal * plane.points[i].z;
        constraint.points[i].armA = plane.armA + side;
        constraint.points[i].armB = plane.armB + side;
    }
}

}  // namespace

bool mayMeet(const ContactConstraint& constraint, std::span<const SolverBody> bodies, Real fall, Real dt) {
    const SolverBody &a = bodies[constraint.bodyA], &b = bodies[constraint.bodyB];
    const Real speed = length(b.velocity - a.velocity);
    const Real turningA = length(a.angularVelocity), turningB = length(b.angularVelocity);
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& point = constraint.points[i];
        const Real turning = turningA * length(point.anchorA) + turningB * length(point.anchorB);
        if (point.separation < kTouchingGap + fall + (speed + turning) * dt)
            return true;
    }
    return false;
}

void updateGeometry(ContactConstraint& constraint, std::span<const SolverBody> bodies, Real h) {
    const SolverBody& a = bodies[constraint.bodyA];
    const SolverBody& b = bodies[constraint.bodyB];
    const ContactPlane plane = planeOf(constraint, a, b);
    const Real speed = length(b.velocity - a.velocity);
    constraint.substep.activePoints = 0;
    placeArms(constraint, plane);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        point.separation = plane.points[i].separation;
        const Real turning = length(cross(b.angularVelocity, point.armB) - cross(a.angularVelocity, point.armA));
        const bool isNear = point.separation < 2 * h * (speed + turning) + kTouchingGap;
        if (point.normalImpulse > 0 || isNear)
            constraint.substep.activePoints = static_cast<std::uint8_t>(constraint.substep.activePoints | 1 << i);
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

void start(ContactConstraint& constraint, ContactFrame& frame, std::span<SolverBody> bodies) {
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    frame = layFrame(constraint, a, b);
    applyScrew(constraint, frame, a, b, impulseOf(constraint, frame));
}

void layArms(ContactConstraint& constraint, std::span<const SolverBody> bodies) {
    placeArms(constraint, planeOf(constraint, bodies[constraint.bodyA], bodies[constraint.bodyB]));
}

void startAtArms(const ContactConstraint& constraint, std::span<SolverBody> bodies) {
    GivenImpulse given;
    for (int i = 0; i < constraint.count; ++i)
        addAtArms(given, constraint.points[i], impulseOf(constraint, constraint.points[i]));
    const Vec3 torque = constraint.tangent1 * constraint.angular.rolling1 + constraint.tangent2 * constraint.angular.rolling2 +
                        constraint.normal * constraint.angular.spinning;
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    a.velocity -= multiply(a.inverseMass, given.linear);
    a.angularVelocity -= a.inverseInertia * (torque + given.angularA);
    b.velocity += multiply(b.inverseMass, given.linear);
    b.angularVelocity += b.inverseInertia * (torque + given.angularB);
}

void push(ContactConstraint& constraint, ContactFrame& frame, std::span<SolverBody> bodies, const ContactSettings& settings,
          PointOrder order) {
    SolverBody& a = bodies[constraint.bodyA];
    SolverBody& b = bodies[constraint.bodyB];
    FrameMotion since = motionSince(frame, a, b);
    if (since.isFar) {
        followBodies(constraint, since, frame, a, b);
        since = motionSince(frame, a, b);
    }
    Real before[collision::kMaxManifoldPoints];
    for (int i = 0; i < constraint.count; ++i) {
        constraint.points[i].separation = separationNow(constraint, frame, since, i);
        before[i] = constraint.points[i].normalImpulse;
    }
    Screw motion = motionOf(constraint, frame, a, b), given;
    constraint.substep.activePoints = activePointsOf(constraint, frame, motion, settings.h);
    if (constraint.substep.activePoints == 0)
        return;
    const Real keptUnderLoad = constraint.isFirm ? Real(1) : 1 - settings.leakRate * settings.h;
    const bool isYoung = constraint.age < kYoung;
    sweep(constraint, frame, motion, given, settings, order, isYoung ? Real(1) : keptUnderLoad);
    if (isYoung)
        sweep(constraint, frame, motion, given, settings, opposite(order), keptUnderLoad);
    applyScrew(constraint, frame, a, b, given);
    sumImpulses(constraint);
    if (constraint.substep.hits != Hits::No)
        placeArms(constraint, frame.plane);  // bounce takes the blow back, and must know where it acted
    if (constraint.substep.hits != Hits::Now)
        forgetBlows(constraint, frame, a, b, before, settings);
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

}  // namespace sunder::dynamics
