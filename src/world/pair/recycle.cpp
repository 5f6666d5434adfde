#include "world/pair/recycle.h"

#include "collision/built_shape.h"
#include "dynamics/body/point_motion.h"
#include "dynamics/contact/scalar/inherit.h"

namespace sunder::world {

namespace {

// Share of the smaller body's radius by which points of a manifold may lag behind the surfaces they were found on. Along the
// normal they follow exactly, since they are fixed to the two bodies.
constexpr Real kLag = Real(1e-3);
// The lag of level sets, in cells of the finer grid: their points are not known more exactly.
constexpr Real kLagCells = Real(0.25);
// rad: half the angle by which normals may lag. It is above rounding, so that nothing is turned at rest.
constexpr Real kStillTurn = Real(1e-6);

bool isLarger(const Flight& a, const Flight& b) { return a.fixed != b.fixed ? a.fixed : a.radius >= b.radius; }

}  // namespace

void startNextStep(dynamics::ContactConstraint& constraint, Real scale) {
    ++constraint.age;
    constraint.clamped = 0;
    constraint.substep.activePoints = 0;
    constraint.substep.hits = dynamics::Hits::No;
    constraint.angular.rolling1 *= scale;
    constraint.angular.rolling2 *= scale;
    constraint.angular.spinning *= scale;
    for (int i = 0; i < constraint.count; ++i) {
        dynamics::ConstraintPoint& point = constraint.points[i];
        point.normalImpulse *= scale;
        point.tangentImpulse1 *= scale;
        point.tangentImpulse2 *= scale;
        point.totalNormalImpulse = point.totalTangentImpulse1 = point.totalTangentImpulse2 = 0;
        point.bounceVelocity = 0;
    }
}

Recycling::Recycling(const Flight& a, const Flight& b) : larger_(isLarger(a, b) ? a : b), smaller_(isLarger(a, b) ? b : a) {
    place_ = inverseRotate(larger_.orientation, smaller_.center - larger_.center);
    turn_ = conjugate(larger_.orientation) * smaller_.orientation;
}

Real Recycling::motionSince(const SeenPair& seen) const {
    return length(place_ - seen.place) + dynamics::angleBetween(seen.turn, turn_) * smaller_.radius;
}

void Recycling::remember(SeenPair& seen) const {
    seen.place = place_;
    seen.turn = turn_;
    seen.larger = larger_.orientation;
}

void turnWithLarger(const Flight& a, const Flight& b, SeenPair& seen, std::span<dynamics::ContactConstraint> manifolds) {
    const Quat& now = (isLarger(a, b) ? a : b).orientation;
    const Quat turned = now * conjugate(seen.larger);
    if (lengthSquared(Vec3{turned.x, turned.y, turned.z}) <= square(kStillTurn))
        return;
    seen.larger = now;
    for (dynamics::ContactConstraint& c : manifolds) {
        const Vec3 rolling = rotate(turned, c.tangent1 * c.angular.rolling1 + c.tangent2 * c.angular.rolling2);
        const Vec3 old1 = rotate(turned, c.tangent1), old2 = rotate(turned, c.tangent2);
        c.normal = normalizeOr(rotate(turned, c.normal), c.normal);
        c.tangent1 = anyPerpendicular(c.normal);
        c.tangent2 = cross(c.normal, c.tangent1);
        c.angular.rolling1 = dot(rolling, c.tangent1);
        c.angular.rolling2 = dot(rolling, c.tangent2);
        for (int i = 0; i < c.count; ++i) {
            dynamics::ConstraintPoint& p = c.points[i];
            const Vec3 friction = old1 * p.tangentImpulse1 + old2 * p.tangentImpulse2;
            p.tangentImpulse1 = dot(friction, c.tangent1);
            p.tangentImpulse2 = dot(friction, c.tangent2);
        }
    }
}

Real Recycling::tolerance() const {
    const Real cell = min(larger_.cell, smaller_.cell);
    return cell < kInfinity ? max(kLag * smaller_.radius, kLagCells * cell) : kLag * smaller_.radius;
}

}  // namespace sunder::world
