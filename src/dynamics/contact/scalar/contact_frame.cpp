#include "dynamics/contact/scalar/contact_frame.h"

#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::dynamics {

Vec3 swing(const Vec3& anchor, const Vec3& from, const Vec3& to) {
    const Vec3 c = cross(from, to);
    const Real d = dot(from, to);
    return d > Real(-0.9) ? anchor * d + cross(c, anchor) + c * (dot(c, anchor) / (1 + d)) : anchor;
}

namespace {

// Arm (m, world axes) from the body's centre to the anchored surface point at its current orientation.
Vec3 surfaceArm(const SolverBody& body, const AnchorFrame& frame, const Vec3& anchor) {
    if (frame.motion == AnchorMotion::Turns)
        return rotate(body.orientation, anchor);
    const bool swings = frame.motion == AnchorMotion::Swings;
    return rotate(body.orientation, frame.center) +
           (swings ? swing(anchor, frame.startAxis, rotate(body.orientation, frame.axis)) : anchor);
}

// Velocity at the frame's origin that a unit impulse or moment causes on one body. With c the arm, J the inverse inertia in the
// frame's axes and b(e) = J (c x e) the spin caused by a unit impulse along e, the speed at the origin along f is  f.m e + (c x
// f).b(e).
struct Response {
    Sym3 along, across;
    Vec3 coupling1, coupling2, couplingSpin;
};

Response responseOf(const ContactConstraint& constraint, const SolverBody& body, const Vec3& arm) {
    const Vec3 &n = constraint.normal, &t = constraint.tangent1, &s = constraint.tangent2;
    const Vec3 jn = body.inverseInertia * n, jt = body.inverseInertia * t, js = body.inverseInertia * s;
    const Real nn = dot(jn, n), nt = dot(jn, t), ns = dot(jn, s), tt = dot(jt, t), ts = dot(jt, s), ss = dot(js, s);
    const Vec3 mn = multiply(body.inverseMass, n), mt = multiply(body.inverseMass, t), ms = multiply(body.inverseMass, s);
    const Real cn = dot(arm, n), ct = dot(arm, t), cs = dot(arm, s);
    const Vec3 bn{nt * cs - ns * ct, tt * cs - ts * ct, ts * cs - ss * ct};
    const Vec3 bt{ns * cn - nn * cs, ts * cn - nt * cs, ss * cn - ns * cs};
    const Vec3 bs{nn * ct - nt * cn, nt * ct - tt * cn, ns * ct - ts * cn};
    Response r;
    r.along = {dot(mn, n) + (bn.y * cs - bn.z * ct), tt, ss, bn.y, bn.z, ts};
    r.across = {dot(mt, t) + (bt.z * cn - bt.x * cs),
                dot(ms, s) + (bs.x * ct - bs.y * cn),
                nn,
                dot(mt, s) + (bt.x * ct - bt.y * cn),
                bt.x,
                bs.x};
    r.coupling1 = {dot(mn, t) + (bn.z * cn - bn.x * cs), bt.y, bt.z};
    r.coupling2 = {dot(mn, s) + (bn.x * ct - bn.y * cn), bs.y, bs.z};
    r.couplingSpin = {bn.x, nt, ns};
    return r;
}

Real normalMassAt(const ContactFrame& frame, Real x, Real y, Real least) {
    const Sym3& r = frame.alongResponse;
    const Real k = r.xx + 2 * (y * r.xy - x * r.xz) + (y * y * r.yy - 2 * (x * y * r.yz) + x * x * r.zz);
    return k > least ? 1 / k : Real(0);
}

}  // namespace

Real leastResponse(const SolverBody& a, const SolverBody& b, const Vec3& armA, const Vec3& armB) {
    const Real linear = max(max(a.inverseMass.x, a.inverseMass.y), a.inverseMass.z) +
                        max(max(b.inverseMass.x, b.inverseMass.y), b.inverseMass.z);
    if (linear > 0)
        return kLeastAnswer * linear;
    const Sym3 &i = a.inverseInertia, &j = b.inverseInertia;
    return kLeastAnswer * ((i.xx + i.yy + i.zz) * lengthSquared(armA) + (j.xx + j.yy + j.zz) * lengthSquared(armB));
}

