// The wide contact kernels, included once for every instruction set, each time in a namespace of its own.
// Line by line the same arithmetic as soft_contact.cpp, in the same order: that is what makes the bits equal.
// Nothing here may call an inline function of the standard library (see math/wide.h).

using namespace wide;

#include "dynamics/wide_body.inl"

SUNDER_WIDE WideVec3 swung(const WideQuat& q, const WideFrame& frame, const WideVec3& anchor) {
    const WideVec3 axis = rotate(q, frame.axis), c = cross(frame.startAxis, axis);
    const Wide d = dot(frame.startAxis, axis);
    const WideVec3 turned = anchor * d + cross(c, anchor) + c * (dot(c, anchor) / (all(1) + d));
    return select(d > all(Real(-0.9)), turned, anchor);
}

SUNDER_WIDE WideVec3 surfaceArm(const WideQuat& q, const WideFrame& frame, bool allTurn, const WideVec3& anchor) {
    const WideVec3 turned = rotate(q, anchor);
    if (allTurn)
        return turned;
    return select(frame.turns, turned, select(frame.swings, swung(q, frame, anchor), anchor));
}

struct PointGeometry {
    WideVec3 armA, armB;
    Wide separation;
};

SUNDER_WIDE PointGeometry geometryOf(const WideContact& block, const WidePoint& point, const WidePose& a, const WidePose& b,
                                     const WideVec3& offset) {
    const WideVec3 surfaceA = surfaceArm(a.orientation, block.frameA, block.allTurn, point.anchorA);
    const WideVec3 surfaceB = surfaceArm(b.orientation, block.frameB, block.allTurn, point.anchorB);
    const WideVec3 gap = offset + surfaceB - surfaceA;
    PointGeometry geometry;
    geometry.separation = dot(gap, block.normal);
    geometry.armA = surfaceA + gap * block.pointOnB;
    geometry.armB = geometry.armA - offset;
    return geometry;
}

SUNDER_WIDE WideVec3 offsetNow(const WideContact& block, const WidePose& a, const WidePose& b) {
    return block.centerOffset + (b.displacement - a.displacement);
}

SUNDER_WIDE Wide response(const WideBody& body, const WideVec3& armCrossDirection, const WideVec3& direction,
                          const WideVec3& armCrossAlong, const WideVec3& along) {
    return dot(multiply(body.inverseMass, direction), along) + dot(body.inverseInertia * armCrossDirection, armCrossAlong);
}

SUNDER_WIDE void applyPair(WideBody& a, WideBody& b, const PointGeometry& at, const WideVec3& impulse) {
    a.velocity = a.velocity - multiply(a.inverseMass, impulse);
    a.angularVelocity = a.angularVelocity - a.inverseInertia * cross(at.armA, impulse);
    b.velocity = b.velocity + multiply(b.inverseMass, impulse);
    b.angularVelocity = b.angularVelocity + b.inverseInertia * cross(at.armB, impulse);
}

SUNDER_WIDE Wide leastResponse(const WideBody& a, const WideBody& b, const PointGeometry& at) {
    const Wide share = all(kLeastAnswer);
    const Wide linear = max(max(a.inverseMass.x, a.inverseMass.y), a.inverseMass.z) +
                        max(max(b.inverseMass.x, b.inverseMass.y), b.inverseMass.z);
    const WideSym3 &i = a.inverseInertia, &j = b.inverseInertia;
    const Wide angular = share * ((i.xx + i.yy + i.zz) * dot(at.armA, at.armA) + (j.xx + j.yy + j.zz) * dot(at.armB, at.armB));
    return select(linear > all(0), share * linear, angular);
}

