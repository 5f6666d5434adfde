#include "world/pair/turned_contacts.h"

#include <algorithm>

#include "collision/narrow_phase/collide.h"

namespace sunder::world {

namespace {

// rad: what turns farther in a step is looked at as it will be turned, once for every so many rad and so often at most.
constexpr Real kFastTurn = Real(0.5), kTurnPerLook = 1;
constexpr int kMostLooks = 4;
// A blow of speed v leaves no spin above v / (2 k), k the radius of gyration, which is hardly less than this share of the inner
// radius.
constexpr Real kGyration = Real(0.5);
// Keys of manifolds of own spin and of spin by the blow begin here; the moments count on in steps of kPerLook.
constexpr std::uint32_t kOwnSpin = 0x40000000, kBlowSpin = 0x80000000, kPerLook = 0x04000000;

// A body where it meets the other, and how it turns from then on.
struct Turning {
    const Flight& flight;
    Vec3 center;  // m: from A's centre at the start of the step
    Quat orientation;
    Vec3 spin;  // rad/s

    Turning(const Flight& body, const Vec3& offset, Real time)
        : flight(body),
          center(offset + body.velocity * time),
          orientation(quatFromRotationVector(body.angularVelocity * time) * body.orientation),
          spin(body.angularVelocity) {}

    Real inverseMass() const { return flight.isDynamic && !flight.fixed ? flight.body->inverseMass : Real(0); }
    Vec3 velocityAt(const Vec3& place) const { return flight.velocity + cross(flight.angularVelocity, place - center); }
    // rad/s per N s of a blow at the place.
    Vec3 spinPerBlow(const Vec3& place, const Vec3& direction) const {
        if (!(inverseMass() > 0))
            return {};
        const Vec3 moment = inverseRotate(orientation, cross(place - center, direction));
        return rotate(orientation, multiply(flight.body->inversePrincipalInertia, moment));
    }
    Pose poseAfter(Real time) const {
        Pose pose = flight.shapePose;
        if (!flight.fixed)
            pose = shapePose(*flight.body, quatFromRotationVector(spin * time) * orientation);
        pose.position += center;
        return pose;
    }
    // Where the point that has come to `place` was before the body turned.
    Vec3 before(const Vec3& place, Real time) const {
        return flight.fixed ? place : center + rotate(quatFromRotationVector(spin * -time), place - center);
    }
};

// The place where two bodies approach each other fastest.
struct StruckPlace {
    Vec3 onA, onB, normal;
    Real closing = 0;  // m/s
};

StruckPlace struckPlaceOf(const Turning& a, const Turning& b, const collision::ManifoldList& manifolds) {
    StruckPlace blow;
    for (const collision::ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i) {
            const collision::ContactPoint& point = manifold.points[i];
            const Real closing = dot(a.velocityAt(point.onA) - b.velocityAt(point.onB), manifold.normal);
            if (closing > blow.closing)
                blow = {point.onA, point.onB, manifold.normal, closing};
        }
    return blow;
}

// As if it were the only one, and without friction.
void strike(const StruckPlace& blow, Turning& a, Turning& b) {
    const Vec3 spinA = a.spinPerBlow(blow.onA, blow.normal), spinB = b.spinPerBlow(blow.onB, blow.normal);
    const Real response = a.inverseMass() + b.inverseMass() +
                          dot(cross(spinA, blow.onA - a.center) + cross(spinB, blow.onB - b.center), blow.normal);
    if (!(response > 0))
        return;
    a.spin -= spinA * (blow.closing / response);
    b.spin += spinB * (blow.closing / response);
}

// Points that other manifolds have too stay: without them a fast blow is not solved well enough in a step, and bodies sink in.
// known: the number of manifolds that do not come from here. Of others only planes count on which these lie too: that of an
// edge reaches beyond the surface, and what passed by would be stopped.
void searchTurned(const Turning& a, const Turning& b, const collision::Range& range, Real left, std::uint32_t key,
                  std::size_t known, collision::ManifoldList& manifolds, collision::ManifoldList& scratch) {
    const Real turn = length(b.spin - a.spin) * left;
    if (!(turn > kFastTurn))
        return;
    const int looks = std::min(kMostLooks, 1 + int(turn / kTurnPerLook));
    for (int look = 1; look <= looks; ++look) {
        const Real time = left * Real(look) / Real(looks);
        key += kPerLook;
        scratch.clear();
        collision::collide(*a.flight.shape, a.poseAfter(time), *b.flight.shape, b.poseAfter(time), range, scratch);
        for (collision::ContactManifold& manifold : scratch) {
            const auto isSamePlane = [&](const collision::ContactManifold& other) {
                return dot(other.normal, manifold.normal) > kSamePlane;
            };
            if (std::none_of(manifolds.begin(), manifolds.begin() + std::ptrdiff_t(known), isSamePlane))
                continue;
            for (int i = 0; i < manifold.count; ++i) {
                collision::ContactPoint& point = manifold.points[i];
                point.onA = a.before(point.onA, time);
                point.onB = b.before(point.onB, time);
                point.separation = dot(point.onB - point.onA, manifold.normal);
            }
            manifold.key ^= key;
            manifolds.push_back(manifold);
        }
    }
}

}  // namespace

bool addTurned(const Flight& a, const Flight& b, const Reach& reach, Real time, Real dt, collision::ManifoldList& manifolds,
               collision::ManifoldList& scratch) {
    // Points of what is round do not turn with it. Level sets have points all around.
    if (manifolds.empty() || a.mayRoll || b.mayRoll || a.isLevelSet || b.isLevelSet || areShells(a, b))
        return false;
    const Real left = dt - time, thin = min(a.innerRadius, b.innerRadius);
    const bool spins = length(b.angularVelocity - a.angularVelocity) * left > kFastTurn;
    const bool mayBeStruck = (length(b.velocity - a.velocity) + reach.turning) * left > 2 * kGyration * kFastTurn * thin;
    if (!spins && !mayBeStruck)
        return false;
    collision::Range range(max(reach.close + thin, reach.reach * (left / dt)));
    range.points = reach.points;
    const std::size_t found = manifolds.size();
    const Turning ownA(a, {}, time), ownB(b, b.center - a.center, time);
    Turning struckA = ownA, struckB = ownB;
    if (const StruckPlace blow = struckPlaceOf(ownA, ownB, manifolds); blow.closing * left > 2 * kGyration * kFastTurn * thin)
        strike(blow, struckA, struckB);
    searchTurned(ownA, ownB, range, left, kOwnSpin, found, manifolds, scratch);
    if (!(struckA.spin == ownA.spin && struckB.spin == ownB.spin))
        searchTurned(struckA, struckB, range, left, kBlowSpin, found, manifolds, scratch);
    return manifolds.size() > found;
}

}  // namespace sunder::world
