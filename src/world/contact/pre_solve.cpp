#include "world/contact/pre_solve.h"

#include <array>
#include <cmath>

#include "world/pair/loaded_points.h"
#include "world/pair/mixing.h"

namespace sunder::world {

namespace {

using dynamics::ContactConstraint;

struct PreSolveSide {
    std::uint32_t slot;
    const Body& body;
    Vec3 velocity, angularVelocity;

    Vec3 velocityAt(const Vec3& arm) const { return velocity + cross(angularVelocity, arm); }
    BodyId id() const { return {slot, body.generation}; }
};

// As the body is before the step; of a kinematic one, as it goes through it.
PreSolveSide sideOf(std::uint32_t slot, const Flight& flight) {
    const Body& body = *flight.body;
    const bool isDriven = body.motion == Motion::Kinematic;
    return {slot, body, isDriven ? flight.velocity : body.velocity, isDriven ? flight.angularVelocity : body.angularVelocity};
}

// Whether the host leaves it on. Values that make no sense are left as they were.
bool ask(const WorldState& world, ContactManifoldView& view, bool isSwapped, ContactConstraint& constraint) {
    const Real sign = isSwapped ? Real(-1) : Real(1);
    view.friction = constraint.material.friction;
    view.restitution = constraint.material.restitution;
    view.surfaceVelocity = constraint.material.surfaceVelocity * sign;
    world.host.preSolve(view);
    if (view.friction >= 0 && std::isfinite(view.friction))
        constraint.material.friction = view.friction;
    if (view.restitution >= 0 && view.restitution <= 1)
        constraint.material.restitution = view.restitution;
    if (isFinite(view.surfaceVelocity)) {
        const Vec3 velocity = view.surfaceVelocity * sign;
        constraint.material.surfaceVelocity = velocity - constraint.normal * dot(velocity, constraint.normal);
    }
    return view.isEnabled;
}

}  // namespace

void askPreSolve(const WorldState& world, const Flight& a, const Flight& b, ContactPair& pair,
                 std::span<ContactConstraint> manifolds) {
    const PreSolveSide sideA = sideOf(pair.bodyA, a), sideB = sideOf(pair.bodyB, b);
    const bool isSwapped = sideA.body.serial > sideB.body.serial;
    const Real sign = isSwapped ? Real(-1) : Real(1);
    std::array<ManifoldPoint, collision::kMaxManifoldPoints> points;
    std::size_t off = 0;
    for (ContactConstraint& constraint : manifolds) {
        for (int i = 0; i < constraint.count; ++i) {
            const Vec3 armA = armOf(a, constraint.frameA, constraint.points[i].anchorA);
            const Vec3 armB = armOf(b, constraint.frameB, constraint.points[i].anchorB);
            const Vec3 gap = constraint.centerOffset + armB - armA;
            points[std::size_t(i)] = {toVec3(a.center + (armA + gap / 2)), -dot(gap, constraint.normal),
                                      (sideB.velocityAt(armB) - sideA.velocityAt(armA)) * sign};
        }
        ContactManifoldView view;
        view.a = (isSwapped ? sideB : sideA).id();
        view.b = (isSwapped ? sideA : sideB).id();
        view.normal = constraint.normal * sign;
        view.points = {points.data(), std::size_t(constraint.count)};
        if (constraint.count > 0 && ask(world, view, isSwapped, constraint))
            continue;
        constraint.count = 0;
        ++off;
    }
    if (off == 0)
        return;
    pair.seen.reach = -1;
    if (off == manifolds.size())
        pair.manifoldCount = 0;
}

BlowLaw lawOfBlow(const WorldState& world, std::uint32_t mover, std::uint32_t obstacle, const Vec3& place, const Vec3& normal,
                  Real depth) {
    const Body &body = world.bodies[mover], &other = world.bodies[obstacle];
    ContactConstraint constraint;
    constraint.normal = normal;
    constraint.material.friction = mixedFriction(body.material.friction, other.material.friction);
    constraint.material.restitution = mixedRestitution(body.material.restitution, other.material.restitution);
    if (!world.host.preSolve)
        return {true, constraint.material.friction, constraint.material.restitution};
    // The normal points from the obstacle, so that is the constraint's A.
    const bool isSwapped = other.serial > body.serial;
    const Real sign = isSwapped ? Real(-1) : Real(1);
    const WorldPoint point = body.center + place;
    const auto velocityOf = [&](const Body& of) { return of.velocity + cross(of.angularVelocity, point - of.center); };
    const ManifoldPoint seen{toVec3(point), depth, (velocityOf(body) - velocityOf(other)) * sign};
    const BodyId idOfBody{mover, body.generation}, idOfOther{obstacle, other.generation};
    ContactManifoldView view;
    view.a = isSwapped ? idOfBody : idOfOther;
    view.b = isSwapped ? idOfOther : idOfBody;
    view.normal = normal * sign;
    view.points = {&seen, 1};
    const bool isEnabled = ask(world, view, isSwapped, constraint);
    return {isEnabled, constraint.material.friction, constraint.material.restitution};
}

}  // namespace sunder::world