SUNDER_WIDE void massesOf(const WideContact& block, WidePoint& point, const PointGeometry& at, const WideBody& a,
                          const WideBody& b) {
    const WideVec3 &n = block.normal, &t1 = block.tangent1, &t2 = block.tangent2;
    const WideVec3 an = cross(at.armA, n), bn = cross(at.armB, n);
    const Wide one = all(1), zero = all(0);
    const Wide k = response(a, an, n, an, n) + response(b, bn, n, bn, n);
    point.normalMass = onlyWhere(point.present & (k > leastResponse(a, b, at)), one / k);
    const WideVec3 a1 = cross(at.armA, t1), b1 = cross(at.armB, t1);
    const WideVec3 a2 = cross(at.armA, t2), b2 = cross(at.armB, t2);
    const Wide k11 = response(a, a1, t1, a1, t1) + response(b, b1, t1, b1, t1);
    const Wide k12 = response(a, a1, t1, a2, t2) + response(b, b1, t1, b2, t2);
    const Wide k22 = response(a, a2, t2, a2, t2) + response(b, b2, t2, b2, t2);
    const Wide determinant = k11 * k22 - k12 * k12;
    const Wide inverse = onlyWhere(point.present & (determinant > zero), one / determinant);
    point.tangentMass11 = k22 * inverse;
    point.tangentMass12 = -(k12 * inverse);
    point.tangentMass22 = k11 * inverse;
    point.slidingMass = onlyWhere(point.present & (k11 + k22 > zero), all(2) / (k11 + k22));
}

SUNDER_WIDE void solveNormal(const WideContact& block, WidePoint& point, const PointGeometry& at, WideBody& a, WideBody& b,
                             Wide target, Wide share, Wide kept, Mask active) {
    const WideVec3& n = block.normal;
    const WideVec3 leverA = cross(at.armA, n), leverB = cross(at.armB, n);
    const Wide velocity = dot(b.velocity - a.velocity, n) + dot(b.angularVelocity, leverB) - dot(a.angularVelocity, leverA);
    const Wide error = velocity - target, gentle = all(kGentle);
    const Wide part = select((error < gentle) & (error > -gentle), share, all(1));
    const Wide wanted = max(kept * (point.normalImpulse - part * point.normalMass * error), all(0));
    const Wide impulse = select(active, wanted, point.normalImpulse);
    const Wide change = impulse - point.normalImpulse;
    a.velocity = a.velocity - multiply(a.inverseMass, n) * change;
    a.angularVelocity = a.angularVelocity - (a.inverseInertia * leverA) * change;
    b.velocity = b.velocity + multiply(b.inverseMass, n) * change;
    b.angularVelocity = b.angularVelocity + (b.inverseInertia * leverB) * change;
    point.normalImpulse = impulse;
}

SUNDER_WIDE void solveFriction(const WideContact& block, WidePoint& point, const PointGeometry& at, WideBody& a, WideBody& b,
                               Mask active) {
    const WideVec3 velocityA = a.velocity + cross(a.angularVelocity, at.armA);
    const WideVec3 velocityB = b.velocity + cross(b.angularVelocity, at.armB);
    const WideVec3 slip = velocityB - velocityA - block.surfaceVelocity;
    const Wide slip1 = dot(slip, block.tangent1), slip2 = dot(slip, block.tangent2);
    Wide impulse1 = point.tangentImpulse1 - (point.tangentMass11 * slip1 + point.tangentMass12 * slip2);
    Wide impulse2 = point.tangentImpulse2 - (point.tangentMass12 * slip1 + point.tangentMass22 * slip2);
    const Wide limit = block.friction * point.normalImpulse, limitSquared = limit * limit;
    const Mask holds = limit > all(0);
    impulse1 = onlyWhere(holds, impulse1);
    impulse2 = onlyWhere(holds, impulse2);
    const Mask slides = impulse1 * impulse1 + impulse2 * impulse2 > limitSquared;
    if (any(slides & active)) {
        const Wide sliding1 = point.tangentImpulse1 - point.slidingMass * slip1;
        const Wide sliding2 = point.tangentImpulse2 - point.slidingMass * slip2;
        const Wide squared = sliding1 * sliding1 + sliding2 * sliding2;
        const Wide scale = select(squared > limitSquared, limit / squareRoot(squared), all(1));
        impulse1 = select(slides, sliding1 * scale, impulse1);
        impulse2 = select(slides, sliding2 * scale, impulse2);
    }
    impulse1 = select(active, impulse1, point.tangentImpulse1);
    impulse2 = select(active, impulse2, point.tangentImpulse2);
    const WideVec3 change =
        block.tangent1 * (impulse1 - point.tangentImpulse1) + block.tangent2 * (impulse2 - point.tangentImpulse2);
    point.tangentImpulse1 = impulse1;
    point.tangentImpulse2 = impulse2;
    applyPair(a, b, at, change);
}

