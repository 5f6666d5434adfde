#include "world/pair/thin_contacts.h"

#include <algorithm>

#include "world/record/contact_point.h"

namespace sunder::world {

namespace {

// Pairs with up to so many manifolds are not thinned: about as many would stay.
constexpr std::uint32_t kFewManifolds = 6;
// Cosine of 0.8 degrees: what rounding and a brick that is slightly turned make of one normal.
constexpr Real kSameNormal = Real(0.9999);
// m: points this far from a common plane are not in it. Four times the gap that counts as touching.
constexpr Real kPlane = Real(2e-3);
// Directions in the plane, 45 degrees apart. The outermost point in each of them stays.
constexpr int kDirections = 8;

}  // namespace

void ContactThinner::thin(const PagedVector<Body>& bodies, std::span<const ContactPair> pairs,
                          std::span<dynamics::ContactConstraint> constraints) {
    hidden_.clear();
    for (const ContactPair& pair : pairs) {
        if (pair.manifoldCount <= kFewManifolds)
            continue;
        for (const bool isB : {false, true})
            if (const Body& body = bodies[isB ? pair.bodyB : pair.bodyA]; body.bonds) {
                thinPair(pair, body, isB, constraints);
                break;
            }
    }
}

// Thins the manifolds of a pair, those of one normal together.
void ContactThinner::thinPair(const ContactPair& pair, const Body& body, bool isB,
                              std::span<dynamics::ContactConstraint> constraints) {
    isDone_.assign(pair.manifoldCount, 0);
    for (std::uint32_t first = 0; first < pair.manifoldCount; ++first) {
        if (isDone_[first])
            continue;
        const Vec3 normal = constraints[pair.firstManifold + first].normal;
        places_.clear();
        std::uint32_t members = 0;
        for (std::uint32_t i = first; i < pair.manifoldCount; ++i) {
            const dynamics::ContactConstraint& constraint = constraints[pair.firstManifold + i];
            if (isDone_[i] || !(dot(constraint.normal, normal) > kSameNormal))
                continue;
            isDone_[i] = 1;
            ++members;
            for (int j = 0; j < constraint.count; ++j) {
                const dynamics::ConstraintPoint& point = constraint.points[j];
                const Vec3 place =
                    anchorInBody(body, isB ? constraint.frameB : constraint.frameA, isB ? point.anchorB : point.anchorA);
                places_.push_back({pair.firstManifold + i, place});
            }
        }
        if (members > kFewManifolds)
            thinGroup(inverseRotate(userOrientation(body), normal), constraints);
    }
}

void ContactThinner::thinGroup(const Vec3& normal, std::span<dynamics::ContactConstraint> constraints) {
    const Vec3 u = anyPerpendicular(normal), v = cross(normal, u);
    const Real diagonal = std::sqrt(Real(0.5));
    const Vec3 directions[kDirections] = {u,  (u + v) * diagonal,  v,  (v - u) * diagonal,
                                          -u, (u + v) * -diagonal, -v, (u - v) * diagonal};
    Real farthest[kDirections], low = kInfinity, high = -kInfinity;
    std::uint32_t extreme[kDirections] = {};
    std::fill(std::begin(farthest), std::end(farthest), -kInfinity);
    for (const Place& place : places_) {
        const Real height = dot(place.point, normal);
        low = min(low, height);
        high = max(high, height);
        for (int i = 0; i < kDirections; ++i)
            if (const Real along = dot(place.point, directions[i]); along > farthest[i]) {
                farthest[i] = along;
                extreme[i] = place.constraint;
            }
    }
    if (high - low > kPlane)
        return;
    kept_.assign(std::begin(extreme), std::end(extreme));
    std::uint32_t last = kNone;
    for (const Place& place : places_) {
        if (place.constraint == last)
            continue;
        last = place.constraint;
        if (std::find(kept_.begin(), kept_.end(), last) != kept_.end())
            continue;
        dynamics::ContactConstraint& constraint = constraints[last];
        hidden_.push_back({last, constraint.bodyA, constraint.bodyB, constraint.count});
        constraint.bodyA = constraint.bodyB = dynamics::kFixedBody;
        constraint.count = 0;
        constraint.angular.rolling1 = constraint.angular.rolling2 = constraint.angular.spinning = 0;
    }
}

void ContactThinner::restore(std::span<dynamics::ContactConstraint> constraints) {
    for (const Hidden& hidden : hidden_) {
        dynamics::ContactConstraint& constraint = constraints[hidden.constraint];
        constraint.bodyA = hidden.bodyA;
        constraint.bodyB = hidden.bodyB;
        constraint.count = hidden.count;
        for (int i = 0; i < constraint.count; ++i) {
            dynamics::ConstraintPoint& point = constraint.points[i];
            point.separation = point.normalImpulse = point.tangentImpulse1 = point.tangentImpulse2 = 0;
            point.totalNormalImpulse = point.totalTangentImpulse1 = point.totalTangentImpulse2 = 0;
        }
    }
    hidden_.clear();
}

}  // namespace sunder::world