ContactPlane planeOf(const ContactConstraint& constraint, const SolverBody& a, const SolverBody& b) {
    ContactPlane plane;
    const Vec3 offset = constraint.centerOffset + (b.displacement - a.displacement);
    Vec3 arms[collision::kMaxManifoldPoints], sum;
    bool anyTouches = false;
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& point = constraint.points[i];
        const Vec3 surfaceA = surfaceArm(a, constraint.frameA, point.anchorA);
        const Vec3 surfaceB = surfaceArm(b, constraint.frameB, point.anchorB);
        const Vec3 gap = offset + surfaceB - surfaceA;
        plane.points[i].separation = dot(gap, constraint.normal);
        arms[i] = surfaceA + gap * constraint.pointOnB;
        anyTouches = anyTouches || plane.points[i].separation <= kTouchingGap;
    }
    Real counted = 0;
    for (int i = 0; i < constraint.count; ++i) {
        const bool counts = !anyTouches || plane.points[i].separation <= kTouchingGap;
        sum += counts ? arms[i] : Vec3{};
        counted += Real(counts);
    }
    plane.armA = sum * (1 / max(counted, 1));
    plane.armB = plane.armA - offset;
    for (int i = 0; i < constraint.count; ++i) {
        const Vec3 side = arms[i] - plane.armA;
        plane.points[i].x = dot(side, constraint.tangent1);
        plane.points[i].y = dot(side, constraint.tangent2);
        plane.points[i].z = dot(side, constraint.normal);
    }
    return plane;
}

void findSeparations(ContactConstraint& constraint, const SolverBody& a, const SolverBody& b) {
    const Vec3 offset = constraint.centerOffset + (b.displacement - a.displacement);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        const Vec3 gap =
            offset + surfaceArm(b, constraint.frameB, point.anchorB) - surfaceArm(a, constraint.frameA, point.anchorA);
        point.separation = dot(gap, constraint.normal);
    }
}

ContactFrame layFrame(const ContactConstraint& constraint, const SolverBody& a, const SolverBody& b) {
    ContactFrame frame;
    frame.plane = planeOf(constraint, a, b);
    const Vec3 &armA = frame.plane.armA, &armB = frame.plane.armB;
    const Response ra = responseOf(constraint, a, armA), rb = responseOf(constraint, b, armB);
    frame.alongResponse = ra.along + rb.along;
    frame.acrossResponse = ra.across + rb.across;
    frame.coupling1 = ra.coupling1 + rb.coupling1;
    frame.coupling2 = ra.coupling2 + rb.coupling2;
    frame.couplingSpin = ra.couplingSpin + rb.couplingSpin;
    const Real least = leastResponse(a, b, armA, armB);
    for (int i = 0; i < constraint.count; ++i)
        frame.normalMass[i] = normalMassAt(frame, frame.plane.points[i].x, frame.plane.points[i].y, least);
    frame.offsetThen = b.displacement - a.displacement;
    frame.turnedThenA = a.turned;
    frame.turnedThenB = b.turned;
    frame.slack = kFrameLag * kFrameLag * min(sizeOf(a, armA), sizeOf(b, armB));
    return frame;
}

Screw motionOf(const ContactConstraint& constraint, const ContactFrame& frame, const SolverBody& a, const SolverBody& b) {
    const Vec3 velocity =
        b.velocity + cross(b.angularVelocity, frame.plane.armB) - a.velocity - cross(a.angularVelocity, frame.plane.armA);
    const Vec3 spin = b.angularVelocity - a.angularVelocity, slip = velocity - constraint.material.surfaceVelocity;
    return {{dot(velocity, constraint.normal), dot(spin, constraint.tangent1), dot(spin, constraint.tangent2)},
            {dot(slip, constraint.tangent1), dot(slip, constraint.tangent2), dot(spin, constraint.normal)}};
}