SUNDER_WIDE void turnPair(WideBody& a, WideBody& b, const WideVec3& axis, Wide change) {
    a.angularVelocity = a.angularVelocity - (a.inverseInertia * axis) * change;
    b.angularVelocity = b.angularVelocity + (b.inverseInertia * axis) * change;
}

SUNDER_WIDE Wide angularMass(const WideBody& a, const WideBody& b, const WideVec3& axis) {
    const Wide k = dot(a.inverseInertia * axis + b.inverseInertia * axis, axis);
    return onlyWhere(k > all(0), all(1) / k);
}

SUNDER_WIDE void solveRotationalFriction(WideContact& block, WideBody& a, WideBody& b, Mask active) {
    Wide load = all(0);
    for (int i = 0; i < block.pointCount; ++i)
        load = load + block.points[i].normalImpulse;
    const Mask spins = active & (block.spinningFriction > all(0));
    if (any(spins)) {
        const Wide spin = dot(b.angularVelocity - a.angularVelocity, block.normal);
        const Wide limit = block.spinningFriction * load;
        const Wide wanted = block.spinningImpulse - angularMass(a, b, block.normal) * spin;
        const Wide clamped = select(wanted < -limit, -limit, select(wanted > limit, limit, wanted));
        const Wide impulse = select(spins, clamped, block.spinningImpulse);
        turnPair(a, b, block.normal, impulse - block.spinningImpulse);
        block.spinningImpulse = impulse;
    }
    const Mask rolls = active & (block.rollingFriction > all(0));
    if (any(rolls)) {
        const WideVec3 rolling = b.angularVelocity - a.angularVelocity;
        Wide impulse1 = block.rollingImpulse1 - angularMass(a, b, block.tangent1) * dot(rolling, block.tangent1);
        Wide impulse2 = block.rollingImpulse2 - angularMass(a, b, block.tangent2) * dot(rolling, block.tangent2);
        const Wide limit = block.rollingFriction * load;
        const Wide size = squareRoot(impulse1 * impulse1 + impulse2 * impulse2);
        const Wide scale = limit / size;
        impulse1 = select(rolls, select(size > limit, impulse1 * scale, impulse1), block.rollingImpulse1);
        impulse2 = select(rolls, select(size > limit, impulse2 * scale, impulse2), block.rollingImpulse2);
        turnPair(a, b, block.tangent1, impulse1 - block.rollingImpulse1);
        turnPair(a, b, block.tangent2, impulse2 - block.rollingImpulse2);
        block.rollingImpulse1 = impulse1;
        block.rollingImpulse2 = impulse2;
    }
}

SUNDER_WIDE WideVec3 impulseOf(const WideContact& block, const WidePoint& point) {
    return block.normal * point.normalImpulse + block.tangent1 * point.tangentImpulse1 + block.tangent2 * point.tangentImpulse2;
}

// By point: lanes in which it is under load or may touch in the coming substep.
struct ActivePoints {
    Mask points[collision::kMaxManifoldPoints];
    Mask any;
};

SUNDER_WIDE void followArms(WideContact& block, const PointGeometry* at, WideBody& a, WideBody& b, const ActivePoints& active) {
    const Wide zero = all(0);
    WideVec3 turnA{zero, zero, zero}, turnB = turnA;
    for (int i = 0; i < block.pointCount; ++i) {
        if (!any(active.points[i]))  // without impulses
            continue;
        WidePoint& point = block.points[i];
        const WideVec3 impulse = impulseOf(block, point);
        turnA = turnA + cross(at[i].armA - point.armA, impulse);
        turnB = turnB + cross(at[i].armB - point.armB, impulse);
        point.armA = at[i].armA;
        point.armB = at[i].armB;
    }
    a.angularVelocity = a.angularVelocity - a.inverseInertia * turnA;
    b.angularVelocity = b.angularVelocity + b.inverseInertia * turnB;
}

