#include "dynamics/joints/ball/ball_joint.h"

#include <cmath>

namespace sunder::dynamics {

namespace {

// Velocity at the end of the arm per unit impulse there: 1/m - [r] I^-1 [r].
Sym3 responseAt(const Vec3& inverseMass, const Sym3& i, const Vec3& r) {
    // Columns of I^-1 [r]: I^-1 (r x e).
    const Vec3 x = i * Vec3{0, r.z, -r.y}, y = i * Vec3{-r.z, 0, r.x}, z = i * Vec3{r.y, -r.x, 0};
    return {inverseMass.x + (x.y * r.z - x.z * r.y),
            inverseMass.y + (y.z * r.x - y.x * r.z),
            inverseMass.z + (z.x * r.y - z.y * r.x),
            y.y * r.z - y.z * r.y,
            z.y * r.z - z.z * r.y,
            z.z * r.x - z.x * r.z};
}

Sym3 inverseOf(const Sym3& k) {
    const Real xx = k.yy * k.zz - k.yz * k.yz, xy = k.xz * k.yz - k.xy * k.zz, xz = k.xy * k.yz - k.xz * k.yy;
    const Real determinant = k.xx * xx + k.xy * xy + k.xz * xz;
    const Real inverse = determinant > 0 ? 1 / determinant : Real(0);
    return {xx * inverse, (k.xx * k.zz - k.xz * k.xz) * inverse, (k.xx * k.yy - k.xy * k.xy) * inverse, xy * inverse,
            xz * inverse, (k.xy * k.xz - k.xx * k.yz) * inverse};
}

// The inverse inertias by which the joint turns its bodies.
Sym3 inertiaOfA(const BallJoint& joint, const SolverBody& a) { return a.inverseInertia * joint.turnsA; }
Sym3 inertiaOfB(const BallJoint& joint, const SolverBody& b) { return b.inverseInertia * joint.turnsB; }

Sym3 massOf(const BallJoint& joint, const SolverBody& a, const SolverBody& b, const Vec3& armA, const Vec3& armB) {
    return inverseOf(responseAt(a.inverseMass, inertiaOfA(joint, a), armA) +
                     responseAt(b.inverseMass, inertiaOfB(joint, b), armB));
}

void applyAt(BallJoint& joint, SolverBody& a, SolverBody& b, const Vec3& impulse) {
    a.velocity -= multiply(a.inverseMass, impulse);
    a.angularVelocity -= inertiaOfA(joint, a) * cross(joint.armA, impulse);
    b.velocity += multiply(b.inverseMass, impulse);
    b.angularVelocity += inertiaOfB(joint, b) * cross(joint.armB, impulse);
}

// s: half a substep, less for a body that turns by more than a fraction of a radian in it, whose path no curvature tells.
Real followed(const Vec3& spin, Real h) { return h * Real(0.5) / (1 + h * h * lengthSquared(spin)); }

// Share of what a body would turn by with its own inertia.
Real turnsOf(Real swing, Real impulse) { return 1 / clamp(swing * impulse, 1, kMostSwing); }

// 1/(N s), see BallJoint::swingA. Two of a body's joints pull at a time, or few more, each by its own share.
Real swingOf(const SolverBodyConstants& body, const Vec3& anchor, Real h) {
    // 1 / (omega h)^2 of a body that one joint pulls: of n alike that do, omega h is sqrt(n) / 2.
    constexpr Real kSteady = 4;
    if (!body.isDynamic)
        return 0;
    const Vec3 squared = multiply(anchor, anchor);  // of the distances of the arm's end from the three axes
    const Vec3 levers{squared.y + squared.z, squared.x + squared.z, squared.x + squared.y};
    const Vec3 asked = multiply(levers, multiply(body.inversePrincipalInertia, body.inversePrincipalInertia));
    return kSteady * h * std::sqrt(max(asked.x, max(asked.y, asked.z)));
}

using wide::fill, wide::take;

}  // namespace

void startBall(BallJoint& joint, std::span<SolverBody> bodies) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    joint.armA = rotate(a.orientation, joint.anchorA);
    joint.armB = rotate(b.orientation, joint.anchorB);
    const Real size = std::sqrt(lengthSquared(joint.impulse));
    joint.turnsA = turnsOf(joint.swingA, size);
    joint.turnsB = turnsOf(joint.swingB, size);
    joint.mass = massOf(joint, a, b, joint.armA, joint.armB);
    applyAt(joint, a, b, joint.impulse);
}

