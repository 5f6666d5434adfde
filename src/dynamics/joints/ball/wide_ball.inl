// Ball joints kLanes at a time: line by line the arithmetic of ball_joint.cpp. Part of contact/wide/wide_kernels.inl.

static_assert(sizeof(BallBlock<Wide>) == sizeof(WideBall));

SUNDER_WIDE WideSym3 responseAt(const WideBody& body, const WideVec3& r) {
    const WideSym3& i = body.inverseInertia;
    const Wide zero = all(0);
    const WideVec3 x = i * WideVec3{zero, r.z, -r.y}, y = i * WideVec3{-r.z, zero, r.x}, z = i * WideVec3{r.y, -r.x, zero};
    return {body.inverseMass.x + (x.y * r.z - x.z * r.y),
            body.inverseMass.y + (y.z * r.x - y.x * r.z),
            body.inverseMass.z + (z.x * r.y - z.y * r.x),
            y.y * r.z - y.z * r.y,
            z.y * r.z - z.z * r.y,
            z.z * r.x - z.x * r.z};
}

SUNDER_WIDE WideSym3 inverseOf(const WideSym3& k) {
    const Wide xx = k.yy * k.zz - k.yz * k.yz, xy = k.xz * k.yz - k.xy * k.zz, xz = k.xy * k.yz - k.xz * k.yy;
    const Wide determinant = k.xx * xx + k.xy * xy + k.xz * xz;
    const Wide inverse = onlyWhere(determinant > all(0), all(1) / determinant);
    return {xx * inverse,
            (k.xx * k.zz - k.xz * k.xz) * inverse,
            (k.xx * k.yy - k.xy * k.xy) * inverse,
            xy * inverse,
            xz * inverse,
            (k.xy * k.xz - k.xx * k.yz) * inverse};
}

SUNDER_WIDE void applyAt(WideBody& a, WideBody& b, const WideVec3& armA, const WideVec3& armB, const WideVec3& impulse) {
    a.velocity = a.velocity - multiply(a.inverseMass, impulse);
    a.angularVelocity = a.angularVelocity - a.inverseInertia * cross(armA, impulse);
    b.velocity = b.velocity + multiply(b.inverseMass, impulse);
    b.angularVelocity = b.angularVelocity + b.inverseInertia * cross(armB, impulse);
}

SUNDER_WIDE WideSym3 shareOf(const WideSym3& inertia, const Wide& s) {
    return {inertia.xx * s, inertia.yy * s, inertia.zz * s, inertia.xy * s, inertia.xz * s, inertia.yz * s};
}

SUNDER_WIDE Wide turnsOf(const Wide& swing, const Wide& impulse) {
    return all(1) / max(min(swing * impulse, all(kMostSwing)), all(1));
}

void startBalls(WideBall* stored, int count, SolverBody* bodies) {
    for (int k = 0; k < count; ++k) {
        BallBlock<Wide>& block = reinterpret_cast<BallBlock<Wide>&>(stored[k]);
        const WidePose poseA = loadPose(bodies, block.bodyA), poseB = loadPose(bodies, block.bodyB);
        WideBody a = loadBody(bodies, block.bodyA), b = loadBody(bodies, block.bodyB);
        block.armA = rotate(poseA.orientation, block.anchorA);
        block.armB = rotate(poseB.orientation, block.anchorB);
        const Wide size = squareRoot(dot(block.impulse, block.impulse));
        block.turnsA = turnsOf(block.swingA, size);
        block.turnsB = turnsOf(block.swingB, size);
        a.inverseInertia = shareOf(a.inverseInertia, block.turnsA);
        b.inverseInertia = shareOf(b.inverseInertia, block.turnsB);
        block.mass = inverseOf(responseAt(a, block.armA) + responseAt(b, block.armB));
        applyAt(a, b, block.armA, block.armB, block.impulse);
        storeVelocity(bodies, block.bodyA, block.movesA, a);
        storeVelocity(bodies, block.bodyB, block.movesB, b);
    }
}