SUNDER_WIDE void sweep(WideContact& block, const PointGeometry* at, WideBody& a, WideBody& b, const ContactSettings& settings,
                       PointOrder order, Wide keptUnderLoad, const ActivePoints& active) {
    const int count = block.pointCount;
    const Wide one = all(1), zero = all(0), gap = all(kTouchingGap), share = all(settings.gentleShare);
    for (int k = 0; k < count; ++k) {
        const int i = order == PointOrder::Forward ? k : count - 1 - k;
        if (!any(active.points[i]))
            continue;
        const Wide s = at[i].separation;
        const Mask touches = s <= gap;
        const Wide held = min(-(all(settings.recoveryRate) * s), all(settings.recoverySpeed));
        const Wide clamped = select(s < zero, zero, select(s > gap, gap, s));
        const Wide free = -(max(s - gap, zero) * all(settings.inverseH) + all(settings.recoveryRate) * clamped);
        solveNormal(block, block.points[i], at[i], a, b, select(touches, held, free), select(touches, share, one),
                    select(touches, keptUnderLoad, one), active.points[i]);
    }
    for (int k = 0; k < count; ++k) {
        const int i = order == PointOrder::Forward ? k : count - 1 - k;
        if (any(active.points[i]))
            solveFriction(block, block.points[i], at[i], a, b, active.points[i]);
    }
    if (block.hasRotationalFriction)
        solveRotationalFriction(block, a, b, active.any);
}

SUNDER_WIDE void addFree(SolverBody* bodies, const std::uint32_t* index, std::uint32_t lanes, const WideVec3& linear,
                         const WideVec3& angular) {
    Real* first = &bodies->freeVelocity.x;
    Wide f[4], g[4];
    gatherFour(first, kStride, index, f);
    gatherFour(first + 4, kStride, index, g);
    const Wide f2[4] = {f[0] + linear.x, f[1] + linear.y, f[2] + linear.z, f[3] + angular.x};
    const Wide g2[4] = {g[0] + angular.y, g[1] + angular.z, g[2], g[3]};
    scatterFour(first, kStride, index, lanes, f2);
    scatterFour(first + 4, kStride, index, lanes, g2);
}

SUNDER_WIDE void forgetBlow(const WideContact& block, WidePoint& point, const PointGeometry& at, SolverBody* bodies,
                            const WideBody& a, const WideBody& b, Wide load, Mask blows) {
    const Wide share = select(blows, load / point.normalImpulse, all(1));
    const WideVec3 blow = impulseOf(block, point) * (all(1) - share);
    point.normalImpulse = point.normalImpulse * share;
    point.tangentImpulse1 = point.tangentImpulse1 * share;
    point.tangentImpulse2 = point.tangentImpulse2 * share;
    const WideVec3 linearA = multiply(a.inverseMass, blow), angularA = a.inverseInertia * cross(at.armA, blow);
    addFree(bodies, block.bodyA, block.movesA, linearA * all(-1), angularA * all(-1));
    addFree(bodies, block.bodyB, block.movesB, multiply(b.inverseMass, blow), b.inverseInertia * cross(at.armB, blow));
}

SUNDER_WIDE ActivePoints activePoints(const WideContact& block, const PointGeometry* at, const WideBody& a, const WideBody& b,
                                      const ContactSettings& settings) {
    const WideVec3 approach = b.velocity - a.velocity;
    const Wide speed = squareRoot(dot(approach, approach));
    ActivePoints active;
    active.any = Mask{};
    for (int i = 0; i < block.pointCount; ++i) {
        const WidePoint& point = block.points[i];
        const Mask loaded = point.present & (point.normalImpulse > all(0));
        active.points[i] = loaded;
        // Under load in every lane, as most are: none need be asked whether it is near.
        if (any(point.present & ~loaded)) {
            const WideVec3 turn = cross(b.angularVelocity, at[i].armB) - cross(a.angularVelocity, at[i].armA);
            const Wide turning = squareRoot(dot(turn, turn));
            const Mask near = at[i].separation < all(2 * settings.h) * (speed + turning) + all(kTouchingGap);
            active.points[i] |= point.present & near;
        }
        active.any |= active.points[i];
    }
    return active;
}