Screw impulseOf(const ContactConstraint& constraint, const ContactFrame& frame) {
    Screw sum;
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& p = constraint.points[i];
        const Real x = frame.plane.points[i].x, y = frame.plane.points[i].y, z = frame.plane.points[i].z;
        sum.along +=
            Vec3{p.normalImpulse, p.normalImpulse * y - z * p.tangentImpulse2, z * p.tangentImpulse1 - p.normalImpulse * x};
        sum.across += Vec3{p.tangentImpulse1, p.tangentImpulse2, x * p.tangentImpulse2 - y * p.tangentImpulse1};
    }
    sum.along += Vec3{0, constraint.angular.rolling1, constraint.angular.rolling2};
    sum.across.z += constraint.angular.spinning;
    return sum;
}

Vec3 forceOf(const ContactConstraint& constraint, const Screw& screw) {
    return constraint.normal * screw.along.x + constraint.tangent1 * screw.across.x + constraint.tangent2 * screw.across.y;
}

Vec3 torqueOf(const ContactConstraint& constraint, const Screw& screw) {
    return constraint.normal * screw.across.z + constraint.tangent1 * screw.along.y + constraint.tangent2 * screw.along.z;
}

void applyScrew(const ContactConstraint& constraint, const ContactFrame& frame, SolverBody& a, SolverBody& b,
                const Screw& impulse) {
    const Vec3 force = forceOf(constraint, impulse), torque = torqueOf(constraint, impulse);
    a.velocity -= multiply(a.inverseMass, force);
    a.angularVelocity -= a.inverseInertia * (torque + cross(frame.plane.armA, force));
    b.velocity += multiply(b.inverseMass, force);
    b.angularVelocity += b.inverseInertia * (torque + cross(frame.plane.armB, force));
}

FrameMotion motionSince(const ContactFrame& frame, const SolverBody& a, const SolverBody& b) {
    const Vec3 turnA = a.turned - frame.turnedThenA, turnB = b.turned - frame.turnedThenB;
    const Vec3 wayA = cross(turnA, frame.plane.armA), wayB = cross(turnB, frame.plane.armB);
    FrameMotion motion;
    motion.way = (b.displacement - a.displacement) - frame.offsetThen + wayB - wayA;
    motion.turn = turnB - turnA;
    motion.wayA = wayA;
    const Real most = max(max(lengthSquared(wayA), lengthSquared(wayB)), lengthSquared(motion.way));
    motion.isFar = most > frame.slack;
    motion.isVeryFar = most > square(kFrameShift / kFrameLag) * frame.slack;
    return motion;
}

Real separationNow(const ContactConstraint& constraint, const ContactFrame& frame, const FrameMotion& since, int point) {
    const ContactPlane::Point& at = frame.plane.points[point];
    const Real lift = dot(since.way, constraint.normal);
    const Real tilt1 = dot(since.turn, constraint.tangent1), tilt2 = dot(since.turn, constraint.tangent2);
    return at.separation + (lift + (tilt1 * at.y - tilt2 * at.x));
}

void shiftFrame(const ContactConstraint& constraint, const FrameMotion& since, const SolverBody& a, const SolverBody& b,
                ContactFrame& frame) {
    const Vec3 offset = b.displacement - a.displacement;
    frame.plane.armA = frame.plane.armA + since.wayA + since.way * constraint.pointOnB;
    frame.plane.armB = frame.plane.armA - (constraint.centerOffset + offset);
    for (int i = 0; i < constraint.count; ++i)
        frame.plane.points[i].separation = separationNow(constraint, frame, since, i);
    frame.offsetThen = offset;
    frame.turnedThenA = a.turned;
    frame.turnedThenB = b.turned;
}

}  // namespace sunder::dynamics
