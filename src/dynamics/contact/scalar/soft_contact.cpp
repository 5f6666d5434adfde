#include "dynamics/contact/scalar/soft_contact.h"

#include <algorithm>

#include "dynamics/contact/scalar/bounce_clamp.h"

namespace sunder::dynamics {

namespace {

Vec3 pushAt(Real change, Real x, Real y) { return {change, change * y, -(change * x)}; }
Vec3 dragAt(Real change1, Real change2, Real x, Real y) { return {change1, change2, x * change2 - y * change1}; }
// Moments about the tangents of friction that acts at height z.
Vec3 leanAt(Real change1, Real change2, Real z) { return {0, -(z * change2), z * change1}; }

// Solves the normal impulse of point i. `along` is the relative motion and is kept up to date; the impulse is added to `given`.
void solveNormal(ConstraintPoint& point, const ContactFrame& frame, int i, Vec3& along, Vec3& given, Real targetVelocity,
                 Real share, Real kept) {
    const Real x = frame.plane.points[i].x, y = frame.plane.points[i].y;
    const Real velocity = along.x + (along.y * y - along.z * x);
    const Real error = velocity - targetVelocity;
    const Real part = std::fabs(error) < kGentle ? share : Real(1);
    const Real impulse = max(kept * (point.normalImpulse - part * frame.normalMass[i] * error), 0);
    const Vec3 push = pushAt(impulse - point.normalImpulse, x, y);
    point.normalImpulse = impulse;
    along += frame.alongResponse * push;
    given += push;
}

// Coulomb's cone in its two-dimensional form: no direction in the plane is preferred.
void solveFriction(const ContactConstraint& constraint, ConstraintPoint& point, const ContactFrame& frame, int i, Screw& motion,
                   Screw& given) {
    const Real x = frame.plane.points[i].x, y = frame.plane.points[i].y, z = frame.plane.points[i].z;
    const Sym3& f = frame.acrossResponse;
    const Real slip1 = motion.across.x + motion.along.z * z - motion.across.z * y;
    const Real slip2 = motion.across.y + motion.across.z * x - motion.along.y * z;
    // Response of the slip to impulses along the tangents, a symmetric 2 x 2 matrix.
    const Real k11 = f.xx - 2 * (y * f.xz) + y * y * f.zz;
    const Real k12 = f.xy + x * f.xz - y * f.yz - x * y * f.zz;
    const Real k22 = f.yy + 2 * (x * f.yz) + x * x * f.zz;
    const Real determinant = k11 * k22 - k12 * k12, trace = k11 + k22;
    const bool isFlat = !(determinant > kFlatAnswer * (trace * trace));
    const Real inverse = determinant > 0 ? 1 / determinant : Real(0);
    Real impulse1 = point.tangentImpulse1 - (k22 * slip1 - k12 * slip2) * inverse;
    Real impulse2 = point.tangentImpulse2 - (k11 * slip2 - k12 * slip1) * inverse;
    const Real limit = constraint.material.friction * point.normalImpulse;
    if (!(limit > 0)) {
        impulse1 = impulse2 = 0;
    } else if (isFlat || impulse1 * impulse1 + impulse2 * impulse2 > limit * limit) {
        // Sliding: friction must oppose the slip itself, and the 2 x 2 matrix would turn it aside. Both directions use the mass
        // of the direction that answers most. With the mean of both masses, that direction overshot by up to its whole slip:
        // a hull whose points pushed against each other sideways turned to and fro with every substep and crept for ever.
        const Real most = trace + std::sqrt((k11 - k22) * (k11 - k22) + 4 * (k12 * k12));
        const Real mass = trace > 0 ? 2 / most : Real(0);
        impulse1 = point.tangentImpulse1 - mass * slip1;
        impulse2 = point.tangentImpulse2 - mass * slip2;
        const Real squared = impulse1 * impulse1 + impulse2 * impulse2;
        const Real scale = squared > limit * limit ? limit / std::sqrt(squared) : Real(1);
        impulse1 = impulse1 * scale;
        impulse2 = impulse2 * scale;
    }
    const Real change1 = impulse1 - point.tangentImpulse1, change2 = impulse2 - point.tangentImpulse2;
    point.tangentImpulse1 = impulse1;
    point.tangentImpulse2 = impulse2;
    const Vec3 drag = dragAt(change1, change2, x, y);
    motion.across += frame.acrossResponse * drag;
    motion.along += alongOf(frame, drag);
    given.across += drag;
    given.along += leanAt(change1, change2, z);
}

Real inverseOr0(Real k) { return k > 0 ? 1 / k : Real(0); }

// Torques against rolling and spinning, limited by normal load (N s) times a length (m).
void solveRotationalFriction(ContactConstraint& constraint, const ContactFrame& frame, Screw& motion, Screw& given) {
    Real load = 0;
    for (int i = 0; i < constraint.count; ++i)
        load += constraint.points[i].normalImpulse;
    if (constraint.material.spinningFriction > 0) {
        const Real limit = constraint.material.spinningFriction * load;
        const Real impulse =
            clamp(constraint.angular.spinning - inverseOr0(frame.acrossResponse.zz) * motion.across.z, -limit, limit);
        const Vec3 drag{0, 0, impulse - constraint.angular.spinning};
        constraint.angular.spinning = impulse;
        motion.across += frame.acrossResponse * drag;
        motion.along += alongOf(frame, drag);
        given.across += drag;
    }
    if (constraint.material.rollingFriction > 0) {
        Real impulse1 = constraint.angular.rolling1 - inverseOr0(frame.alongResponse.yy) * motion.along.y;
        Real impulse2 = constraint.angular.rolling2 - inverseOr0(frame.alongResponse.zz) * motion.along.z;
        const Real limit = constraint.material.rollingFriction * load;
        const Real size = std::sqrt(impulse1 * impulse1 + impulse2 * impulse2);
        if (size > limit) {
            impulse1 *= limit / size;
            impulse2 *= limit / size;
        }
        const Vec3 drag{0, impulse1 - constraint.angular.rolling1, impulse2 - constraint.angular.rolling2};
        constraint.angular.rolling1 = impulse1;
        constraint.angular.rolling2 = impulse2;
        motion.along += frame.alongResponse * drag;
        motion.across += acrossOf(frame, drag);
        given.along += drag;
    }
}

int indexAt(const ContactConstraint& constraint, int i, PointOrder order) {
    return order == PointOrder::Forward ? i : constraint.count - 1 - i;
}

bool isActive(const ContactConstraint& constraint, int i) { return (constraint.substep.activePoints >> i & 1) != 0; }

void solveAllFriction(ContactConstraint& constraint, const ContactFrame& frame, Screw& motion, Screw& given, PointOrder order) {
    Screw drag;
    for (int k = 0; k < constraint.count; ++k)
        if (const int i = indexAt(constraint, k, order); isActive(constraint, i))
            solveFriction(constraint, constraint.points[i], frame, i, motion, drag);
    given.along += drag.along;
    given.across += drag.across;
    motion.along += frame.alongResponse * drag.along;
    motion.across += acrossOf(frame, drag.along);
    if (constraint.material.rollingFriction > 0 || constraint.material.spinningFriction > 0)
        solveRotationalFriction(constraint, frame, motion, given);
}

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

// Sum of what a manifold gave its bodies: B's side, and A's with the opposite sign.
struct Given {
    Vec3 linear, angularA, angularB;
};

void addAtArms(Given& given, const ConstraintPoint& point, const Vec3& impulse) {
    given.linear += impulse;
    given.angularA += cross(point.armA, impulse);
    given.angularB += cross(point.armB, impulse);
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
    Given given;
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
    if (constraint.substep.bounces)
        placeArms(constraint, frame.plane);  // bounce takes the blow back, and must know where it acted
    else
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
        if (!(later < -allowedApproach(point.separation, settings.recoveryRate, settings)) ||
            normalVelocity > -settings.restitutionThreshold)
            continue;
        // The speed at the moment of touching, not at the start of the substep: v^2 grows by 2 a s on the way.
        const Real impactSquared = normalVelocity * normalVelocity - 2 * acceleration * max(point.separation, 0);
        point.bounceVelocity = constraint.material.restitution * std::sqrt(max(impactSquared, 0));
        bounces = bounces || point.bounceVelocity > 0;
    }
    return bounces;
}

void bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings) {
    SolverBody stillA, stillB;  // copies of bodies that no impulse moves: threads share the originals
    const auto bodyOf = [&](std::uint32_t index, SolverBody& still) -> SolverBody& {
        return canMove(bodies[index]) ? bodies[index] : still = bodies[index];
    };
    SolverBody &a = bodyOf(constraint.bodyA, stillA), &b = bodyOf(constraint.bodyB, stillB);
    Given given;
    Vec3 before[collision::kMaxManifoldPoints];
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        before[i] = impulseOf(constraint, point);
        addAtArms(given, point, before[i]);               // at the arms with which push acted
        point.totalNormalImpulse -= point.normalImpulse;  // summed again below
        point.totalTangentImpulse1 -= point.tangentImpulse1;
        point.totalTangentImpulse2 -= point.tangentImpulse2;
    }
    updateGeometry(constraint, bodies, settings.h);
    const ContactFrame frame = layFrame(constraint, a, b);
    Screw motion = motionOf(constraint, frame, a, b), done;
    for (int k = 0; k < constraint.count; ++k) {
        const int i = indexAt(constraint, k, PointOrder::Backward);
        ConstraintPoint& point = constraint.points[i];
        // A gap that nothing has closed yet is left to the next substep: braking now would hide the impact speed from
        // restitution.
        if (point.separation > 0 && point.normalImpulse == 0)
            continue;
        const Real target = point.bounceVelocity > 0 ? point.bounceVelocity
                                                     : -allowedApproach(point.separation, settings.recoveryRate, settings);
        solveNormal(point, frame, i, motion.along, done.along, target, 1, 1);
    }
    motion.across += acrossOf(frame, done.along);
    solveAllFriction(constraint, frame, motion, done, PointOrder::Forward);
    applyScrew(constraint, frame, a, b, done);
    if (settings.clampEnergy)
        clampBounce(constraint, a, b);
    sumImpulses(constraint);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        addAtArms(given, point, impulseOf(constraint, point) - before[i]);
        point.normalImpulse = point.tangentImpulse1 = point.tangentImpulse2 = 0;
    }
    const Vec3 turn = constraint.normal * constraint.angular.spinning + constraint.tangent1 * constraint.angular.rolling1 +
                      constraint.tangent2 * constraint.angular.rolling2;
    constraint.angular.spinning = constraint.angular.rolling1 = constraint.angular.rolling2 = 0;
    a.freeVelocity -= multiply(a.inverseMass, given.linear);
    a.freeAngularVelocity -= a.inverseInertia * (given.angularA + turn);
    b.freeVelocity += multiply(b.inverseMass, given.linear);
    b.freeAngularVelocity += b.inverseInertia * (given.angularB + turn);
}

}  // namespace sunder::dynamics
