#include "world/pair/motion_bounds.h"

#include <limits>

namespace sunder::world {

namespace {

// How a body will move relative to a mesh that does not turn. Triangles off its way are looked for only within the distance by
// which the body may leave that way without being followed (limitFastBodies).
collision::ExpectedMotion expectedAgainst(const Flight& mesh, const Flight& body, const Vec3& about, Real close, Real dt) {
    if (!(mesh.angularVelocity == Vec3{}))
        return {};
    const Real slack = close + min((body.speed + mesh.speed) * dt, kUnnoticedShare * body.innerRadius);
    return {(body.velocity - mesh.velocity) * dt, body.angularVelocity * dt, about, slack};
}

// How one shell will move against another, which may turn: their contacts are looked for along its way.
collision::ExpectedMotion expectedOfShells(const Flight& a, const Flight& b, Real close, Real dt) {
    const Vec3 offset = b.center - a.center;
    const Real slack = close + min((a.speed + b.speed) * dt, min(a.innerRadius, b.innerRadius));
    return {(b.velocity - a.velocity - cross(a.angularVelocity, offset)) * dt, (b.angularVelocity - a.angularVelocity) * dt,
            offset, slack};
}

}  // namespace

Reach reachOf(const Flight& a, const Flight& b, Real dt) {
    const Real thinner = min(a.innerRadius, b.innerRadius);
    const Real close = closeOf(a, b);
    // Either body may be stopped by a third one during the step, so their own speeds count, not only the relative one.
    const Real turning = a.turning + b.turning;
    Real way = (a.speed + b.speed + turning) * dt;
    // Two level sets look less far: in a cloud or heap of pieces each would otherwise have contacts with all others.
    if (areLevelSets(a, b)) {
        const Real touching = touchingOf(close, min(a.cell, b.cell));
        way = min(way, kSpareWay * relativeWay(a, b, dt) + thinner);
        return {touching, turning, max(touching, min(way + close, wayAmongMany(a, b, dt)))};
    }
    // Two shells likewise: each wall of one would have a contact with every wall of the other that is within a frame's fall.
    // What a third body makes of their motion is seen in the next step, or by keepShellsApart.
    if (areShells(a, b))
        way = min(min(way, kSpareWay * relativeWay(a, b, dt) + thinner), wayAmongMany(a, b, dt));
    if (a.isLevelSet || b.isLevelSet)
        way = min(way, wayFromNow(a, b, max(a.fall, b.fall), dt));
    Reach reach{close, turning, way + close};
    if (areShells(a, b))
        reach.expected = expectedOfShells(a, b, close, dt);
    else if (isMesh(a))
        reach.expected = expectedAgainst(a, b, b.center - a.center, close, dt);
    else if (isMesh(b))
        reach.expected = expectedAgainst(b, a, {}, close, dt);
    return reach;
}

Real mostReach(const Flight& a, const Flight& b, Real dt) {
    const Real way = areLevelSets(a, b) ? wayAmongMany(a, b, dt) : (a.speed + b.speed + a.turning + b.turning) * dt;
    return way + closeOf(a, b);
}

BentWay bentWay(const Vec3& before, const Vec3& after, const Vec3& displacement, Real dt) {
    const Vec3 change = before - after, gap = after * dt - displacement;
    const Real squared = max(lengthSquared(change), std::numeric_limits<Real>::min());
    const Real time = clamp(-dot(gap, change) / squared, 0, dt);
    return {before * time, displacement - after * (dt - time), time};
}

bool areFar(const Flight& a, const Flight& b, Real reach) {
    const Vec3 between = b.center - a.center + (b.shapePose.position - a.shapePose.position);
    return lengthSquared(between) > square(a.radius + b.radius + reach);
}

bool isFarPair(const Flight& a, const Flight& b, Real dt) {
    const Real way = (length(b.velocity - a.velocity) + a.turning + b.turning) * dt;
    // To pass through each other, bodies must move by both thicknesses. A mesh has none, and one sweep along the way costs less
    // than a search for contacts all around it.
    const Real share = isMesh(a) || isMesh(b) ? kUnnoticedShare : Real(2);
    return way > share * (a.innerRadius + b.innerRadius);
}

Real closingWay(const Flight& a, const Flight& b, Real dt, const collision::ManifoldList& manifolds) {
    // Every blow on a thin wall would count; what keeps shells from passing through each other is keepShellsApart.
    if (!a.isDynamic || !b.isDynamic || areShells(a, b))
        return 0;
    Real closing = 0;
    for (const collision::ContactManifold& manifold : manifolds)
        closing = max(closing, dot(a.velocity - b.velocity, manifold.normal));
    return closing * dt / min(a.innerRadius, b.innerRadius);
}

}  // namespace sunder::world
