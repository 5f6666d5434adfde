// kLanes solver bodies at a time: reading them, writing their velocities back. Part of contact/wide/wide_kernels.inl.

struct WideBody {
    WideVec3 velocity, angularVelocity, inverseMass;
    WideSym3 inverseInertia;
};

constexpr int kStride = sizeof(SolverBody) / sizeof(Real);  // numbers from one body to the next
static_assert(kStride == 32);

SUNDER_WIDE WideBody loadBody(const SolverBody* bodies, const std::uint32_t* index) {
    const Real* first = &bodies->velocity.x;
    Wide a[4], b[4], c[4], d[4];
    gatherFour(first, kStride, index, a);
    gatherFour(first + 4, kStride, index, b);
    gatherFour(first + 8, kStride, index, c);
    gatherFour(first + 12, kStride, index, d);
    return {{a[0], a[1], a[2]}, {a[3], b[0], b[1]}, {b[2], b[3], c[0]}, {c[1], c[2], c[3], d[0], d[1], d[2]}};
}

SUNDER_WIDE void storeVelocity(SolverBody* bodies, const std::uint32_t* index, std::uint32_t lanes, const WideBody& body) {
    Real* first = &bodies->velocity.x;
    const Wide a[4] = {body.velocity.x, body.velocity.y, body.velocity.z, body.angularVelocity.x};
    const Wide b[4] = {body.angularVelocity.y, body.angularVelocity.z, body.inverseMass.x, body.inverseMass.y};
    scatterFour(first, kStride, index, lanes, a);
    scatterFour(first + 4, kStride, index, lanes, b);
}

struct WidePose {
    WideVec3 displacement;
    WideQuat orientation;
};

SUNDER_WIDE WidePose loadPose(const SolverBody* bodies, const std::uint32_t* index) {
    const Real* first = &bodies->displacement.x;
    Wide a[4], b[4], c[4];
    gatherFour(first, kStride, index, a);
    gatherFour(first + 4, kStride, index, b);
    gatherFour(first + 8, kStride, index, c);
    return {{a[0], a[1], a[2]}, {b[2], b[3], c[0], c[1]}};
}

// How far a body has moved and turned since the start of the step.
struct WideMotion {
    WideVec3 displacement, turned;
};

SUNDER_WIDE WideMotion loadMotion(const SolverBody* bodies, const std::uint32_t* index) {
    const Real* first = &bodies->displacement.x;
    Wide a[4], b[4];
    gatherFour(first, kStride, index, a);
    gatherFour(first + 4, kStride, index, b);
    return {{a[0], a[1], a[2]}, {a[3], b[0], b[1]}};
}

SUNDER_WIDE WideVec3 rotate(const WideQuat& q, const WideVec3& v) {
    const WideVec3 u{q.x, q.y, q.z};
    const WideVec3 t = cross(u, v) * all(2);
    return v + t * q.w + cross(u, t);
}
