// Sweeps over bundles of joints, see joints/bundle/joint_bundle.h. Part of contact/wide/wide_kernels.inl.

static_assert(sizeof(BundleJoint<Wide>) == sizeof(WideBundleJoint));
static_assert(sizeof(TurnRow<Wide>) == sizeof(WideTurnRow));

// Most sweeps in a substep. A group at rest takes one, in a fall two or three (docs/joints.md).
constexpr int kMostSweeps = 4;

SUNDER_WIDE void applyTurn(WideBody& a, WideBody& b, const WideVec3& turn) {
    a.angularVelocity = a.angularVelocity - a.inverseInertia * turn;
    b.angularVelocity = b.angularVelocity + b.inverseInertia * turn;
}

SUNDER_WIDE Wide magnitude(const Wide& x) { return max(x, -x); }
SUNDER_WIDE Wide largest(const WideVec3& v) { return max(magnitude(v.x), max(magnitude(v.y), magnitude(v.z))); }

void startBundle(const BundleView& bundle, SolverBody* bodies) {
    for (int k = 0; k < bundle.count; ++k) {
        BundleJoint<Wide>& joint = reinterpret_cast<BundleJoint<Wide>&>(bundle.joints[k]);
        TurnRow<Wide>* rows = reinterpret_cast<TurnRow<Wide>*>(bundle.rows + joint.firstRow);
        const WidePose poseA = loadPose(bodies, joint.bodyA), poseB = loadPose(bodies, joint.bodyB);
        WideBody a = loadBody(bodies, joint.bodyA), b = loadBody(bodies, joint.bodyB);
        joint.armA = rotate(poseA.orientation, joint.anchorA);
        joint.armB = rotate(poseB.orientation, joint.anchorB);
        applyAt(a, b, joint.armA, joint.armB, joint.impulse);
        applyTurn(a, b, joint.rub);
        for (int i = 0; i < joint.rowCount; ++i) {
            rows[i].world = rotate(poseA.orientation, rows[i].axis) * rows[i].side;
            applyTurn(a, b, rows[i].world * rows[i].impulse);
        }
        storeVelocity(bodies, joint.bodyA, joint.movesA, a);
        storeVelocity(bodies, joint.bodyB, joint.movesB, b);
    }
}