void solveBall(BallJoint& joint, std::span<SolverBody> bodies, const JointSettings& settings) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    const Vec3 rA = rotate(a.orientation, joint.anchorA), rB = rotate(b.orientation, joint.anchorB);
    const Real size = std::sqrt(lengthSquared(joint.impulse));
    const Real turnsA = turnsOf(joint.swingA, size), turnsB = turnsOf(joint.swingB, size);
    if (turnsA < kWorthRaising * joint.turnsA || turnsB < kWorthRaising * joint.turnsB) {
        // What the last impulse gave too much.
        const Real lessA = joint.turnsA - min(joint.turnsA, turnsA), lessB = joint.turnsB - min(joint.turnsB, turnsB);
        a.angularVelocity += a.inverseInertia * cross(joint.armA, joint.impulse) * lessA;
        b.angularVelocity -= b.inverseInertia * cross(joint.armB, joint.impulse) * lessB;
        joint.turnsA = min(joint.turnsA, turnsA);
        joint.turnsB = min(joint.turnsB, turnsB);
        joint.mass = massOf(joint, a, b, rA, rB);
    }
    a.angularVelocity -= inertiaOfA(joint, a) * cross(rA - joint.armA, joint.impulse);
    b.angularVelocity += inertiaOfB(joint, b) * cross(rB - joint.armB, joint.impulse);
    joint.armA = rA;
    joint.armB = rB;
    const Vec3 gap = joint.centerOffset + (b.displacement - a.displacement) + rB - rA;
    const Real speed = settings.recoverySpeed;
    const Vec3 repair = max(min(gap * settings.repairRate, {speed, speed, speed}), {-speed, -speed, -speed});
    const Vec3 spinA = cross(a.angularVelocity, rA), spinB = cross(b.angularVelocity, rB);
    const Vec3 curvature = cross(b.angularVelocity, spinB) * followed(b.angularVelocity, settings.h) -
                           cross(a.angularVelocity, spinA) * followed(a.angularVelocity, settings.h);
    const Vec3 error = (b.velocity + spinB) - (a.velocity + spinA) + repair + curvature;
    const Vec3 next = (joint.impulse - joint.mass * error) * settings.kept;
    const Vec3 change = next - joint.impulse;
    joint.impulse = next;
    joint.total += next;
    applyAt(joint, a, b, change);
}

void findSwing(BallJoint& joint, std::span<const SolverBodyConstants> bodies, Real h) {
    joint.swingA = swingOf(bodies[joint.bodyA], joint.anchorA, h);
    joint.swingB = swingOf(bodies[joint.bodyB], joint.anchorB, h);
}

void pack(WideBall& block, std::span<const BallJoint> joints, std::uint32_t first, int count,
          std::span<const SolverBodyConstants> bodies, Real h) {
    block.movesA = block.movesB = 0;
    block.lanes = count;
    const BallJoint empty;
    for (int lane = 0; lane < wide::kLanes; ++lane) {
        BallJoint joint = lane < count ? joints[first + lane] : empty;
        findSwing(joint, bodies, h);
        block.bodyA[lane] = joint.bodyA;
        block.bodyB[lane] = joint.bodyB;
        block.movesA |= std::uint32_t(bodies[joint.bodyA].isDynamic) << lane;
        block.movesB |= std::uint32_t(bodies[joint.bodyB].isDynamic) << lane;
        fill(block.anchorA, lane, joint.anchorA);
        fill(block.anchorB, lane, joint.anchorB);
        fill(block.centerOffset, lane, joint.centerOffset);
        fill(block.impulse, lane, joint.impulse);
        fill(block.total, lane, Vec3{});
        fill(block.armA, lane, Vec3{});
        fill(block.armB, lane, Vec3{});
        block.swingA[lane] = joint.swingA;
        block.swingB[lane] = joint.swingB;
        block.turnsA[lane] = block.turnsB[lane] = 1;
    }
}

void unpack(const WideBall& block, std::span<BallJoint> joints, std::uint32_t first) {
    for (int lane = 0; lane < block.lanes; ++lane) {
        BallJoint& joint = joints[first + lane];
        joint.impulse = take(block.impulse, lane);
        joint.total = take(block.total, lane);
    }
}

}  // namespace sunder::dynamics
