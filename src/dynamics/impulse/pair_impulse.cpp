// Deviation from [GBF03]: there the deepest point of a pair gets an impulse, the pair is predicted again, and so on. Here the
// points of a pair are visited in that order, several times, before it is predicted again: one corner at a time would set a
// falling box spinning. [Su09] 3.2 clamps one impulse at one point; here it is the pair's whole wrench about a common point.
#include "dynamics/impulse/pair_impulse.h"

#include "dynamics/contact/scalar/impulse_clamp.h"
#include "dynamics/impulse/point_impulse.h"

namespace sunder::dynamics {

namespace {

// A clamp is counted where it removed at least this share of the pair's impulses in the phase: less is rounding.
constexpr Real kClampCounts = Real(1e-4);

bool isImmovable(const SolverBody& body) {
    return body.inverseMass == Vec3{} && body.inverseInertia.xx + body.inverseInertia.yy + body.inverseInertia.zz == 0;
}

void makeHeavy(SolverBody& body) {
    body.inverseMass = {};
    body.inverseInertia = {};
}

Real clampFactor(const ImpulsePair& pair, const SolverBody& a, const SolverBody& b) {
    const ImpulseSite& first = pair.sites.front();
    ClampImpulse onA{{}, pair.angularImpulse - pair.angularImpulseBefore};
    for (const ImpulseSite& site : pair.sites) {
        const Vec3 change = site.impulse - site.impulseBefore;
        onA.linear += change;
        onA.angular += cross(site.armA - first.armA, change);
    }
    // Energy is measured relative to the moving surfaces: a belt may drive what lies on it.
    if (isImmovable(b))
        return energyClampFactor(clampBody(a), first.armA,
                                 {velocityAt(b, first.armB) - pair.material.surfaceVelocity, b.angularVelocity}, onA);
    if (isImmovable(a))
        return energyClampFactor(clampBody(b), first.armB,
                                 {velocityAt(a, first.armA) + pair.material.surfaceVelocity, a.angularVelocity},
                                 {-onA.linear, -onA.angular});
    ClampBody movingB = clampBody(b);
    movingB.velocity -= pair.material.surfaceVelocity;
    return energyClampFactor(clampBody(a), first.armA, movingB, first.armB, onA);
}

bool clampCounts(const ImpulsePair& pair, Real factor) {
    Real change = 0, all = 0;
    for (const ImpulseSite& site : pair.sites) {
        change += length(site.impulse - site.impulseBefore);
        all += length(site.impulse);
    }
    return (1 - factor) * change > kClampCounts * all;
}

void scaleChange(Vec3& value, const Vec3& before, Real factor) { value = before + (value - before) * factor; }

}  // namespace

void solveRolling(ImpulsePair& pair, Real load, const Vec3& normal, SolverBody& a, SolverBody& b) {
    const Vec3 N = normalizeOr(normal, {});
    Sym3 response = a.inverseInertia + b.inverseInertia;
    const Real trace = response.xx + response.yy + response.zz;
    response = response + Sym3{1, 1, 1, 0, 0, 0} * (Real(1e-6) * trace);  // keeps it invertible where axes are locked
    const Vec3 sticking = pair.angularImpulse - solve(response, a.angularVelocity - b.angularVelocity);
    const Real spin = clamp(dot(sticking, N), -pair.material.spinningFriction * load, pair.material.spinningFriction * load);
    Vec3 roll = sticking - N * dot(sticking, N);
    const Real size = length(roll), limit = pair.material.rollingFriction * load;
    if (size > limit)
        roll *= limit / size;
    const Vec3 change = N * spin + roll - pair.angularImpulse;
    a.angularVelocity += a.inverseInertia * change;
    b.angularVelocity -= b.inverseInertia * change;
    pair.angularImpulse += change;
}

bool visitPair(ImpulsePair& pair, PairVisit& visit) {
    SolverBody a = visit.a, b = visit.b;
    if (visit.heavyA)
        makeHeavy(a);
    if (visit.heavyB)
        makeHeavy(b);
    const SolverBody startA = a, startB = b;
    pair.angularImpulseBefore = pair.angularImpulse;
    const std::uint8_t asked = std::uint8_t(1 + int(visit.heavyA) + 2 * int(visit.heavyB));
    for (ImpulseSite& site : pair.sites) {
        site.impulseBefore = site.impulse;
        if (pair.responseOf != asked)
            site.K = pointResponse(a, site.armA, b, site.armB);
    }
    pair.responseOf = asked;
    const bool rolling = visit.resistRolling && (pair.material.rollingFriction > 0 || pair.material.spinningFriction > 0);
    const int sweeps = pair.sites.size() > 1 || rolling ? visit.sweeps : 1;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (std::size_t i = 0; i < pair.sites.size(); ++i)
            solvePoint(pair.sites[visit.isBackward ? pair.sites.size() - 1 - i : i], pair.material.friction,
                       pair.material.surfaceVelocity, a, b);
        if (rolling)
            solveRollingOf(pair, pair.sites, a, b);
    }
    const Real factor = visit.clampEnergy && !pair.sites.empty() ? clampFactor(pair, startA, startB) : Real(1);
    const bool clamped = factor < 1 && clampCounts(pair, factor);
    if (factor < 1) {
        for (ImpulseSite& site : pair.sites)
            scaleChange(site.impulse, site.impulseBefore, factor);
        scaleChange(pair.angularImpulse, pair.angularImpulseBefore, factor);
        scaleChange(a.velocity, startA.velocity, factor);
        scaleChange(a.angularVelocity, startA.angularVelocity, factor);
        scaleChange(b.velocity, startB.velocity, factor);
        scaleChange(b.angularVelocity, startB.angularVelocity, factor);
    }
    visit.a.velocity = a.velocity;
    visit.a.angularVelocity = a.angularVelocity;
    visit.b.velocity = b.velocity;
    visit.b.angularVelocity = b.angularVelocity;
    return clamped;
}

void scatterNormals(const Scatter& scatter, ImpulsePair& pair, const PairVisit& visit) {
    Real fastest = 0;
    for (const ImpulseSite& site : pair.sites)
        fastest = max(fastest, -dot(velocityAt(visit.a, site.armA) - velocityAt(visit.b, site.armB), site.N));
    if (!scatter.tilts(fastest))
        return;
    for (ImpulseSite& site : pair.sites)
        site.N = tiltedNormal(scatter, pair.source, site.N);
}

}  // namespace sunder::dynamics
