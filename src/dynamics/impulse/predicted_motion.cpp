#include "dynamics/impulse/predicted_motion.h"

#include <algorithm>

#include "collision/narrow_phase/collide.h"

namespace sunder::dynamics {

namespace {

Pose shapePoseOf(const ImpulseSide& side, const Placement& place) {
    const Quat& q = side.body == kFixedBody ? side.fixedOrientation : place.orientation;
    return Pose{place.displacement, q} * side.principalFromShape;
}

Vec3 anchorOf(const ImpulseSide& side, const Placement& place, const Vec3& arm) {
    return side.body == kFixedBody ? arm : inverseRotate(place.orientation, arm);
}

}  // namespace

Vec3 linearAcceleration(const SolverBody& body, const SolverBodyConstants& constants, Real dt) {
    const Real c = constants.linearDamping;
    return (constants.acceleration - body.velocity * c) / (1 + c * dt);
}

Vec3 angularAcceleration(const SolverBody& body, const SolverBodyConstants& constants, Real dt) {
    const Real c = constants.angularDamping;
    return (body.inverseInertia * constants.torque - body.angularVelocity * c) / (1 + c * dt);
}

Placement placeInFlight(const ImpulseStep& step, std::uint32_t index, Real time) {
    const SolverBody& body = step.bodies[index];
    const Vec3 a = linearAcceleration(body, step.constants[index], step.settings.dt);
    return {step.scratch.setback[index] + body.velocity * time + a * (Real(0.5) * square(time)),
            quatFromRotationVector(body.angularVelocity * time) * body.orientation};
}

void takeOver(std::span<ImpulseSite> sites, std::span<const ImpulseSite> from) {
    for (const ImpulseSite& old : from) {
        if (old.impulse == Vec3{})
            continue;
        ImpulseSite* heir = nullptr;
        Real nearest = kInfinity;
        for (ImpulseSite& site : sites) {
            const bool same = old.key == site.key && old.feature == site.feature;
            const Real distance = same ? Real(-1) : lengthSquared(site.armA - old.armA);
            if (distance < nearest) {
                nearest = distance;
                heir = &site;
            }
        }
        if (heir != nullptr)
            heir->impulse += old.impulse;
    }
}

void findSites(ImpulseStep& step, ImpulsePair& pair, const Placement& a, const Placement& b, Real margin, Arms arms) {
    collision::ManifoldList& manifolds = step.scratch.manifolds;
    manifolds.clear();
    Pose poseB = shapePoseOf(pair.b, b);
    poseB.position += pair.centerOffset;
    collision::collide(*pair.a.shape, shapePoseOf(pair.a, a), *pair.b.shape, poseB, margin, manifolds);

    std::swap(pair.sites, pair.previousSites);
    pair.sites.clear();
    pair.responseOf = 0;
    for (const collision::ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i) {
            const collision::ContactPoint& point = manifold.points[i];
            if (point.separation > margin)
                continue;
            ImpulseSite site;
            site.key = manifold.key;
            site.feature = point.feature;
            site.N = -manifold.normal;
            site.separation = point.separation;
            const Vec3 common = (point.onA + point.onB) * Real(0.5);
            site.armA = (arms == Arms::ToCommonPoint ? common : point.onA) - a.displacement;
            site.armB = (arms == Arms::ToCommonPoint ? common : point.onB) - b.displacement - pair.centerOffset;
            site.anchorA = anchorOf(pair.a, a, site.armA);
            site.anchorB = anchorOf(pair.b, b, site.armB);
            site.childA = manifold.childA;
            site.childB = manifold.childB;
            pair.sites.push_back(site);
        }
    std::stable_sort(pair.sites.begin(), pair.sites.end(),
                     [](const ImpulseSite& x, const ImpulseSite& y) { return x.separation < y.separation; });
    takeOver(pair.sites, pair.previousSites);
}

}  // namespace sunder::dynamics
