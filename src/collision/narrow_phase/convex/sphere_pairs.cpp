// Spheres against spheres, boxes, capsules and cylinders, in closed form. Normals point from the sphere to the other shape.
#include "collision/narrow_phase/convex/pairs.h"

namespace sunder::collision {
namespace {

// The other shape's surface relative to the sphere's centre, in the other shape's frame.
struct NearestOnShape {
    Vec3 outward;       // unit: from the surface to the centre where that is outside, the way out where it is inside
    Real distance = 0;  // of the centre from the surface; negative inside
};

ContactManifold makeManifold(const PlacedShape& sphere, const Pose& poseOther, const NearestOnShape& nearest, Real margin) {
    ContactManifold manifold;
    const Real separation = nearest.distance - sphere.shape.radius;
    if (!(separation <= margin))
        return manifold;
    manifold.normal = -rotate(poseOther.orientation, nearest.outward);
    manifold.count = 1;
    const Vec3 onSphere = sphere.pose.position + manifold.normal * sphere.shape.radius;
    manifold.points[0] = {onSphere, onSphere + manifold.normal * separation, separation, 0};
    return manifold;
}

NearestOnShape outsideOf(const Vec3& center, const Vec3& closest, const Vec3& fallback) {
    const Vec3 d = center - closest;
    return {normalizeOr(d, fallback), length(d)};
}

NearestOnShape closestOnBox(const Vec3& half, const Vec3& p) {
    const Vec3 closest = min(max(p, -half), half);
    if (!(closest == p))
        return outsideOf(p, closest, {0, 1, 0});
    const Vec3 room = half - abs(p);
    const int axis = room.x <= room.y ? (room.x <= room.z ? 0 : 2) : (room.y <= room.z ? 1 : 2);
    const Real sign = component(p, axis) < 0 ? Real(-1) : Real(1);
    NearestOnShape nearest{{}, -component(room, axis)};
    setComponent(nearest.outward, axis, sign);
    return nearest;
}

NearestOnShape closestOnCylinder(Real radius, Real halfHeight, const Vec3& p) {
    const Vec3 across{p.x, 0, p.z};
    const Real distance = length(across);
    const Vec3 radial = normalizeOr(across, {1, 0, 0});
    const Real roomAcross = radius - distance, roomAlong = halfHeight - std::fabs(p.y);
    if (roomAcross < 0 || roomAlong < 0) {
        Vec3 closest = roomAcross < 0 ? radial * radius : across;
        closest.y = clamp(p.y, -halfHeight, halfHeight);
        return outsideOf(p, closest, roomAcross < 0 ? radial : Vec3{0, p.y < 0 ? Real(-1) : Real(1), 0});
    }
    if (roomAcross < roomAlong)
        return {radial, -roomAcross};
    return {{0, p.y < 0 ? Real(-1) : Real(1), 0}, -roomAlong};
}

}  // namespace

ContactManifold collideSphereSphere(const PlacedShape& a, const PlacedShape& b, Real margin) {
    const Vec3 d = a.pose.position - b.pose.position;
    const Vec3 outward = normalizeOr(d, {0, -1, 0});
    return makeManifold(a, {b.pose.position, {}}, {outward, length(d) - b.shape.radius}, margin);
}

ContactManifold collideSphereBox(const PlacedShape& a, const PlacedShape& b, Real margin) {
    return makeManifold(a, b.pose, closestOnBox(b.shape.halfExtents, inverseTransformPoint(b.pose, a.pose.position)), margin);
}

ContactManifold collideSphereCapsule(const PlacedShape& a, const PlacedShape& b, Real margin) {
    const Vec3 p = inverseTransformPoint(b.pose, a.pose.position);
    NearestOnShape nearest = outsideOf(p, {0, clamp(p.y, -b.shape.halfHeight, b.shape.halfHeight), 0}, {1, 0, 0});
    nearest.distance -= b.shape.radius;
    return makeManifold(a, b.pose, nearest, margin);
}

ContactManifold collideSphereCylinder(const PlacedShape& a, const PlacedShape& b, Real margin) {
    const Vec3 p = inverseTransformPoint(b.pose, a.pose.position);
    return makeManifold(a, b.pose, closestOnCylinder(b.shape.radius, b.shape.halfHeight, p), margin);
}

}  // namespace sunder::collision
