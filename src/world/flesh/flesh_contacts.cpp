#include "world/flesh/flesh_contacts.h"

#include <algorithm>

#include "collision/query/point_distance.h"
#include "world/state/contact_filter.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

constexpr double kWeightOfNode = 0.999;  // of a triangle's corner, in a point that is that corner

// m: how far a point of a rigid body may get in the step beside what its velocity takes it.
Real spreadOf(const Body& body, Real gravity, Real dt) {
    if (body.motion == Motion::Static)
        return 0;
    return (length(body.angularVelocity) * body.shape->boundingRadius + gravity * dt) * dt;
}

// Nodes against a shape. Those inside the body too: where it is crushed flat they would fall out of it and hang below what it
// lies on. Not against bodies that hold it: these may lie in it.
void nodesAgainstShape(const FleshSurface& surface, const Body& other, std::uint32_t slot, Real reach,
                       std::vector<FleshContact>& out) {
    const Quat turn = userOrientation(other);
    const Vec3 at = userPosition(other) - surface.origin;
    const Bounds near = expand(collision::worldBounds(*other.shape, {at, turn}), reach);
    const auto add = [&](std::uint32_t node) {
        const Vec3& p = surface.points[node];
        if (!overlaps(near, Bounds{p, p}) || isHeldBy(*surface.body().solid, node, slot))
            return;
        const auto hit = collision::findDistance({*other.shape, toDouble(at - p), turn}, double(reach));
        if (!hit)
            return;
        FleshContact contact;
        contact.a = nodeSide(surface, node);
        contact.b.body = slot;
        contact.b.point = contact.a.point + toReal(hit->point);
        contact.normal = toReal(hit->normal);
        contact.gap = Real(hit->distance);
        contact.area = surface.areaAt(node);
        out.push_back(contact);
    };
    const auto& holds = surface.body().solid->holds;
    if (std::any_of(holds.begin(), holds.end(), [&](const auto& hold) { return hold.body.index == slot; }))
        for (const std::uint32_t node : surface.body().vertices->colliders[0].vertices)
            add(node);
    else
        for (std::uint32_t node = 0; node < surface.points.size(); ++node)
            add(node);
}

// Triangles of a surface that lie in a box.
std::vector<std::uint32_t> trianglesIn(const FleshSurface& surface, const Bounds& box) {
    std::vector<std::uint32_t> found;
    const auto& triangles = surface.body().vertices->triangles;
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
        if (overlaps(surface.triangleBounds[t], box))
            found.push_back(t);
    return found;
}

// The point of the triangles nearest to p, with the surface's normal where p is inside or on it. outward: of the other surface
// at p, where it has one. Two surfaces that touch face each other: of triangles that meet in the nearest point, the one that is
// turned to the other surface counts, and where none is, as at the rim of a crack, there is no contact.
OnSurface nearestOn(const FleshSurface& surface, std::span<const std::uint32_t> triangles, const Vec3& p, Real reach,
                    const Vec3* outward = nullptr) {
    OnSurface best;
    const auto& all = surface.body().vertices->triangles;
    double least = double(reach) * double(reach), facing = -2;
    for (const std::uint32_t t : triangles) {
        if (double(squaredDistance(surface.triangleBounds[t], p)) > least + kOnSurface * kOnSurface)
            continue;
        const auto& corners = all[t];
        const Vec3 &a = surface.points[corners[0]], &b = surface.points[corners[1]], &c = surface.points[corners[2]];
        const geometry::TrianglePoint at = geometry::closestPoint(toDouble(p), toDouble(a), toDouble(b), toDouble(c));
        if (at.squaredDistance > least + kOnSurface * kOnSurface)
            continue;
        const Vec3 normal = normalizeOr(cross(b - a, c - a), {0, 1, 0});
        const Vec3 q = a * Real(at.weights[0]) + b * Real(at.weights[1]) + c * Real(at.weights[2]);
        const Real along = dot(p - q, normal);
        // Several triangles may meet in the nearest point. The one that faces p most tells on which side of the surface p is;
        // where p lies on the surface, the one that faces the other surface most.
        const bool isOn = outward && at.squaredDistance < kOnSurface * kOnSurface;
        const double faces = isOn ? -double(dot(normal, *outward)) : std::fabs(double(along));
        if (at.squaredDistance > least - kOnSurface * kOnSurface && faces <= facing)
            continue;
        least = std::min(least, at.squaredDistance);
        facing = faces;
        const Real distance = Real(std::sqrt(at.squaredDistance));
        best = {t, at, normal, along < 0 ? -distance : distance};
        if (along > 0 && distance > Real(kOnSurface))
            best.normal = (p - q) / distance;
        else if (along >= 0 && distance > along + Real(kOnSurface))
            best.triangle = kNone;  // beside it
    }
    if (outward && double(dot(best.normal, *outward)) > -kLeastFacing)
        best.triangle = kNone;
    return best;
}

