#include "world/pair/make_constraint.h"

#include "collision/built_shape.h"
#include "dynamics/contact/scalar/inherit.h"
#include "world/pair/mixing.h"

namespace sunder::world {

namespace {

Vec3 mixedSurfaceVelocity(const Flight& a, const Flight& b, const Vec3& normal) {
    const Vec3 relative = a.surfaceVelocity - b.surfaceVelocity;
    return relative - normal * dot(relative, normal);
}

Quat orientationAt(const Flight& flight, const Moment& moment) {
    if (moment.time == 0)
        return flight.orientation;
    return quatFromRotationVector(turnTo(moment, flight) * moment.time) * flight.orientation;
}

// The frame that carries the anchors of contacts. That of a round part does not turn with the body: the part rolls under its
// contacts.
dynamics::AnchorFrame anchorFrame(const Flight& flight, std::uint32_t child, const Vec3& normal, const Moment& moment) {
    const BuiltShape* part = roundPart(flight, child, normal);
    if (part == nullptr)
        return {};
    const Pose place = principalFromPart(flight, child);
    if (part->type == ShapeType::Sphere)
        return {dynamics::AnchorMotion::Stays, place.position, {}, {}};
    const Vec3 axis = rotate(place.orientation, {0, 1, 0});
    return {dynamics::AnchorMotion::Swings, place.position, axis, rotate(orientationAt(flight, moment), axis)};
}

// A point of the surface, from the body's centre, in the frame that moves with it.
Vec3 anchorOn(const Flight& flight, const dynamics::AnchorFrame& frame, const Vec3& pointFromCenterAtStart,
              const Moment& moment) {
    if (flight.fixed)
        return pointFromCenterAtStart;
    const Vec3 arm = pointFromCenterAtStart - velocityTo(moment, flight) * moment.time;
    const Quat orientation = orientationAt(flight, moment);
    return frame.motion == dynamics::AnchorMotion::Turns ? inverseRotate(orientation, arm)
                                                         : arm - rotate(orientation, frame.center);
}

// Share of B in the point at which impulses act. While bodies slide the contact stays with the smaller one, whose corners made
// it.
Real shareOfB(const Flight& a, const Flight& b) {
    constexpr Real kClearlySmaller = Real(1.5);  // ratio of radii; bodies more alike share the contact equally
    if (!a.isDynamic || a.radius > kClearlySmaller * b.radius)
        return 1;
    if (!b.isDynamic || b.radius > kClearlySmaller * a.radius)
        return 0;
    return Real(0.5);
}

// m: the radius of what rolls there; infinite where nothing does.
Real roundnessOf(const Flight& flight, std::uint32_t child, const Vec3& normal) {
    const BuiltShape* part = roundPart(flight, child, normal);
    return part != nullptr ? part->radius : kInfinity;
}

// m: the inner radius of the thinner body; a mesh has none.
Real thinnerOf(const Flight& a, const Flight& b) {
    if (isMesh(a) || isMesh(b))
        return isMesh(a) ? b.innerRadius : a.innerRadius;
    return min(a.innerRadius, b.innerRadius);
}

}  // namespace

void setPair(const Flight& a, const Flight& b, dynamics::ContactConstraint& constraint) {
    static_assert(dynamics::kFixedBody == 0);
    constraint.bodyA = a.solverIndex;
    constraint.bodyB = b.solverIndex;
    constraint.centerOffset = b.center - a.center;
    constraint.pointOnB = shareOfB(a, b);
    constraint.isFlat = !a.isLevelSet && !b.isLevelSet && anchorsTurn(constraint);
    constraint.material.surfaceVelocity = mixedSurfaceVelocity(a, b, constraint.normal);
    constraint.material.friction = mixedFriction(a.friction, b.friction);
    constraint.material.restitution =
        constraint.id.key == collision::kTangledKey ? 0 : mixedRestitution(a.restitution, b.restitution);
}

void setTurnFriction(const Flight& a, const Flight& b, dynamics::ContactConstraint& constraint) {
    int loaded = 0;
    for (int i = 0; i < constraint.count; ++i)
        loaded += constraint.points[i].normalImpulse > 0;
    const Real atPoints = loaded == 1 ? kPointShare * thinnerOf(a, b) : Real(0);
    const Real roundA = roundnessOf(a, constraint.id.childA, constraint.normal),
               roundB = roundnessOf(b, constraint.id.childB, constraint.normal);
    constraint.material.rollingFriction =
        mixedTurnFriction(turnFrictionOf(a.rollingFriction, roundA), turnFrictionOf(b.rollingFriction, roundB), atPoints);
    constraint.material.spinningFriction =
        mixedTurnFriction(turnFrictionOf(a.spinningFriction, roundA), turnFrictionOf(b.spinningFriction, roundB), atPoints);
    limitRotation(constraint);
}

void makeConstraint(const Flight& a, const Flight& b, const Moment& moment, const collision::ContactManifold& manifold,
                    dynamics::ContactConstraint& constraint) {
    constraint.id.key = manifold.key;
    constraint.id.childA = manifold.childA;
    constraint.id.childB = manifold.childB;
    constraint.count = manifold.count;
    constraint.normal = manifold.normal;
    constraint.tangent1 = anyPerpendicular(manifold.normal);
    constraint.tangent2 = cross(manifold.normal, constraint.tangent1);
    constraint.frameA = anchorFrame(a, manifold.childA, manifold.normal, moment);
    constraint.frameB = anchorFrame(b, manifold.childB, manifold.normal, moment);
    setPair(a, b, constraint);
    for (int i = 0; i < manifold.count; ++i) {
        const collision::ContactPoint& from = manifold.points[i];
        dynamics::ConstraintPoint& to = constraint.points[i];
        to.anchorA = anchorOn(a, constraint.frameA, from.onA, moment);
        to.anchorB = anchorOn(b, constraint.frameB, from.onB - constraint.centerOffset, moment);
        to.feature = from.feature;
        if (moment.time == 0 || moment.areHeld)  // otherwise they do not touch yet
            to.separation = from.separation;
    }
}

}  // namespace sunder::world
