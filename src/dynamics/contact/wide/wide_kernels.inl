// The wide contact kernels, included once for every instruction set, each time in a namespace of its own. Every line does the
// arithmetic of soft_contact.cpp in the same order, which makes the bits equal. Nothing here may call an inline function of the
// standard library (see math/wide.h).

using namespace wide;

// Stored Lanes as the types that this instruction set computes with.
using Block = ContactBlock<Wide, Mask>;
using Rare = BlockRare<Wide, Mask>;
static_assert(sizeof(Block) == sizeof(WideContact));

#include "dynamics/body/wide_body.inl"

SUNDER_WIDE WideVec3 swung(const WideQuat& q, const BlockFrame<Wide, Mask>& frame, const WideVec3& anchor) {
    const WideVec3 axis = rotate(q, frame.axis), c = cross(frame.startAxis, axis);
    const Wide d = dot(frame.startAxis, axis);
    const WideVec3 turned = anchor * d + cross(c, anchor) + c * (dot(c, anchor) / (all(1) + d));
    return select(d > all(Real(-0.9)), turned, anchor);
}

SUNDER_WIDE WideVec3 surfaceArm(const WideQuat& q, const BlockFrame<Wide, Mask>* frame, const WideVec3& anchor) {
    const WideVec3 turned = rotate(q, anchor);
    if (frame == nullptr)
        return turned;
    const WideVec3 fromMiddle = select(frame->swings, swung(q, *frame, anchor), anchor);
    return select(frame->turns, turned, rotate(q, frame->center) + fromMiddle);
}

struct WideAxes {
    WideVec3 normal, tangent1, tangent2;
};
// The second tangent is computed rather than read: passes over many contacts wait for memory.
SUNDER_WIDE WideAxes axesOf(const Block& block) { return {block.normal, block.tangent1, cross(block.normal, block.tangent1)}; }

SUNDER_WIDE Mask presentAt(const Block& block, int point) { return block.count > all(Real(point)); }

// See contact_frame.h.
struct WidePlane {
    WideVec3 armA, armB;
    Wide x[collision::kMaxManifoldPoints], y[collision::kMaxManifoldPoints], z[collision::kMaxManifoldPoints];
    Wide separation[collision::kMaxManifoldPoints];
};

SUNDER_WIDE WidePlane planeOf(const Block& block, const WideAxes& axes, const WidePose& a, const WidePose& b) {
    WidePlane plane;
    const Wide zero = all(0);
    const WideVec3 offset = block.centerOffset + (b.displacement - a.displacement), nothing{zero, zero, zero};
    const BlockFrame<Wide, Mask>* frameA = block.allTurn ? nullptr : &block.rare->frameA;
    const BlockFrame<Wide, Mask>* frameB = block.allTurn ? nullptr : &block.rare->frameB;
    const Wide near = all(kTouchingGap);
    WideVec3 arms[collision::kMaxManifoldPoints], sum = nothing;
    Mask anyTouches = all(1) < zero;
    for (int i = 0; i < block.pointCount; ++i) {
        const WideVec3 surfaceA = surfaceArm(a.orientation, frameA, block.anchors[i].a);
        const WideVec3 surfaceB = surfaceArm(b.orientation, frameB, block.anchors[i].b);
        const WideVec3 gap = offset + surfaceB - surfaceA;
        plane.separation[i] = dot(gap, block.normal);
        arms[i] = surfaceA + gap * block.pointOnB;
        anyTouches = anyTouches | (presentAt(block, i) & (plane.separation[i] <= near));
    }
    Wide counted = zero;
    for (int i = 0; i < block.pointCount; ++i) {
        const Mask counts = presentAt(block, i) & (~anyTouches | (plane.separation[i] <= near));
        sum = sum + select(counts, arms[i], nothing);
        counted = counted + onlyWhere(counts, all(1));
    }
    plane.armA = sum * (all(1) / max(counted, all(1)));
    plane.armB = plane.armA - offset;
    for (int i = 0; i < block.pointCount; ++i) {
        const WideVec3 side = arms[i] - plane.armA;
        plane.x[i] = onlyWhere(presentAt(block, i), dot(side, axes.tangent1));
        plane.y[i] = onlyWhere(presentAt(block, i), dot(side, axes.tangent2));
        plane.z[i] = onlyWhere(presentAt(block, i), dot(side, axes.normal));
    }
    return plane;
}