// Whether a node lies on a node of the other surface, as those of two pieces do until they have come apart.
bool isOnNode(const OnSurface& on) {
    return std::fabs(double(on.gap))<kOnSurface&& * std::max_element(on.at.weights.begin(), on.at.weights.end())> kWeightOfNode;
}

// Nodes of one against the surface of another. isSecond: the nodes of the other have been found on this one's surface.
void nodesAgainstSurface(const FleshSurface& a, const FleshSurface& b, Real reach, bool isSecond,
                         std::vector<FleshContact>& out) {
    const Vec3 shift = a.origin - b.origin;
    const Bounds near = expand(b.bounds, reach), other{a.bounds.low + shift, a.bounds.high + shift};
    if (!overlaps(near, other))
        return;
    const std::vector<std::uint32_t> triangles = trianglesIn(b, expand(other, reach));
    if (triangles.empty())
        return;
    for (const std::uint32_t node : a.body().vertices->colliders[0].vertices) {
        const Vec3 p = a.points[node] + shift;
        if (!overlaps(near, Bounds{p, p}))
            continue;
        const OnSurface on = nearestOn(b, triangles, p, reach, &a.normalAt(node));
        if (on.triangle == kNone || (isSecond && isOnNode(on)))
            continue;
        out.push_back({nodeSide(a, node), surfaceSide(b, on), on.normal, on.gap, false, {}, a.areaAt(node)});
    }
}

// Corners of a rigid shape, and balls: where they are, and how thick.
void cornersOf(const BuiltShape& shape, std::vector<Vec3>& corners, Real& radius) {
    radius = 0;
    switch (shape.type) {
        case ShapeType::Box:
        case ShapeType::Hull: corners.assign(shape.polyhedron.vertices.begin(), shape.polyhedron.vertices.end()); break;
        case ShapeType::Sphere:
            corners = {{}};
            radius = shape.radius;
            break;
        case ShapeType::Capsule:
            corners = {{0, shape.halfHeight, 0}, {0, -shape.halfHeight, 0}};
            radius = shape.radius;
            break;
        default: corners.clear();
    }
}

// Whether a body holds a corner of a triangle.
bool isHeldBy(const FleshSurface& surface, std::uint32_t triangle, std::uint32_t slot) {
    const auto& corners = surface.body().vertices->triangles[triangle];
    return std::any_of(corners.begin(), corners.end(),
                       [&](std::uint32_t node) { return world::isHeldBy(*surface.body().solid, node, slot); });
}

// Corners of a shape against the surface, which may lie between its nodes.
void cornersAgainstSurface(const FleshSurface& surface, const Body& other, std::uint32_t slot, Real reach,
                           std::vector<FleshContact>& out) {
    std::vector<Vec3> corners;
    Real radius = 0;
    cornersOf(*other.shape, corners, radius);
    const Pose pose{userPosition(other) - surface.origin, userOrientation(other)};
    for (const Vec3& corner : corners) {
        const Vec3 p = transformPoint(pose, corner);
        const Bounds near = expand(Bounds{p, p}, reach + radius);
        if (!overlaps(near, surface.bounds))
            continue;
        const std::vector<std::uint32_t> triangles = trianglesIn(surface, near);
        const OnSurface on = nearestOn(surface, triangles, p, reach + radius);
        if (on.triangle == kNone || isHeldBy(surface, on.triangle, slot))
            continue;
        FleshContact contact;
        contact.a.body = slot;
        contact.a.point = surface.origin + (p - on.normal * radius);
        contact.b = surfaceSide(surface, on);
        contact.normal = on.normal;
        contact.gap = on.gap - radius;
        const auto& triangle = surface.body().vertices->triangles[on.triangle];
        contact.area = length(cross(surface.points[triangle[1]] - surface.points[triangle[0]],
                                    surface.points[triangle[2]] - surface.points[triangle[0]])) /
                       2;
        out.push_back(contact);
    }
}