void solveBalls(WideBall* stored, int count, SolverBody* bodies, const JointSettings& settings) {
    const Wide speed = all(settings.recoverySpeed), slow = all(-settings.recoverySpeed), rate = all(settings.repairRate);
    const Wide halfStep = all(settings.h * Real(0.5)), squaredStep = all(settings.h * settings.h), kept = all(settings.kept);
    const WideVec3 fastest{speed, speed, speed}, slowest{slow, slow, slow};
    for (int k = 0; k < count; ++k) {
        BallBlock<Wide>& block = reinterpret_cast<BallBlock<Wide>&>(stored[k]);
        const WidePose poseA = loadPose(bodies, block.bodyA), poseB = loadPose(bodies, block.bodyB);
        WideBody a = loadBody(bodies, block.bodyA), b = loadBody(bodies, block.bodyB);
        const WideVec3 rA = rotate(poseA.orientation, block.anchorA), rB = rotate(poseB.orientation, block.anchorB);
        const Wide size = squareRoot(dot(block.impulse, block.impulse));
        const Wide turnsA = turnsOf(block.swingA, size), turnsB = turnsOf(block.swingB, size), worth = all(kWorthRaising);
        const Mask isRaised = (turnsA < worth * block.turnsA) | (turnsB < worth * block.turnsB);
        if (any(isRaised)) {  // what the last impulse gave too much
            const Wide lessA = block.turnsA - min(block.turnsA, turnsA), lessB = block.turnsB - min(block.turnsB, turnsB);
            const WideVec3 spinA = a.inverseInertia * cross(block.armA, block.impulse) * lessA;
            const WideVec3 spinB = b.inverseInertia * cross(block.armB, block.impulse) * lessB;
            a.angularVelocity = select(isRaised, a.angularVelocity + spinA, a.angularVelocity);
            b.angularVelocity = select(isRaised, b.angularVelocity - spinB, b.angularVelocity);
            block.turnsA = select(isRaised, min(block.turnsA, turnsA), block.turnsA);
            block.turnsB = select(isRaised, min(block.turnsB, turnsB), block.turnsB);
        }
        a.inverseInertia = shareOf(a.inverseInertia, block.turnsA);
        b.inverseInertia = shareOf(b.inverseInertia, block.turnsB);
        if (any(isRaised))  // the mass of what they answer now
            block.mass = select(isRaised, inverseOf(responseAt(a, rA) + responseAt(b, rB)), block.mass);
        a.angularVelocity = a.angularVelocity - a.inverseInertia * cross(rA - block.armA, block.impulse);
        b.angularVelocity = b.angularVelocity + b.inverseInertia * cross(rB - block.armB, block.impulse);
        block.armA = rA;
        block.armB = rB;
        const WideVec3 gap = block.centerOffset + (poseB.displacement - poseA.displacement) + rB - rA;
        const WideVec3 wanted = gap * rate;
        const WideVec3 repair{max(min(wanted.x, fastest.x), slowest.x), max(min(wanted.y, fastest.y), slowest.y),
                              max(min(wanted.z, fastest.z), slowest.z)};
        const WideVec3 spinA = cross(a.angularVelocity, rA), spinB = cross(b.angularVelocity, rB);
        const Wide turnA = all(1) + squaredStep * dot(a.angularVelocity, a.angularVelocity);
        const Wide turnB = all(1) + squaredStep * dot(b.angularVelocity, b.angularVelocity);
        const WideVec3 curvature =
            cross(b.angularVelocity, spinB) * (halfStep / turnB) - cross(a.angularVelocity, spinA) * (halfStep / turnA);
        const WideVec3 error = (b.velocity + spinB) - (a.velocity + spinA) + repair + curvature;
        const WideVec3 next = (block.impulse - block.mass * error) * kept;
        const WideVec3 change = next - block.impulse;
        block.impulse = next;
        block.total = block.total + next;
        applyAt(a, b, rA, rB, change);
        storeVelocity(bodies, block.bodyA, block.movesA, a);
        storeVelocity(bodies, block.bodyB, block.movesB, b);
    }
}
