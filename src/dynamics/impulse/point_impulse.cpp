// [GBF03]: sticking first, j = K^-1 (-e u_n N - u); where that leaves the friction cone, sliding:
//   j = j_n N - mu j_n T,  j_n = -(1 + e) u_n / (N . K (N - mu T)),  T along the tangential velocity.
// Deviations: -e u_n is the site's goal, which several points of a manifold pursue together; and the cone binds the sum of
// the impulses of a phase, not each one, so that a push given too early can be taken back and four corners of a box share
// its weight evenly.
#include "dynamics/impulse/point_impulse.h"

namespace sunder::dynamics {

namespace {

// Least N . K (N - mu T) as a share of N . K N: below it friction jams the contact and the formula has no solution.
constexpr Real kJamming = Real(0.05);
// Share of its trace added to a response that is flat in some direction (locked axes), so that it can be inverted.
constexpr Real kFlatResponse = Real(1e-6);

void addResponse(Sym3& K, const SolverBody& body, const Vec3& r) {
    const Vec3 x = cross(body.inverseInertia * cross(r, {1, 0, 0}), r);
    const Vec3 y = cross(body.inverseInertia * cross(r, {0, 1, 0}), r);
    const Vec3 z = cross(body.inverseInertia * cross(r, {0, 0, 1}), r);
    K = K + Sym3{body.inverseMass.x + x.x, body.inverseMass.y + y.y, body.inverseMass.z + z.z, x.y, x.z, y.z};
}

Vec3 slidingImpulse(const ImpulseSite& site, Real friction, Real un, const Vec3& slip) {
    const Vec3 KN = site.K * site.N;
    const Real frictionless = dot(site.N, KN);
    if (!(frictionless > 0))
        return site.impulse;
    // Sliding: start from the direction found so far. It settles where friction opposes the slip that remains.
    const Real tangentResponse = site.K.xx + site.K.yy + site.K.zz - frictionless;
    const Vec3 tangent = site.impulse - site.N * dot(site.impulse, site.N);
    const Vec3 direction = normalizeOr(tangent * tangentResponse - slip, {});
    const Real sliding = frictionless + friction * dot(KN, direction);
    const Real jn = (site.goal - un + dot(KN, site.impulse)) / (sliding > kJamming * frictionless ? sliding : frictionless);
    return jn > 0 ? (site.N + direction * friction) * jn : Vec3{};
}

}  // namespace

Sym3 pointResponse(const SolverBody& a, const Vec3& armA, const SolverBody& b, const Vec3& armB) {
    Sym3 K;
    addResponse(K, a, armA);
    addResponse(K, b, armB);
    const Real trace = K.xx + K.yy + K.zz;
    const Real determinant = dot({K.xx, K.xy, K.xz}, cross(Vec3{K.xy, K.yy, K.yz}, {K.xz, K.yz, K.zz}));
    if (determinant <= kFlatResponse * trace * trace * trace)
        K = K + Sym3{1, 1, 1, 0, 0, 0} * (kFlatResponse * trace);
    return K;
}

void solvePoint(ImpulseSite& site, Real friction, const Vec3& surfaceVelocity, SolverBody& a, SolverBody& b) {
    const Vec3 u = velocityAt(a, site.armA) - velocityAt(b, site.armB);
    const Real un = dot(u, site.N);
    if (un >= site.goal && site.impulse == Vec3{})
        return;
    Vec3 slip = u + surfaceVelocity;
    slip -= site.N * dot(slip, site.N);

    Vec3 total = site.impulse + solve(site.K, site.N * (site.goal - un) - slip);
    const Real jn = dot(total, site.N);
    if (!(jn > 0) || lengthSquared(total - site.N * jn) > square(friction * jn))
        total = slidingImpulse(site, friction, un, slip);

    const Vec3 change = total - site.impulse;
    applyImpulse(a, change, site.armA);
    applyImpulse(b, -change, site.armB);
    site.impulse = total;
}

}  // namespace sunder::dynamics