bool mayBeTouched(const Body& body, const Body& other) {
    return &other != &body && !other.sensor && !other.quarantined && (body.layer & other.mask) && (other.layer & body.mask);
}

// Bodies near the box. The broad phase knows where bodies are, not where fast ones get in this step: these are asked one by
// one.
std::vector<std::uint32_t> neighborsOf(const WorldState& world, std::uint32_t own, const Bounds& box, Real gravity, Real dt) {
    const Body& body = world.bodies[own];
    const auto isJoined = [&](std::uint32_t other) { return areJoinedByFlesh(world.joints, world.fleshJoints, own, other); };
    std::vector<std::uint32_t> slots;
    for (const Motion motion : {Motion::Static, Motion::Kinematic, Motion::Dynamic})
        world.broadPhase.query(motion, box, [&](std::uint32_t collider) {
            if (const std::uint32_t slot = slotOf(collider); mayBeTouched(body, world.bodies[slot]) && !isJoined(slot))
                slots.push_back(slot);
        });
    for (const std::uint32_t slot : world.roster.moving) {
        const Body& other = world.bodies[slot];
        if (other.vertices || isAsleep(other) || !mayBeTouched(body, other) || isJoined(slot))
            continue;
        if (const Real reach = length(other.velocity) * dt + spreadOf(other, gravity, dt);
            reach > kFleshMargin && overlaps(expand(tightBounds(other), reach), box))
            slots.push_back(slot);
    }
    const auto bySerial = [&](std::uint32_t a, std::uint32_t b) { return world.bodies[a].serial < world.bodies[b].serial; };
    std::sort(slots.begin(), slots.end(), bySerial);
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    return slots;
}

Vec3 velocityOf(const Body& body, const FleshContact::Side& side) {
    if (body.motion == Motion::Static || isAsleep(body))
        return {};
    Vec3 velocity = body.velocity + cross(body.angularVelocity, side.point - body.center);
    for (int k = 0; k < side.nodes; ++k)
        velocity += rotate(userOrientation(body), body.vertices->velocities[side.node[k]]) * side.weight[k];
    return velocity;
}

}  // namespace

void findFleshContacts(FleshSurfaces& surfaces, std::uint32_t slot, std::vector<FleshContact>& out) {
    const WorldState& world = surfaces.world;
    const Body& body = world.bodies[slot];
    const Real gravity = length(world.def.gravity), dt = surfaces.dt;
    const FleshSurface& surface = surfaces.of(slot);
    const Vec3 at = toVec3(surface.origin);
    const Bounds box =
        expand(Bounds{surface.bounds.low + at, surface.bounds.high + at}, length(body.velocity) * dt + surface.spread);
    for (const std::uint32_t other : neighborsOf(world, slot, box, gravity, dt)) {
        const Body& with = world.bodies[other];
        const Real passed = length(body.velocity - with.velocity) * dt;
        if (with.solid) {
            if (with.serial < body.serial && !isAsleep(with))
                continue;
            const FleshSurface& second = surfaces.of(other);
            const Real reach = passed + surface.spread + second.spread;
            nodesAgainstSurface(surface, second, reach, false, out);
            nodesAgainstSurface(second, surface, reach, true, out);
            continue;
        }
        if (with.vertices)
            continue;
        const Real reach = passed + surface.spread + spreadOf(with, gravity, dt);
        nodesAgainstShape(surface, with, other, reach, out);
        cornersAgainstSurface(surface, with, other, reach, out);
    }
}

Vec3 closingVelocity(const PagedVector<Body>& bodies, const FleshContact& contact) {
    return velocityOf(bodies[contact.b.body], contact.b) - velocityOf(bodies[contact.a.body], contact.a);
}

}  // namespace sunder::world
