#include "dynamics/joints/ball/ball_joint.h"

namespace sunder::dynamics {

namespace {

// Velocity at the end of the arm per unit impulse there: 1/m - [r] I^-1 [r].
Sym3 responseAt(const SolverBody& body, const Vec3& r) {
    const Sym3& i = body.inverseInertia;
    // Columns of I^-1 [r]: I^-1 (r x e).
    const Vec3 x = i * Vec3{0, r.z, -r.y}, y = i * Vec3{-r.z, 0, r.x}, z = i * Vec3{r.y, -r.x, 0};
    return {body.inverseMass.x + (x.y * r.z - x.z * r.y),
            body.inverseMass.y + (y.z * r.x - y.x * r.z),
            body.inverseMass.z + (z.x * r.y - z.y * r.x),
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

void applyAt(BallJoint& joint, SolverBody& a, SolverBody& b, const Vec3& impulse) {
    a.velocity -= multiply(a.inverseMass, impulse);
    a.angularVelocity -= a.inverseInertia * cross(joint.armA, impulse);
    b.velocity += multiply(b.inverseMass, impulse);
    b.angularVelocity += b.inverseInertia * cross(joint.armB, impulse);
}

using wide::fill, wide::take;

}  // namespace

void startBall(BallJoint& joint, std::span<SolverBody> bodies) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    joint.armA = rotate(a.orientation, joint.anchorA);
    joint.armB = rotate(b.orientation, joint.anchorB);
    joint.mass = inverseOf(responseAt(a, joint.armA) + responseAt(b, joint.armB));
    applyAt(joint, a, b, joint.impulse);
}

void solveBall(BallJoint& joint, std::span<SolverBody> bodies, const JointSettings& settings) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    const Vec3 rA = rotate(a.orientation, joint.anchorA), rB = rotate(b.orientation, joint.anchorB);
    a.angularVelocity -= a.inverseInertia * cross(rA - joint.armA, joint.impulse);
    b.angularVelocity += b.inverseInertia * cross(rB - joint.armB, joint.impulse);
    joint.armA = rA;
    joint.armB = rB;
    const Vec3 gap = joint.centerOffset + (b.displacement - a.displacement) + rB - rA;
    const Real speed = settings.recoverySpeed;
    const Vec3 repair = max(min(gap * settings.repairRate, {speed, speed, speed}), {-speed, -speed, -speed});
    const Vec3 spinA = cross(a.angularVelocity, rA), spinB = cross(b.angularVelocity, rB);
    const Vec3 curvature = (cross(b.angularVelocity, spinB) - cross(a.angularVelocity, spinA)) * (settings.h * Real(0.5));
    const Vec3 error = (b.velocity + spinB) - (a.velocity + spinA) + repair + curvature;
    const Vec3 next = (joint.impulse - joint.mass * error) * settings.kept;
    const Vec3 change = next - joint.impulse;
    joint.impulse = next;
    joint.total += next;
    applyAt(joint, a, b, change);
}

void pack(WideBall& block, std::span<const BallJoint> joints, std::uint32_t first, int count,
          std::span<const SolverBodyConstants> bodies) {
    block.movesA = block.movesB = 0;
    block.lanes = count;
    const BallJoint empty;
    for (int lane = 0; lane < wide::kLanes; ++lane) {
        const BallJoint& joint = lane < count ? joints[first + lane] : empty;
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