// What an idle lane computes is thrown away.
SUNDER_WIDE void pushOne(WideContact& block, SolverBody* bodies, const ContactSettings& settings, PointOrder order) {
    const WidePose poseA = loadPose(bodies, block.bodyA), poseB = loadPose(bodies, block.bodyB);
    const WideVec3 offset = offsetNow(block, poseA, poseB);
    WideBody a = loadBody(bodies, block.bodyA), b = loadBody(bodies, block.bodyB);
    PointGeometry at[collision::kMaxManifoldPoints];
    const int count = block.pointCount;
    for (int i = 0; i < count; ++i)
        at[i] = geometryOf(block, block.points[i], poseA, poseB, offset);
    ActivePoints active = activePoints(block, at, a, b, settings);
    if (!any(active.any))
        return;
    followArms(block, at, a, b, active);
    const Wide kept = all(1 - settings.leakRate * settings.h);
    Wide before[collision::kMaxManifoldPoints];
    for (int i = 0; i < count; ++i)
        before[i] = block.points[i].normalImpulse;
    sweep(block, at, a, b, settings, order, select(block.young, all(1), kept), active);
    if (any(active.any & block.young)) {
        ActivePoints young = active;
        young.any &= block.young;
        for (int i = 0; i < count; ++i)
            young.points[i] &= block.young;
        sweep(block, at, a, b, settings, opposite(order), kept, young);
    }
    for (int i = 0; i < count; ++i) {
        if (!any(active.points[i]))
            continue;
        WidePoint& point = block.points[i];
        point.totalNormalImpulse = point.totalNormalImpulse + point.normalImpulse;
        point.totalTangentImpulse1 = point.totalTangentImpulse1 + point.tangentImpulse1;
        point.totalTangentImpulse2 = point.totalTangentImpulse2 + point.tangentImpulse2;
        const Wide load = all(kBlow) * before[i] + point.normalMass * all(kGentle);
        const Mask blows = active.points[i] & (point.normalImpulse > load) & ~block.bounces;
        if (any(blows))
            forgetBlow(block, point, at[i], bodies, a, b, load, blows);
    }
    storeVelocity(bodies, block.bodyA, block.movesA, a);
    storeVelocity(bodies, block.bodyB, block.movesB, b);
}

void pushBlocks(WideContact* blocks, int count, SolverBody* bodies, const ContactSettings& settings, PointOrder order) {
    if (order == PointOrder::Forward)
        for (int i = 0; i < count; ++i)
            pushOne(blocks[i], bodies, settings, PointOrder::Forward);
    else
        for (int i = 0; i < count; ++i)
            pushOne(blocks[i], bodies, settings, PointOrder::Backward);
}

void startBlocks(WideContact* blocks, int count, SolverBody* bodies) {
    for (int k = 0; k < count; ++k) {
        WideContact& block = blocks[k];
        const WidePose poseA = loadPose(bodies, block.bodyA), poseB = loadPose(bodies, block.bodyB);
        const WideVec3 offset = offsetNow(block, poseA, poseB);
        WideBody a = loadBody(bodies, block.bodyA), b = loadBody(bodies, block.bodyB);
        PointGeometry at[collision::kMaxManifoldPoints];
        for (int i = 0; i < block.pointCount; ++i) {
            at[i] = geometryOf(block, block.points[i], poseA, poseB, offset);
            massesOf(block, block.points[i], at[i], a, b);
        }
        for (int i = 0; i < block.pointCount; ++i) {
            block.points[i].armA = at[i].armA;
            block.points[i].armB = at[i].armB;
        }
        for (int i = 0; i < block.pointCount; ++i) {
            const WidePoint& point = block.points[i];
            applyPair(a, b, at[i], impulseOf(block, point));
        }
        const WideVec3 angular = block.normal * block.spinningImpulse + block.tangent1 * block.rollingImpulse1 +
                                 block.tangent2 * block.rollingImpulse2;
        a.angularVelocity = a.angularVelocity - a.inverseInertia * angular;
        b.angularVelocity = b.angularVelocity + b.inverseInertia * angular;
        storeVelocity(bodies, block.bodyA, block.movesA, a);
        storeVelocity(bodies, block.bodyB, block.movesB, b);
    }
}

void measureBlock(WideContact& block, const SolverBody* bodies, WideSeparations& separations) {
    const WidePose poseA = loadPose(bodies, block.bodyA), poseB = loadPose(bodies, block.bodyB);
    const WideVec3 offset = offsetNow(block, poseA, poseB);
    for (int i = 0; i < block.pointCount; ++i) {
        const PointGeometry at = geometryOf(block, block.points[i], poseA, poseB, offset);
        block.points[i].armA = at.armA;
        block.points[i].armB = at.armB;
        separations.points[i] = at.separation;
    }
}

#include "dynamics/integrate/wide_substep.inl"

#include "dynamics/joints/wide_ball.inl"
