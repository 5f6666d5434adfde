// kLanes bodies through a substep, see wide_substep.h. Part of contact/wide/wide_kernels.inl.
//
// A body with three equal inertias, such as a ball, turns at a constant rate whatever it does, so that this form is exact for it
// without load and at any spin too, up to what smallTurn can do.

constexpr Real kMostRoundTurn = Real(0.5);  // rad in a substep

constexpr int kConstantsStride = sizeof(SolverBodyConstants) / sizeof(Real);  // numbers from one body to the next

struct WideMatrix {
    WideVec3 row0, row1, row2;
};

SUNDER_WIDE WideMatrix toMatrix(const WideQuat& q) {
    const Wide xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const Wide wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z, one = all(1), two = all(2);
    return {{one - two * (yy + zz), two * (xy - wz), two * (xz + wy)},
            {two * (xy + wz), one - two * (xx + zz), two * (yz - wx)},
            {two * (xz - wy), two * (yz + wx), one - two * (xx + yy)}};
}
SUNDER_WIDE WideVec3 operator*(const WideMatrix& m, const WideVec3& v) {
    return {dot(m.row0, v), dot(m.row1, v), dot(m.row2, v)};
}
SUNDER_WIDE WideVec3 transposeTimes(const WideMatrix& m, const WideVec3& v) {
    return m.row0 * v.x + m.row1 * v.y + m.row2 * v.z;
}
SUNDER_WIDE WideSym3 rotateDiagonal(const WideMatrix& R, const WideVec3& d) {
    const WideVec3 a = multiply(R.row0, d), b = multiply(R.row1, d), c = multiply(R.row2, d);
    return {dot(a, R.row0), dot(b, R.row1), dot(c, R.row2), dot(a, R.row1), dot(a, R.row2), dot(b, R.row2)};
}
SUNDER_WIDE WideQuat operator*(const WideQuat& a, const WideQuat& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
SUNDER_WIDE WideQuat normalize(const WideQuat& q) {
    const Wide inverse = all(1) / squareRoot(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

// The rotation by twice the vector `half` of a length up to a quarter: the series of sine and cosine, as far as a Real shows them.
SUNDER_WIDE WideQuat smallTurn(const WideVec3& half) {
    const Wide n = dot(half, half);
    Wide sine5 = all(Real(1) / 120), cosine6 = all(Real(1) / 720);
    if constexpr (sizeof(Real) == sizeof(double)) {
        sine5 = sine5 - n * (all(Real(1) / 5040) - n * (all(Real(1) / 362880) - n * all(Real(1) / 39916800)));
        cosine6 = cosine6 - n * (all(Real(1) / 40320) - n * (all(Real(1) / 3628800) - n * all(Real(1) / 479001600)));
    }
    const Wide sine = all(1) - n * (all(Real(1) / 6) - n * sine5);
    const Wide cosine = all(1) - n * (all(Real(0.5)) - n * (all(Real(1) / 24) - n * cosine6));
    return {half.x * sine, half.y * sine, half.z * sine, cosine};
}

// True where any component differs, NaN included.
SUNDER_WIDE Mask differ(const WideVec3& a, const WideVec3& b) {
    return ~((a.x <= b.x) & (b.x <= a.x) & (a.y <= b.y) & (b.y <= a.y) & (a.z <= b.z) & (b.z <= a.z));
}

SUNDER_WIDE Mask stray(const BodyWay* ways, const std::uint32_t* index, const WideBody& body, const WidePose& pose,
                       const WideMotion& motion, Real step) {
    Wide way[4];
    gatherFour(&ways->length, sizeof(BodyWay) / sizeof(Real), index, way);
    const WideVec3 moved = pose.displacement + body.velocity * all(2 * step);
    const WideVec3 turned = motion.turned + body.angularVelocity * all(2 * step);
    return ~(dot(moved, moved) + way[2] * dot(turned, turned) <= way[1]);
}

// What a substep has made of the bodies of all lanes.
struct MovedBody {
    const WideBody& body;
    const WidePose& pose;
    const WideMotion& motion;
    const WideVec3 &freeVelocity, &freeSpin;
};
SUNDER_WIDE void storeMoved(SolverBody* bodies, const std::uint32_t* index, std::uint32_t lanes, const MovedBody& moved) {
    const auto& [body, pose, motion, freeVelocity, freeSpin] = moved;
    storeVelocity(bodies, index, lanes, body);
    Real* hot = &bodies->velocity.x;
    const Wide inertiaRow0[4] = {body.inverseMass.z, body.inverseInertia.xx, body.inverseInertia.yy, body.inverseInertia.zz};
    const Wide inertiaRow1[4] = {body.inverseInertia.xy, body.inverseInertia.xz, body.inverseInertia.yz, all(0)};
    const Wide pose0[4] = {pose.displacement.x, pose.displacement.y, pose.displacement.z, motion.turned.x};
    const Wide pose1[4] = {motion.turned.y, motion.turned.z, pose.orientation.x, pose.orientation.y};
    const Wide pose2[4] = {pose.orientation.z, pose.orientation.w, freeVelocity.x, freeVelocity.y};
    const Wide free1[4] = {freeVelocity.z, freeSpin.x, freeSpin.y, freeSpin.z};
    scatterFour(hot + 8, kStride, index, lanes, inertiaRow0);
    scatterFour(hot + 12, kStride, index, lanes, inertiaRow1);
    scatterFour(&bodies->displacement.x, kStride, index, lanes, pose0);
    scatterFour(&bodies->displacement.x + 4, kStride, index, lanes, pose1);
    scatterFour(&bodies->displacement.x + 8, kStride, index, lanes, pose2);
    scatterFour(&bodies->displacement.x + 12, kStride, index, lanes, free1);
}

// Turns bodies of these inertias and inverse inertias for a substep h without torque. Returns the share of the new spin that
// contacts have given: contactSpin, turned with the body.
SUNDER_WIDE WideVec3 turnFreely(WideBody& body, WidePose& pose, const WideVec3& inertia, const WideVec3& inverse,
                                const WideVec3& contactSpin, const Wide& h, const Mask& isRound) {
    const WideMatrix R = toMatrix(pose.orientation);
    const WideVec3 contactTorque = R * multiply(inertia, transposeTimes(R, contactSpin));
    const WideVec3 w = transposeTimes(R, body.angularVelocity), L = multiply(inertia, w);
    const WideVec3 middle = w + multiply(inverse, cross(L, w)) * (h * all(Real(0.5)));
    const WideQuat turn = smallTurn(middle * (h * all(Real(0.5))));
    // L is constant in the world, so in the body frame it turns the other way. Only its change goes through the inverse
    // inertia, so that the rounding of I and 1/I cannot add up.
    const WideVec3 u{-turn.x, -turn.y, -turn.z};
    const WideVec3 t = cross(u, L) * all(2);
    const WideVec3 wAfter = w + multiply(inverse, t * turn.w + cross(u, t));
    pose.orientation = normalize(pose.orientation * turn);
    const WideMatrix Q = toMatrix(pose.orientation);
    body.angularVelocity = select(isRound, body.angularVelocity, Q * wAfter);
    body.inverseInertia = rotateDiagonal(Q, inverse);
    return body.inverseInertia * contactTorque;
}

MovedLanes moveBodies(SolverBody* bodies, const SolverBodyConstants* constants, const BodyWay* ways, std::uint32_t candidates,
                      Real step, bool alsoBegin) {
    std::uint32_t index[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
        index[lane] = candidates >> lane & 1 ? std::uint32_t(lane) : 0;  // a group may hold fewer bodies than lanes
    const Wide h = all(step), one = all(1);
    WideBody body = loadBody(bodies, index);
    Wide f[4], g[4], acceleration4[4], inertia[4], inverseInertia[4], torque[4];
    gatherFour(&bodies->displacement.x + 8, kStride, index, f);
    gatherFour(&bodies->displacement.x + 12, kStride, index, g);
    const WideVec3 freeBefore{f[2], f[3], g[0]}, freeSpinBefore{g[1], g[2], g[3]};
    const Real* first = &constants->acceleration.x;
    gatherFour(first + 4, kConstantsStride, index, inertia);
    const WideVec3 I{inertia[0], inertia[1], inertia[2]};
    const Mask isPushed = differ(body.velocity, freeBefore);
    const Mask isLoaded = isPushed | differ(body.angularVelocity, freeSpinBefore);
    const Mask isRound = ~differ(I, {I.y, I.z, I.x});
    const Wide turn2 = dot(body.angularVelocity, body.angularVelocity) * all(step * step);
    const Mask isSlow = turn2 <= all(kSlowTurn * kSlowTurn), isFit = turn2 <= all(kMostRoundTurn * kMostRoundTurn);
    const std::uint32_t lanes = candidates & laneBits((isLoaded & isSlow) | (isRound & isFit));
    if (lanes == 0)
        return {};
    WidePose pose = loadPose(bodies, index);
    WideMotion motion = loadMotion(bodies, index);
    gatherFour(first, kConstantsStride, index, acceleration4);
    gatherFour(first + 8, kConstantsStride, index, inverseInertia);
    const WideVec3 i{inverseInertia[0], inverseInertia[1], inverseInertia[2]}, nothing{all(0), all(0), all(0)};
    const WideVec3 acceleration{acceleration4[0], acceleration4[1], acceleration4[2]};

    const WideVec3 contactVelocity = body.velocity - freeBefore;
    const WideVec3 contactSpin = body.angularVelocity - freeSpinBefore;
    // Without contact the path is the exact parabola.
    const WideVec3 bend = select(isPushed, nothing, acceleration * (h * h * all(Real(0.5))));
    pose.displacement = pose.displacement + (body.velocity * h - bend);
    motion.turned = motion.turned + body.angularVelocity * h;
    const WideVec3 spinAgain = turnFreely(body, pose, I, i, contactSpin, h, isRound);
    WideVec3 freeVelocity = freeBefore, freeSpin = body.angularVelocity - spinAgain;
    if (alsoBegin) {
        gatherFour(first + 12, kConstantsStride, index, torque);
        freeVelocity = (body.velocity + acceleration * h) * (one / (one + h * inertia[3]));
        freeSpin = (body.angularVelocity + body.inverseInertia * (WideVec3{torque[0], torque[1], torque[2]} * h)) *
                   (one / (one + h * inverseInertia[3]));
        body.velocity = freeVelocity + contactVelocity;
        body.angularVelocity = freeSpin + spinAgain;
    }

    storeMoved(bodies, index, lanes, {body, pose, motion, freeVelocity, freeSpin});
    return {lanes, lanes & laneBits(stray(ways, index, body, pose, motion, step))};
}