SUNDER_WIDE WideQuat product(const WideQuat& a, const WideQuat& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

SUNDER_WIDE Mask isOf(const TurnRow<Wide>& row, TurnKind kind) {
    const Real number = static_cast<Real>(static_cast<int>(kind));
    return (all(number - Real(0.5)) < row.kind) & (row.kind < all(number + Real(0.5)));
}

// How the two frames of a joint lie relative to each other.
struct WideTurn {
    WideQuat frameA;        // world from joint
    WideQuat turn;          // of B's frame against A's, in A's frame; of q and -q, the one nearer to the middle of the twist's limits
    WideVec3 tilt;          // axisA x axisB
    Wide sine, cosine;      // of the swing
};

SUNDER_WIDE WideTurn turnOf(const BundleJoint<Wide>& joint, const WideQuat& a, const WideQuat& b) {
    WideTurn at;
    at.frameA = product(a, {joint.frameA.x, joint.frameA.y, joint.frameA.z, joint.frameA.w});
    const WideQuat frameB = product(b, {joint.frameB.x, joint.frameB.y, joint.frameB.z, joint.frameB.w});
    const WideQuat q = product({-at.frameA.x, -at.frameA.y, -at.frameA.z, at.frameA.w}, frameB);
    const Mask isOther = q.w * joint.middleCosine + q.x * joint.middleSine < all(0);
    const Wide sign = select(isOther, all(-1), all(1));
    at.turn = {q.x * sign, q.y * sign, q.z * sign, q.w * sign};
    const WideVec3 x{all(1), all(0), all(0)};
    const WideVec3 axisA = rotate(at.frameA, x), axisB = rotate(frameB, x);
    at.tilt = cross(axisA, axisB);
    at.sine = squareRoot(dot(at.tilt, at.tilt));
    at.cosine = dot(axisA, axisB);
    return at;
}

// A limit as a row: its axis points away from the wall, and its error is the angle to the wall.
struct WideWall {
    WideVec3 axis;
    Wide error, side;
};

// The error is the sine of the angle to the cone, up to a right angle beyond it. Without a swing there is no axis, and the row's
// own serves.
SUNDER_WIDE WideWall coneWall(const BundleJoint<Wide>& joint, const WideTurn& at, const WideVec3& other) {
    const Wide beyond = at.sine * joint.coneCosine - at.cosine * joint.coneSine;
    const Mask isFar = at.cosine * joint.coneCosine + at.sine * joint.coneSine < all(0), hasAxis = at.sine > all(Real(1e-4));
    const WideVec3 away = at.tilt * (all(-1) / select(hasAxis, at.sine, all(1)));
    return {select(hasAxis, away, other), select(isFar, select(beyond > all(0), all(-1), all(1)), -beyond), all(-1)};
}

// Four times the arc tangent of t in [0, 1], with an error below 1e-12: two halvings of the angle bring t below tan(pi / 16), a
// series does the rest.
SUNDER_WIDE Wide fourArcTangents(const Wide& t) {
    const Wide one = all(1);
    const Wide u = t / (one + squareRoot(one + t * t)), v = u / (one + squareRoot(one + u * u)), s = v * v;
    Wide sum = all(0);
    for (int k = 7; k >= 0; --k)
        sum = all((k % 2 == 0 ? Real(1) : Real(-1)) / Real(2 * k + 1)) + sum * s;
    return all(16) * v * sum;
}

// See limitOvalCone in angle_limits.cpp. The swing's angle is 4 atan(p / (1 + r)) with p and r the sine and cosine of its half.
SUNDER_WIDE WideWall ovalWall(const BundleJoint<Wide>& joint, const WideTurn& at) {
    const WideQuat& q = at.turn;
    const Wide zero = all(0), one = all(1);
    const Wide p = squareRoot(q.y * q.y + q.z * q.z), r = squareRoot(q.x * q.x + q.w * q.w);
    const Wide angle = fourArcTangents(min(p / (one + r), one));
    const Wide y = (q.x * q.y + q.w * q.z) * all(2), z = (q.x * q.z - q.w * q.y) * all(2);  // of B's axis in A's frame
    const Wide sine = squareRoot(y * y + z * z);
    const Mask hasDirection = sine > all(Real(1e-3));
    const Wide inverse = one / select(hasDirection, sine, one);
    const Wide dY = onlyWhere(hasDirection, y * inverse), dZ = select(hasDirection, z * inverse, one);
    const Wide scaledY = -dZ * joint.perSwingY, scaledZ = dY * joint.perSwingZ;
    const Wide size = squareRoot(scaledY * scaledY + scaledZ * scaledZ);
    const Wide slopeY = scaledY * joint.perSwingY / size, slopeZ = scaledZ * joint.perSwingZ / size;
    const Wide cotangent = select(hasDirection, angle * at.cosine * inverse, one);
    const Wide outward = slopeZ * dY - slopeY * dZ, across = slopeY * dY + slopeZ * dZ;  // slope . u and slope . d
    const WideVec3 g{-angle * across, dY * (cotangent * across) - dZ * outward, dZ * (cotangent * across) + dY * outward};
    const Wide rate = squareRoot(dot(g, g)), perRate = onlyWhere(rate > zero, one / rate);
    return {rotate(at.frameA, g * -perRate), (one - size * angle) * perRate, all(-1)};
}

// See fromTwistWall in angle_limits.cpp: s = x cos(wall / 2) - w sin(wall / 2) is r sin of half the way from the wall, with r the
// cosine of half the swing, and 2 s has the gradient g. Near r = 0 the twist is undefined, and a wall ahead does not count.
SUNDER_WIDE WideWall twistWall(const BundleJoint<Wide>& joint, const WideTurn& at) {
    const WideQuat& q = at.turn;
    const Wide fromMiddle = q.x * joint.middleCosine - q.w * joint.middleSine;
    const Wide side = select(fromMiddle < all(0), all(1), all(-1));
    const Wide cosine = joint.middleCosine * joint.wallCosine + side * joint.middleSine * joint.wallSine;
    const Wide sine = joint.middleSine * joint.wallCosine - side * joint.middleCosine * joint.wallSine;
    const Wide gap = side * (q.x * cosine - q.w * sine) * all(2);
    const WideVec3 g{q.w * cosine + q.x * sine, q.z * cosine + q.y * sine, q.z * sine - q.y * cosine};
    const Mask isVague = (q.x * q.x + q.w * q.w < all(Real(0.1))) & (gap > all(0));
    return {rotate(at.frameA, g * side), select(isVague, all(Real(1e3)), gap), side};
}

// Finds arms and axes where the bodies are now, and corrects what the repeated impulses of the last substep give along them.
SUNDER_WIDE void refresh(BundleJoint<Wide>& joint, TurnRow<Wide>* rows, SolverBody* bodies) {
    const WidePose poseA = loadPose(bodies, joint.bodyA), poseB = loadPose(bodies, joint.bodyB);
    const WideMotion motionA = loadMotion(bodies, joint.bodyA), motionB = loadMotion(bodies, joint.bodyB);
    WideBody a = loadBody(bodies, joint.bodyA), b = loadBody(bodies, joint.bodyB);
    const WideVec3 rA = rotate(poseA.orientation, joint.anchorA), rB = rotate(poseB.orientation, joint.anchorB);
    a.angularVelocity = a.angularVelocity - a.inverseInertia * cross(rA - joint.armA, joint.impulse);
    b.angularVelocity = b.angularVelocity + b.inverseInertia * cross(rB - joint.armB, joint.impulse);
    joint.armA = rA;
    joint.armB = rB;
    WideSym3 response = responseAt(a, rA) + responseAt(b, rB);
    response.xx = response.xx + joint.softness;
    response.yy = response.yy + joint.softness;
    response.zz = response.zz + joint.softness;
    joint.mass = inverseOf(response);
    const WideVec3 gap = joint.centerOffset + (poseB.displacement - poseA.displacement) + rB - rA;
    const WideVec3 wanted = gap * joint.rate;
    const Wide fast = joint.fastest, slow = -fast;
    joint.bias = {max(min(wanted.x, fast), slow), max(min(wanted.y, fast), slow), max(min(wanted.z, fast), slow)};
    const WideVec3 turned = motionB.turned - motionA.turned;
    const WideTurn at = turnOf(joint, poseA.orientation, poseB.orientation);
    for (int i = 0; i < joint.rowCount; ++i) {
        TurnRow<Wide>& row = rows[i];
        const Mask isCone = isOf(row, TurnKind::Cone), isOval = isOf(row, TurnKind::OvalCone);
        const Mask isTwist = isOf(row, TurnKind::Twist), hasWalls = isOf(row, TurnKind::Walls);
        const WideVec3 own = rotate(poseA.orientation, row.axis);
        const Wide followed = row.error + dot(own, turned);
        const Wide nearSide = select(followed < all(0), all(1), all(-1));
        const WideWall cone = coneWall(joint, at, row.world), oval = any(isOval) ? ovalWall(joint, at) : cone,
                       twist = twistWall(joint, at);
        const WideWall walls{own * nearSide, row.half + nearSide * followed, nearSide};
        const Wide error = select(isOf(row, TurnKind::Aligned), dot(own, at.tilt),
                                  select(isOf(row, TurnKind::Driven), row.error, followed));
        const WideWall other{own, error, all(1)};
        const auto chosen = [&](const auto& of) __attribute__((always_inline)) {
            const auto wall = select(isTwist, of(twist), select(hasWalls, of(walls), of(other)));
            return select(isCone, of(cone), select(isOval, of(oval), wall));
        };
        const WideVec3 axis = chosen([](const WideWall& wall) __attribute__((always_inline)) { return wall.axis; });
        const Wide side = chosen([](const WideWall& wall) __attribute__((always_inline)) { return wall.side; });
        const Wide way = chosen([](const WideWall& wall) __attribute__((always_inline)) { return wall.error; });
        // An impulse away from the other wall ends.
        const Wide impulse = onlyWhere(side * row.side > all(0), row.impulse);
        applyTurn(a, b, axis * impulse - row.world * row.impulse);
        row.impulse = impulse;
        row.world = axis;
        row.side = side;
        row.bias = select(way > all(0), min(way * row.rateAhead, row.fastestAhead), max(way * row.rate, -row.fastest));
    }
    storeVelocity(bodies, joint.bodyA, joint.movesA, a);
    storeVelocity(bodies, joint.bodyB, joint.movesB, b);
}

// turnError and pointError: by how much a row, and the point, miss their equation (rad/s, m/s).
SUNDER_WIDE Wide turnError(const TurnRow<Wide>& row, const WideBody& a, const WideBody& b) {
    return dot(row.world, b.angularVelocity - a.angularVelocity) + row.bias + row.softness * row.impulse;
}
SUNDER_WIDE WideVec3 pointError(const BundleJoint<Wide>& joint, const WideBody& a, const WideBody& b, const Wide& halfStep) {
    const WideVec3 spinA = cross(a.angularVelocity, joint.armA), spinB = cross(b.angularVelocity, joint.armB);
    const WideVec3 curvature = (cross(b.angularVelocity, spinB) - cross(a.angularVelocity, spinA)) * halfStep;
    return (b.velocity + spinB) - (a.velocity + spinA) + joint.bias + curvature + joint.impulse * joint.softness;
}

// Holds back what slides along the stops of a cone_twist, and what turns under load: one direction, that of the slip.
SUNDER_WIDE void rub(BundleJoint<Wide>& joint, const TurnRow<Wide>* rows, WideBody& a, WideBody& b) {
    const Wide zero = all(0), one = all(1), firstStop = all(static_cast<Real>(static_cast<int>(TurnKind::Cone)) - Real(0.5));
    WideVec3 slip = b.angularVelocity - a.angularVelocity;
    Wide load = zero;
    for (int i = 0; i < joint.rowCount; ++i) {
        const Wide torque = onlyWhere(rows[i].kind > firstStop, rows[i].impulse);
        load = load + torque;
        slip = slip - rows[i].world * onlyWhere(torque > zero, dot(rows[i].world, slip));
    }
    const Wide most = joint.stopFriction * load + joint.bearing * squareRoot(dot(joint.impulse, joint.impulse));
    const Mask acts = (most > zero) | (dot(joint.rub, joint.rub) > zero);
    if (!any(acts))
        return;
    // The answer per slip; its direction does not matter where there is no slip.
    const Wide k = dot(slip, a.inverseInertia * slip) + dot(slip, b.inverseInertia * slip), speed2 = dot(slip, slip);
    WideVec3 next = joint.rub - slip * onlyWhere(k > zero, speed2 / k);
    const Wide size = squareRoot(dot(next, next));
    next = next * select(size > most, most / size, one);
    WideBody rubbedA = a, rubbedB = b;
    applyTurn(rubbedA, rubbedB, next - joint.rub);
    joint.rub = select(acts, next, joint.rub);
    a.angularVelocity = select(acts, rubbedA.angularVelocity, a.angularVelocity);
    b.angularVelocity = select(acts, rubbedB.angularVelocity, b.angularVelocity);
}

// Solves a joint in the lanes that are still open. Returns those of them in which an error was above its tolerance.
SUNDER_WIDE Mask sweepJoint(BundleJoint<Wide>& joint, TurnRow<Wide>* rows, SolverBody* bodies, bool isFirst,
                            const Mask& isOpen, const Wide& halfStep, const Wide& turnTolerance) {
    WideBody a = loadBody(bodies, joint.bodyA), b = loadBody(bodies, joint.bodyB);
    Mask isOff = all(1) < all(0);
    if (isFirst)  // later sweeps would undo what the tree has met
        rub(joint, rows, a, b);
    for (int i = 0; i < joint.rowCount; ++i) {
        TurnRow<Wide>& row = rows[i];
        const WideVec3 answerA = a.inverseInertia * row.world, answerB = b.inverseInertia * row.world;
        const Wide k = dot(row.world, answerA) + dot(row.world, answerB);
        const Wide met = row.impulse - onlyWhere(k > all(0), turnError(row, a, b) / (k + row.softness));
        const Wide change = onlyWhere(isOpen, max(min(met, row.high), row.low) - row.impulse);
        isOff |= magnitude(change) * k > turnTolerance;
        row.impulse = row.impulse + change;
        a.angularVelocity = a.angularVelocity - answerA * change;
        b.angularVelocity = b.angularVelocity + answerB * change;
    }
    const WideVec3 wanted = joint.mass * pointError(joint, a, b, halfStep);
    const WideVec3 change{onlyWhere(isOpen, -wanted.x), onlyWhere(isOpen, -wanted.y), onlyWhere(isOpen, -wanted.z)};
    isOff |= largest(multiply(a.inverseMass + b.inverseMass, change)) > joint.tolerance;
    joint.impulse = joint.impulse + change;
    applyAt(a, b, joint.armA, joint.armB, change);
    storeVelocity(bodies, joint.bodyA, joint.movesA, a);
    storeVelocity(bodies, joint.bodyB, joint.movesB, b);
    return isOff;
}

#include "dynamics/joints/bundle/wide_tree.inl"

void solveBundle(const BundleView& bundle, SolverBody* bodies, const JointSettings& settings) {
    const int count = bundle.count;
    BundleJoint<Wide>* joints = reinterpret_cast<BundleJoint<Wide>*>(bundle.joints);
    TurnRow<Wide>* rows = reinterpret_cast<TurnRow<Wide>*>(bundle.rows);
    TreeNode<Wide>* nodes = reinterpret_cast<TreeNode<Wide>*>(bundle.nodes);
    for (int i = 0; i < count; ++i)
        refresh(joints[i], rows + joints[i].firstRow, bodies);
    const Wide halfStep = all(settings.h * Real(0.5)), turnTolerance = all(settings.inverseH * kBundleTolerance);
    Mask isOpen = all(0) < all(1);
    for (int round = 0; round < kMostSweeps; ++round) {
        Mask isOff = all(1) < all(0);
        for (int i = count - 1; i >= 0; --i)
            isOff |= sweepJoint(joints[i], rows + joints[i].firstRow, bodies, round == 0, isOpen, halfStep, turnTolerance);
        isOpen &= isOff;
        if (!any(isOpen) || round + 1 == kMostSweeps)
            break;
        solveTree(joints, count, rows, nodes, bodies, isOpen, halfStep);
    }
    for (int i = 0; i < count; ++i) {
        joints[i].total = joints[i].total + joints[i].impulse;
        joints[i].totalTurn = joints[i].totalTurn + joints[i].rub;
        for (int r = joints[i].firstRow; r < joints[i].firstRow + joints[i].rowCount; ++r)
            joints[i].totalTurn = joints[i].totalTurn + rows[r].world * rows[r].impulse;
    }
}