struct WideScrew {
    WideVec3 along, across;
};

struct WideResponse {
    WideSym3 along, across;
    WideVec3 coupling1, coupling2, couplingSpin;
};

SUNDER_WIDE WideResponse responseOf(const WideAxes& axes, const WideBody& body, const WideVec3& arm) {
    const WideVec3 &n = axes.normal, &t = axes.tangent1, &s = axes.tangent2;
    const WideVec3 jn = body.inverseInertia * n, jt = body.inverseInertia * t, js = body.inverseInertia * s;
    const Wide nn = dot(jn, n), nt = dot(jn, t), ns = dot(jn, s), tt = dot(jt, t), ts = dot(jt, s), ss = dot(js, s);
    const WideVec3 mn = multiply(body.inverseMass, n), mt = multiply(body.inverseMass, t), ms = multiply(body.inverseMass, s);
    const Wide cn = dot(arm, n), ct = dot(arm, t), cs = dot(arm, s);
    // Spin caused by a unit impulse along each axis.
    const WideVec3 bn{nt * cs - ns * ct, tt * cs - ts * ct, ts * cs - ss * ct};
    const WideVec3 bt{ns * cn - nn * cs, ts * cn - nt * cs, ss * cn - ns * cs};
    const WideVec3 bs{nn * ct - nt * cn, nt * ct - tt * cn, ns * ct - ts * cn};
    WideResponse r;
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

SUNDER_WIDE WideVec3 acrossOf(const Block& block, const WideVec3& along) {
    return {dot(block.coupling1, along), dot(block.coupling2, along), dot(block.couplingSpin, along)};
}
SUNDER_WIDE WideVec3 alongOf(const Block& block, const WideVec3& across) {
    return block.coupling1 * across.x + block.coupling2 * across.y + block.couplingSpin * across.z;
}

// The sum of the manifold's impulses, as one screw about the origin.
SUNDER_WIDE WideScrew impulseOf(const Block& block) {
    const Wide zero = all(0);
    WideScrew sum{{zero, zero, zero}, {zero, zero, zero}};
    for (int i = 0; i < block.pointCount; ++i) {
        const BlockPoint<Wide>& p = block.points[i];
        sum.along = sum.along + WideVec3{p.normalImpulse, p.normalImpulse * p.y - p.z * p.tangentImpulse2,
                                         p.z * p.tangentImpulse1 - p.normalImpulse * p.x};
        sum.across =
            sum.across + WideVec3{p.tangentImpulse1, p.tangentImpulse2, p.x * p.tangentImpulse2 - p.y * p.tangentImpulse1};
    }
    const Rare* rare = block.rare;
    sum.along = sum.along + (rare ? WideVec3{zero, rare->rollingImpulse1, rare->rollingImpulse2} : WideVec3{zero, zero, zero});
    sum.across.z = sum.across.z + (rare ? rare->spinningImpulse : zero);
    return sum;
}

SUNDER_WIDE WideVec3 forceOf(const WideAxes& axes, const WideScrew& screw) {
    return axes.normal * screw.along.x + axes.tangent1 * screw.across.x + axes.tangent2 * screw.across.y;
}
SUNDER_WIDE WideVec3 torqueOf(const WideAxes& axes, const WideScrew& screw) {
    return axes.normal * screw.across.z + axes.tangent1 * screw.along.y + axes.tangent2 * screw.along.z;
}

SUNDER_WIDE void applyScrew(const Block& block, const WideAxes& axes, WideBody& a, WideBody& b, const WideScrew& impulse) {
    const WideVec3 force = forceOf(axes, impulse), torque = torqueOf(axes, impulse);
    a.velocity = a.velocity - multiply(a.inverseMass, force);
    a.angularVelocity = a.angularVelocity - a.inverseInertia * (torque + cross(block.armA, force));
    b.velocity = b.velocity + multiply(b.inverseMass, force);
    b.angularVelocity = b.angularVelocity + b.inverseInertia * (torque + cross(block.armB, force));
}

SUNDER_WIDE Wide leastResponse(const WideBody& a, const WideBody& b, const WideVec3& armA, const WideVec3& armB) {
    const Wide share = all(kLeastAnswer);
    const Wide linear = max(max(a.inverseMass.x, a.inverseMass.y), a.inverseMass.z) +
                        max(max(b.inverseMass.x, b.inverseMass.y), b.inverseMass.z);
    const WideSym3 &i = a.inverseInertia, &j = b.inverseInertia;
    const Wide angular = share * ((i.xx + i.yy + i.zz) * dot(armA, armA) + (j.xx + j.yy + j.zz) * dot(armB, armB));
    return select(linear > all(0), share * linear, angular);
}

SUNDER_WIDE Wide normalMassAt(const Block& block, Wide x, Wide y, Wide least, Mask present) {
    const WideSym3& r = block.alongResponse;
    const Wide two = all(2);
    const Wide k = r.xx + two * (y * r.xy - x * r.xz) + (y * y * r.yy - two * (x * y * r.yz) + x * x * r.zz);
    return onlyWhere(present & (k > least), all(1) / k);
}

SUNDER_WIDE Wide sizeOf(const WideBody& body, const WideVec3& arm) {
    return select(body.inverseInertia.xx > all(0), dot(arm, arm), all(kNoSize));
}

// Lays the frame at the current positions in the given lanes.
SUNDER_WIDE void layFrame(Block& block, const WideAxes& axes, const SolverBody* bodies, const WideBody& a, const WideBody& b,
                          const WideMotion& motionA, const WideMotion& motionB, Mask lanes) {
    const WidePlane plane = planeOf(block, axes, loadPose(bodies, block.bodyA), loadPose(bodies, block.bodyB));
    block.armA = select(lanes, plane.armA, block.armA);
    block.armB = select(lanes, plane.armB, block.armB);
    const WideResponse ra = responseOf(axes, a, block.armA), rb = responseOf(axes, b, block.armB);
    block.alongResponse = select(lanes, ra.along + rb.along, block.alongResponse);
    block.acrossResponse = select(lanes, ra.across + rb.across, block.acrossResponse);
    block.coupling1 = select(lanes, ra.coupling1 + rb.coupling1, block.coupling1);
    block.coupling2 = select(lanes, ra.coupling2 + rb.coupling2, block.coupling2);
    block.couplingSpin = select(lanes, ra.couplingSpin + rb.couplingSpin, block.couplingSpin);
    const Wide least = leastResponse(a, b, block.armA, block.armB);
    for (int i = 0; i < block.pointCount; ++i) {
        BlockPoint<Wide>& point = block.points[i];
        point.x = select(lanes, plane.x[i], point.x);
        point.y = select(lanes, plane.y[i], point.y);
        point.z = select(lanes, plane.z[i], point.z);
        point.separation = select(lanes, plane.separation[i], point.separation);
        point.normalMass = select(lanes, normalMassAt(block, point.x, point.y, least, presentAt(block, i)), point.normalMass);
    }
    block.offsetThen = select(lanes, motionB.displacement - motionA.displacement, block.offsetThen);
    block.turnedThenA = select(lanes, motionA.turned, block.turnedThenA);
    block.turnedThenB = select(lanes, motionB.turned, block.turnedThenB);
    // A lane without a manifold gets a bound that it never exceeds, or it would ask for a new frame in every substep.
    const Wide size = select(presentAt(block, 0), min(sizeOf(a, block.armA), sizeOf(b, block.armB)), all(kNoSize));
    block.slack = select(lanes, all(kFrameLag * kFrameLag) * size, block.slack);
}

struct WideFrameMotion {
    WideVec3 way, turn, wayA;
    Mask isFar, isVeryFar;
};

SUNDER_WIDE WideFrameMotion motionSince(const Block& block, const WideMotion& a, const WideMotion& b) {
    const WideVec3 turnA = a.turned - block.turnedThenA, turnB = b.turned - block.turnedThenB;
    const WideVec3 wayA = cross(turnA, block.armA), wayB = cross(turnB, block.armB);
    WideFrameMotion motion;
    motion.way = (b.displacement - a.displacement) - block.offsetThen + wayB - wayA;
    motion.turn = turnB - turnA;
    motion.wayA = wayA;
    const Wide most = max(max(dot(wayA, wayA), dot(wayB, wayB)), dot(motion.way, motion.way));
    motion.isFar = most > block.slack;
    motion.isVeryFar = most > all(square(kFrameShift / kFrameLag)) * block.slack;
    return motion;
}

SUNDER_WIDE WideScrew motionOf(const Block& block, const WideAxes& axes, const WideBody& a, const WideBody& b) {
    const WideVec3 velocity =
        b.velocity + cross(b.angularVelocity, block.armB) - a.velocity - cross(a.angularVelocity, block.armA);
    const WideVec3 spin = b.angularVelocity - a.angularVelocity;
    const WideVec3 slip = block.drives ? velocity - block.rare->surfaceVelocity : velocity;
    return {{dot(velocity, axes.normal), dot(spin, axes.tangent1), dot(spin, axes.tangent2)},
            {dot(slip, axes.tangent1), dot(slip, axes.tangent2), dot(spin, axes.normal)}};
}

SUNDER_WIDE void solveNormal(const Block& block, BlockPoint<Wide>& point, WideVec3& along, WideVec3& given, Wide target,
                             Wide share, Wide kept, Mask active) {
    const Wide velocity = along.x + (along.y * point.y - along.z * point.x);
    const Wide error = velocity - target, gentle = all(kGentle);
    const Wide part = select((error < gentle) & (error > -gentle), share, all(1));
    const Wide wanted = max(kept * (point.normalImpulse - part * point.normalMass * error), all(0));
    const Wide impulse = select(active, wanted, point.normalImpulse);
    const Wide change = impulse - point.normalImpulse;
    point.normalImpulse = impulse;
    const WideVec3 push{change, change * point.y, -(change * point.x)};
    along = along + block.alongResponse * push;
    given = given + push;
}

SUNDER_WIDE void solveFriction(const Block& block, BlockPoint<Wide>& point, WideScrew& motion, WideScrew& given, Mask active) {
    const Wide &x = point.x, &y = point.y, zero = all(0), two = all(2);
    const WideSym3& f = block.acrossResponse;
    const Wide slip1 = motion.across.x + motion.along.z * point.z - motion.across.z * y;
    const Wide slip2 = motion.across.y + motion.across.z * x - motion.along.y * point.z;
    const Wide k11 = f.xx - two * (y * f.xz) + y * y * f.zz;
    const Wide k12 = f.xy + x * f.xz - y * f.yz - x * y * f.zz;
    const Wide k22 = f.yy + two * (x * f.yz) + x * x * f.zz;
    const Wide determinant = k11 * k22 - k12 * k12, trace = k11 + k22;
    const Mask isFull = determinant > all(kFlatAnswer) * (trace * trace);
    const Wide inverse = onlyWhere(determinant > zero, all(1) / determinant);
    Wide impulse1 = point.tangentImpulse1 - (k22 * slip1 - k12 * slip2) * inverse;
    Wide impulse2 = point.tangentImpulse2 - (k11 * slip2 - k12 * slip1) * inverse;
    const Wide limit = block.friction * point.normalImpulse, limitSquared = limit * limit;
    const Mask holds = limit > all(0);
    impulse1 = onlyWhere(holds, impulse1);
    impulse2 = onlyWhere(holds, impulse2);
    const Mask slides = holds & (~isFull | (impulse1 * impulse1 + impulse2 * impulse2 > limitSquared));
    if (any(slides & active)) {
        const Wide most = trace + squareRoot((k11 - k22) * (k11 - k22) + all(4) * (k12 * k12));
        const Wide mass = onlyWhere(trace > zero, two / most);
        const Wide sliding1 = point.tangentImpulse1 - mass * slip1, sliding2 = point.tangentImpulse2 - mass * slip2;
        const Wide squared = sliding1 * sliding1 + sliding2 * sliding2;
        const Wide scale = select(squared > limitSquared, limit / squareRoot(squared), all(1));
        impulse1 = select(slides, sliding1 * scale, impulse1);
        impulse2 = select(slides, sliding2 * scale, impulse2);
    }
    impulse1 = select(active, impulse1, point.tangentImpulse1);
    impulse2 = select(active, impulse2, point.tangentImpulse2);
    const Wide change1 = impulse1 - point.tangentImpulse1, change2 = impulse2 - point.tangentImpulse2;
    point.tangentImpulse1 = impulse1;
    point.tangentImpulse2 = impulse2;
    const WideVec3 drag{change1, change2, point.x * change2 - point.y * change1};
    motion.across = motion.across + block.acrossResponse * drag;
    motion.along = motion.along + alongOf(block, drag);
    given.across = given.across + drag;
    given.along = given.along + WideVec3{zero, -(point.z * change2), point.z * change1};
}

SUNDER_WIDE Wide inverseOr0(Wide k) { return onlyWhere(k > all(0), all(1) / k); }

SUNDER_WIDE void solveRotationalFriction(Block& block, WideScrew& motion, WideScrew& given, Mask active) {
    Rare& rare = *block.rare;
    Wide load = all(0);
    for (int i = 0; i < block.pointCount; ++i)
        load = load + block.points[i].normalImpulse;
    const Mask spins = active & (rare.spinningFriction > all(0));
    if (any(spins)) {
        const Wide limit = rare.spinningFriction * load;
        const Wide wanted = rare.spinningImpulse - inverseOr0(block.acrossResponse.zz) * motion.across.z;
        const Wide clamped = select(wanted < -limit, -limit, select(wanted > limit, limit, wanted));
        const Wide impulse = select(spins, clamped, rare.spinningImpulse);
        const WideVec3 drag{all(0), all(0), impulse - rare.spinningImpulse};
        rare.spinningImpulse = impulse;
        motion.across = motion.across + block.acrossResponse * drag;
        motion.along = motion.along + alongOf(block, drag);
        given.across = given.across + drag;
    }
    const Mask rolls = active & (rare.rollingFriction > all(0));
    if (any(rolls)) {
        Wide impulse1 = rare.rollingImpulse1 - inverseOr0(block.alongResponse.yy) * motion.along.y;
        Wide impulse2 = rare.rollingImpulse2 - inverseOr0(block.alongResponse.zz) * motion.along.z;
        const Wide limit = rare.rollingFriction * load;
        const Wide size = squareRoot(impulse1 * impulse1 + impulse2 * impulse2);
        const Wide scale = limit / size;
        impulse1 = select(rolls, select(size > limit, impulse1 * scale, impulse1), rare.rollingImpulse1);
        impulse2 = select(rolls, select(size > limit, impulse2 * scale, impulse2), rare.rollingImpulse2);
        const WideVec3 drag{all(0), impulse1 - rare.rollingImpulse1, impulse2 - rare.rollingImpulse2};
        rare.rollingImpulse1 = impulse1;
        rare.rollingImpulse2 = impulse2;
        motion.along = motion.along + block.alongResponse * drag;
        motion.across = motion.across + acrossOf(block, drag);
        given.along = given.along + drag;
    }
}

// By point: lanes in which it carries load or may touch in the coming substep.
struct ActivePoints {
    Mask points[collision::kMaxManifoldPoints];
    Mask any;
};

SUNDER_WIDE void sweep(Block& block, const Wide* separation, WideScrew& motion, WideScrew& given,
                       const ContactSettings& settings, PointOrder order, Wide keptUnderLoad, const ActivePoints& active,
                       bool goesOn) {
    const int count = block.pointCount;
    const Wide one = all(1), zero = all(0), gap = all(kTouchingGap), share = all(settings.gentleShare);
    const Wide full = all(settings.recoveryRate), recovery = select(block.firm, all(settings.firmRecoveryRate), full);
    const Wide depth = all(kFirmDepth);
    WideVec3 push{zero, zero, zero};
    WideScrew drag{push, push};
    for (int k = 0; k < count; ++k) {
        const int i = order == PointOrder::Forward ? k : count - 1 - k;
        if (!any(active.points[i]))
            continue;
        const Wide s = separation[i];
        const Mask touches = s <= gap;
        const Wide beyond = max(-s - depth, zero);
        const Wide firm = recovery * min(-s, depth) + full * beyond;
        const Wide held = min(select(block.firm, firm, -(full * s)), all(settings.recoverySpeed));
        const Wide clamped = select(s < zero, zero, select(s > gap, gap, s));
        const Wide free = -(max(s - gap, zero) * all(settings.inverseH) + recovery * clamped);
        solveNormal(block, block.points[i], motion.along, push, select(touches, held, free), select(touches, share, one),
                    select(touches, keptUnderLoad, one), active.points[i]);
    }
    given.along = given.along + push;
    motion.across = motion.across + acrossOf(block, push);
    for (int k = 0; k < count; ++k) {
        const int i = order == PointOrder::Forward ? k : count - 1 - k;
        if (any(active.points[i]))
            solveFriction(block, block.points[i], motion, drag, active.points[i]);
    }
    given.along = given.along + drag.along;
    given.across = given.across + drag.across;
    if (goesOn || block.hasRotationalFriction) {
        motion.along = motion.along + block.alongResponse * drag.along;
        motion.across = motion.across + acrossOf(block, drag.along);
    }
    if (block.hasRotationalFriction)
        solveRotationalFriction(block, motion, given, active.any);
}

SUNDER_WIDE void addFree(SolverBody* bodies, const std::uint32_t* index, std::uint32_t lanes, const WideVec3& linear,
                         const WideVec3& angular) {
    Real* first = &bodies->displacement.x + 8;
    Wide f[4], g[4];
    gatherFour(first, kStride, index, f);
    gatherFour(first + 4, kStride, index, g);
    const Wide f2[4] = {f[0], f[1], f[2] + linear.x, f[3] + linear.y};
    const Wide g2[4] = {g[0] + linear.z, g[1] + angular.x, g[2] + angular.y, g[3] + angular.z};
    scatterFour(first, kStride, index, lanes, f2);
    scatterFour(first + 4, kStride, index, lanes, g2);
}

// Reduces the point's impulse to what may be a steady load and adds the rest to `blow`, which is not carried on.
SUNDER_WIDE void forgetBlow(BlockPoint<Wide>& point, Wide load, Mask blows, WideScrew& blow) {
    const Wide share = select(blows, load / point.normalImpulse, all(1)), rest = all(1) - share;
    const Wide n = point.normalImpulse * rest, t1 = point.tangentImpulse1 * rest, t2 = point.tangentImpulse2 * rest;
    blow.along = blow.along + WideVec3{n, n * point.y, -(n * point.x)};
    blow.along = blow.along + WideVec3{all(0), -(point.z * t2), point.z * t1};
    blow.across = blow.across + WideVec3{t1, t2, point.x * t2 - point.y * t1};
    point.normalImpulse = point.normalImpulse * share;
    point.tangentImpulse1 = point.tangentImpulse1 * share;
    point.tangentImpulse2 = point.tangentImpulse2 * share;
}

SUNDER_WIDE void freeBodies(const Block& block, const WideAxes& axes, SolverBody* bodies, const WideBody& a, const WideBody& b,
                            const WideScrew& blow, std::uint32_t lanes) {
    const WideVec3 force = forceOf(axes, blow), torque = torqueOf(axes, blow);
    const WideVec3 linearA = multiply(a.inverseMass, force), angularA = a.inverseInertia * (torque + cross(block.armA, force));
    addFree(bodies, block.bodyA, block.movesA & lanes, linearA * all(-1), angularA * all(-1));
    addFree(bodies, block.bodyB, block.movesB & lanes, multiply(b.inverseMass, force),
            b.inverseInertia * (torque + cross(block.armB, force)));
}

SUNDER_WIDE ActivePoints activePoints(const Block& block, const Wide* separation, const WideScrew& motion,
                                      const ContactSettings& settings) {
    ActivePoints active;
    active.any = Mask{};
    Mask idle{};
    for (int i = 0; i < block.pointCount; ++i) {
        const BlockPoint<Wide>& point = block.points[i];
        const Mask present = presentAt(block, i);
        active.points[i] = present & (point.normalImpulse > all(0));
        idle |= present & ~active.points[i];
        active.any |= active.points[i];
    }
    // Most blocks are loaded in every lane; then no gap need be tested.
    if (!any(idle))
        return active;
    const WideVec3 &u = motion.along, &v = motion.across;
    const Wide speed = squareRoot(u.x * u.x + v.x * v.x + v.y * v.y), spin = squareRoot(u.y * u.y + u.z * u.z + v.z * v.z);
    for (int i = 0; i < block.pointCount; ++i) {
        const BlockPoint<Wide>& point = block.points[i];
        const Wide turning = spin * squareRoot(point.x * point.x + point.y * point.y);
        const Mask near = separation[i] < all(2 * settings.h) * (speed + turning) + all(kTouchingGap);
        active.points[i] |= presentAt(block, i) & near;
        active.any |= active.points[i];
    }
    return active;
}

// The bodies repeat the last substep's impulses about their centres with the old arms' moments; this corrects the moments for
// the change of the arms.
SUNDER_WIDE void turnWithArms(const Block& block, WideBody& a, WideBody& b, const WideVec3& armA, const WideVec3& armB,
                              const WideVec3& turn, const WideVec3& force, Mask lanes) {
    const WideVec3 turnedA = a.angularVelocity - a.inverseInertia * (turn + cross(block.armA - armA, force));
    const WideVec3 turnedB = b.angularVelocity + b.inverseInertia * (turn + cross(block.armB - armB, force));
    a.angularVelocity = select(lanes, turnedA, a.angularVelocity);
    b.angularVelocity = select(lanes, turnedB, b.angularVelocity);
}

// Lays the frame anew in lanes whose bodies have moved very far. Not inlined: it is rare and long, and would push the common
// path out of the instruction cache.
static __attribute__((noinline)) void layAnew(Block& block, const WideAxes& axes, const SolverBody* bodies, WideBody& a,
                                              WideBody& b, const WideMotion& motionA, const WideMotion& motionB, Mask lanes) {
    const WideVec3 torqueBefore = torqueOf(axes, impulseOf(block)), armA = block.armA, armB = block.armB;
    layFrame(block, axes, bodies, a, b, motionA, motionB, lanes);
    const WideScrew now = impulseOf(block);
    turnWithArms(block, a, b, armA, armB, torqueOf(axes, now) - torqueBefore, forceOf(axes, now), lanes);
}

SUNDER_WIDE void findSeparations(const Block& block, const WideAxes& axes, const WideFrameMotion& since, Wide* separation) {
    const Wide lift = dot(since.way, axes.normal);
    const Wide tilt1 = dot(since.turn, axes.tangent1), tilt2 = dot(since.turn, axes.tangent2);
    for (int i = 0; i < block.pointCount; ++i) {
        const BlockPoint<Wide>& point = block.points[i];
        separation[i] = point.separation + (lift + (tilt1 * point.y - tilt2 * point.x));
    }
}

// Shifts the frame in lanes whose bodies have moved far. The moments about its origin stay.
static __attribute__((noinline)) void shiftFrame(Block& block, const WideAxes& axes, const WideFrameMotion& since, WideBody& a,
                                                 WideBody& b, const WideMotion& motionA, const WideMotion& motionB,
                                                 Mask lanes) {
    const WideVec3 offset = motionB.displacement - motionA.displacement, armA = block.armA, armB = block.armB;
    const WideVec3 shiftedA = armA + since.wayA + since.way * block.pointOnB;
    block.armA = select(lanes, shiftedA, armA);
    block.armB = select(lanes, shiftedA - (block.centerOffset + offset), armB);
    Wide separation[collision::kMaxManifoldPoints];
    findSeparations(block, axes, since, separation);
    for (int i = 0; i < block.pointCount; ++i)
        block.points[i].separation = select(lanes, separation[i], block.points[i].separation);
    block.offsetThen = select(lanes, offset, block.offsetThen);
    block.turnedThenA = select(lanes, motionA.turned, block.turnedThenA);
    block.turnedThenB = select(lanes, motionB.turned, block.turnedThenB);
    const Wide zero = all(0);
    turnWithArms(block, a, b, armA, armB, {zero, zero, zero}, forceOf(axes, impulseOf(block)), lanes);
}

// Lanes whose frame is laid anew: contact points of round bodies do not turn with them, as a shift would have it.
SUNDER_WIDE Mask newFrames(const Block& block, const WideFrameMotion& since) {
    if (block.allTurn)
        return since.isVeryFar;
    return since.isVeryFar | (since.isFar & ~(block.rare->frameA.turns & block.rare->frameB.turns));
}

// Idle lanes compute too; their results are discarded, to the sign of a zero: whether a lane computes depends on the others of
// its block, and how many these are on the machine.
SUNDER_WIDE void pushOne(Block& block, SolverBody* bodies, const ContactSettings& settings, PointOrder order) {
    const WideAxes axes = axesOf(block);
    const WideMotion motionA = loadMotion(bodies, block.bodyA), motionB = loadMotion(bodies, block.bodyB);
    WideBody a = loadBody(bodies, block.bodyA), b = loadBody(bodies, block.bodyB);
    WideFrameMotion since = motionSince(block, motionA, motionB);
    if (any(since.isFar)) {
        const Mask lays = newFrames(block, since);
        if (const Mask shifts = since.isFar & ~lays; any(shifts))
            shiftFrame(block, axes, since, a, b, motionA, motionB, shifts);
        if (any(lays))
            layAnew(block, axes, bodies, a, b, motionA, motionB, lays);
        since = motionSince(block, motionA, motionB);
    }
    const int count = block.pointCount;
    Wide separation[collision::kMaxManifoldPoints], before[collision::kMaxManifoldPoints];
    findSeparations(block, axes, since, separation);
    for (int i = 0; i < count; ++i)
        before[i] = block.points[i].normalImpulse;
    WideScrew motion = motionOf(block, axes, a, b);
    const ActivePoints active = activePoints(block, separation, motion, settings);
    if (!any(active.any))
        return;
    const Wide zero = all(0), kept = select(block.firm, all(1), all(1 - settings.leakRate * settings.h));
    WideScrew given{{zero, zero, zero}, {zero, zero, zero}};
    const bool isAnyYoung = any(active.any & block.young);
    sweep(block, separation, motion, given, settings, order, select(block.young, all(1), kept), active, isAnyYoung);
    if (isAnyYoung) {
        ActivePoints young = active;
        young.any &= block.young;
        for (int i = 0; i < count; ++i)
            young.points[i] &= block.young;
        sweep(block, separation, motion, given, settings, opposite(order), kept, young, false);
    }
    applyScrew(block, axes, a, b, given);
    WideScrew blow{{zero, zero, zero}, {zero, zero, zero}};
    Mask anyBlow{};
    for (int i = 0; i < count; ++i) {
        if (!any(active.points[i]))
            continue;
        BlockPoint<Wide>& point = block.points[i];
        point.totalNormalImpulse = point.totalNormalImpulse + point.normalImpulse;
        point.totalTangentImpulse1 = point.totalTangentImpulse1 + point.tangentImpulse1;
        point.totalTangentImpulse2 = point.totalTangentImpulse2 + point.tangentImpulse2;
        const Wide load = all(kBlow) * before[i] + point.normalMass * all(settings.blowSpeed);
        const Mask blows = active.points[i] & (point.normalImpulse > load) & ~block.bounces;
        if (any(blows)) {
            forgetBlow(point, load, blows, blow);
            anyBlow |= blows;
        }
    }
    if (const std::uint32_t struck = laneBits(anyBlow); struck != 0)
        freeBodies(block, axes, bodies, a, b, blow, struck);
    const std::uint32_t pushed = laneBits(active.any);
    storeVelocity(bodies, block.bodyA, block.movesA & pushed, a);
    storeVelocity(bodies, block.bodyB, block.movesB & pushed, b);
}

void pushBlocks(WideContact* stored, int count, SolverBody* bodies, const ContactSettings& settings, PointOrder order) {
    for (int i = 0; i < count; ++i)
        pushOne(reinterpret_cast<Block&>(stored[i]), bodies, settings, order);
}

void startBlocks(WideContact* stored, int count, SolverBody* bodies) {
    Block* blocks = reinterpret_cast<Block*>(stored);
    for (int k = 0; k < count; ++k) {
        Block& block = blocks[k];
        WideBody a = loadBody(bodies, block.bodyA), b = loadBody(bodies, block.bodyB);
        const WideAxes axes = axesOf(block);
        layFrame(block, axes, bodies, a, b, loadMotion(bodies, block.bodyA), loadMotion(bodies, block.bodyB), ~Mask{});
        applyScrew(block, axes, a, b, impulseOf(block));
        storeVelocity(bodies, block.bodyA, block.movesA, a);
        storeVelocity(bodies, block.bodyB, block.movesB, b);
    }
}

#include "dynamics/contact/wide/wide_pack.inl"

#include "dynamics/integrate/wide_substep.inl"

#include "dynamics/joints/ball/wide_ball.inl"
#include "dynamics/joints/bundle/wide_bundle.inl"
