// Each quadratic is solved relative to the point of the ray nearest to the solid's centre: from a far camera the usual form
// loses all digits to cancellation.
#include "render/primitives.h"

namespace sunder::render {

namespace {

// Width of the rounded edge, as a share of the solid's smallest half extent.
constexpr Real kRoundedEdge = Real(0.09);

// Where the ray enters a sphere. The ray must start at its point nearest to the centre.
Real enterSphere(Real radius, const Vec3& center, const Vec3& origin, const Vec3& direction) {
    const Vec3 offset = origin - center;
    const Real nearest = -dot(offset, direction);
    const Real gap = lengthSquared(offset + direction * nearest);
    const Real inside = square(radius) - gap;
    if (inside < 0)
        return kInfinity;
    const Real distance = nearest - std::sqrt(inside);
    return distance > 0 ? distance : kInfinity;
}

// Where the ray enters the infinite cylinder about y.
Real enterTube(Real radius, const Vec3& origin, const Vec3& direction) {
    const Real across = square(direction.x) + square(direction.z);
    if (across < Real(1e-12))
        return kInfinity;
    const Real nearest = -(origin.x * direction.x + origin.z * direction.z) / across;
    const Real gap = square(origin.x + direction.x * nearest) + square(origin.z + direction.z * nearest);
    const Real inside = square(radius) - gap;
    if (inside < 0)
        return kInfinity;
    const Real distance = nearest - std::sqrt(inside / across);
    return distance > 0 ? distance : kInfinity;
}

}  // namespace

Real intersectSphere(Real radius, const Vec3& origin, const Vec3& direction) {
    return enterSphere(radius, {}, origin, direction);
}

Real intersectBox(const Vec3& halfExtents, const Vec3& origin, const Vec3& direction) {
    const Vec3 inverse = safeInverse(direction);
    const Vec3 toCenter = multiply(-origin, inverse);
    const Vec3 reach = multiply(halfExtents, abs(inverse));
    const Vec3 low = toCenter - reach, high = toCenter + reach;
    const Real enter = max(max(low.x, low.y), low.z);
    const Real leave = min(min(high.x, high.y), high.z);
    return enter > 0 && enter <= leave ? enter : kInfinity;
}

Real intersectCapsule(Real radius, Real halfHeight, const Vec3& origin, const Vec3& direction) {
    const Real tube = enterTube(radius, origin, direction);
    if (tube != kInfinity && std::fabs(origin.y + tube * direction.y) <= halfHeight)
        return tube;
    return min(enterSphere(radius, {0, halfHeight, 0}, origin, direction),
               enterSphere(radius, {0, -halfHeight, 0}, origin, direction));
}

Real intersectCylinder(Real radius, Real halfHeight, const Vec3& origin, const Vec3& direction) {
    const Real tube = enterTube(radius, origin, direction);
    if (tube != kInfinity && std::fabs(origin.y + tube * direction.y) <= halfHeight)
        return tube;
    // A ray can enter only the cap that faces it.
    if (direction.y == 0)
        return kInfinity;
    const Real cap = ((direction.y < 0 ? halfHeight : -halfHeight) - origin.y) / direction.y;
    if (!(cap > 0) || square(origin.x + cap * direction.x) + square(origin.z + cap * direction.z) > square(radius))
        return kInfinity;
    return cap;
}

Real edgeTurn(Real distance, Real width) {
    const Real near = clamp(1 - distance / width, 0, 1);
    return near * near;
}

SurfaceNormals boxNormals(const Vec3& halfExtents, const Vec3& point) {
    // Depth below each pair of faces; the point is on the face of least depth.
    const Vec3 depth = halfExtents - abs(point);
    const int axis = depth.x <= depth.y && depth.x <= depth.z ? 0 : (depth.y <= depth.z ? 1 : 2);
    SurfaceNormals result;
    setComponent(result.geometric, axis, component(point, axis) < 0 ? Real(-1) : Real(1));
    const Real width = kRoundedEdge * min(min(halfExtents.x, halfExtents.y), halfExtents.z);
    result.shading = result.geometric;
    for (int side = 0; side < 3; ++side)
        if (side != axis) {
            const Real turn = edgeTurn(component(depth, side), width);
            setComponent(result.shading, side, component(point, side) < 0 ? -turn : turn);
        }
    result.shading = normalizeOr(result.shading, result.geometric);
    return result;
}

SurfaceNormals capsuleNormals(Real halfHeight, const Vec3& point) {
    const Vec3 axisPoint{0, clamp(point.y, -halfHeight, halfHeight), 0};
    const Vec3 normal = normalizeOr(point - axisPoint, {0, 1, 0});
    return {normal, normal};
}

SurfaceNormals cylinderNormals(Real radius, Real halfHeight, const Vec3& point) {
    const Vec3 outward = normalizeOr({point.x, 0, point.z}, {1, 0, 0});
    const Vec3 upward{0, point.y < 0 ? Real(-1) : Real(1), 0};
    const Real sideDepth = std::fabs(radius - std::sqrt(square(point.x) + square(point.z)));
    const Real capDepth = std::fabs(halfHeight - std::fabs(point.y));
    const Real width = kRoundedEdge * min(radius, halfHeight);
    if (sideDepth < capDepth)
        return {outward, normalizeOr(outward + upward * edgeTurn(capDepth, width), outward)};
    return {upward, normalizeOr(upward + outward * edgeTurn(sideDepth, width), upward)};
}

}  // namespace sunder::render
