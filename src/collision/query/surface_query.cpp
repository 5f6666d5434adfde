#include "collision/query/surface_query.h"

#include <algorithm>
#include <cmath>

#include "collision/continuous/children.h"
#include "collision/query/shape_cast.h"
#include "geometry/level_set/closest_point.h"

namespace sunder::collision {

namespace {

struct CornersOnWay {
    Vec3d a, b, c;
    Vec3d normal() const { return normalizeOr(cross(b - a, c - a), {0, 1, 0}); }
};

CornersOnWay cornersOf(const MovingSurface& surface, std::uint32_t triangle) {
    const auto& t = surface.triangles[triangle];
    return {toDouble(surface.points[t[0]]), toDouble(surface.points[t[1]]), toDouble(surface.points[t[2]])};
}

// The fraction at which a ray from the origin meets a triangle, from either side; kNever where it does not. Two triangles judge
// their common edge by the same products, so that no ray passes between them.
double meet(const CornersOnWay& t, const Vec3d& d) {
    const double u = dot(d, cross(t.c, t.b)), v = dot(d, cross(t.a, t.c)), w = dot(d, cross(t.b, t.a));
    const bool isInside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
    const Vec3d n = cross(t.b - t.a, t.c - t.a);
    const double speed = dot(n, d), fraction = dot(n, t.a) / speed;
    return isInside && speed != 0 && fraction >= 0 ? fraction : kNever;
}

// Distances closer than this share of the nearest count as equal.
constexpr double kTie = 1e-9;

// The triangles near a box as a mesh of their own, with their numbers in the surface; none where there are none.
struct NearMesh {
    SharedShape shape;
    std::vector<std::uint32_t> numbers;
};

NearMesh meshNear(const MovingSurface& surface, const Bounds& box) {
    NearMesh near;
    Mesh mesh;
    for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
        Bounds bounds;
        for (const std::uint32_t node : surface.triangles[t])
            bounds = unite(bounds, surface.points[node]);
        const CornersOnWay corners = cornersOf(surface, t);
        if (!overlaps(bounds, box) || !(length(cross(corners.b - corners.a, corners.c - corners.a)) > 0))
            continue;
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        for (const std::uint32_t node : surface.triangles[t])
            mesh.vertices.push_back(surface.points[node]);
        mesh.triangles.push_back({first, first + 1, first + 2});
        near.numbers.push_back(t);
    }
    if (!near.numbers.empty())
        near.shape = buildShape(mesh);
    return near;
}

Bounds sweptBox(const ShapeAt& moving, const Vec3d& displacement) {
    const Bounds start = worldBounds(moving.shape, {toReal(moving.position), moving.orientation});
    const Vec3 way = toReal(displacement);
    const Bounds end{start.low + way, start.high + way};
    const Bounds both = unite(start, end);
    const Vec3 size = both.high - both.low;
    return expand(both, Real(1e-3) * max(size.x, max(size.y, size.z)));
}

// Where the centre of the shape's bounds is inside the surface: how deep, and the way out.
std::optional<DistanceHit> insideAt(const ShapeAt& shape, const MovingSurface& surface) {
    MovingSurface shifted = surface;
    for (Vec3& p : shifted.points)
        p -= toReal(shape.position);
    const std::optional<DistanceHit> hit = findDistance(shifted, kNever);
    return hit && hit->distance < 0 ? hit : std::nullopt;
}

}  // namespace

std::optional<CastHit> castRay(const MovingSurface& surface, const Vec3d& displacement, double maxFraction) {
    double first = kNever;
    std::uint32_t which = kNoIndex;
    for (std::uint32_t t = 0; t < surface.triangles.size(); ++t)
        if (const double fraction = meet(cornersOf(surface, t), displacement); fraction < first) {
            first = fraction;
            which = t;
        }
    if (which == kNoIndex)
        return std::nullopt;
    CastHit hit;
    hit.triangle = which;
    hit.normal = cornersOf(surface, which).normal();
    if (dot(hit.normal, displacement) > 0) {  // it leaves before it enters
        hit.startsInside = true;
        hit.normal = normalizeOr(-displacement, {0, 1, 0});
        return hit;
    }
    if (!(first <= maxFraction))
        return std::nullopt;
    hit.fraction = first;
    hit.point = displacement * first;
    return hit;
}

std::optional<DistanceHit> findDistance(const MovingSurface& surface, double maxDistance) {
    double least = kNever, facing = -1;
    DistanceHit best;
    for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
        const CornersOnWay c = cornersOf(surface, t);
        const geometry::TrianglePoint at = geometry::closestPoint({0, 0, 0}, c.a, c.b, c.c);
        if (at.squaredDistance > least * (1 + kTie))
            continue;
        const Vec3d q = c.a * at.weights[0] + c.b * at.weights[1] + c.c * at.weights[2];
        const Vec3d normal = c.normal();
        // Of triangles that meet in the nearest point, the one that faces the origin most says on which side it is.
        const double along = -dot(q, normal);
        if (at.squaredDistance > least * (1 - kTie) && std::fabs(along) <= facing)
            continue;
        least = std::min(least, at.squaredDistance);
        facing = std::fabs(along);
        best.distance = std::sqrt(at.squaredDistance) * (along < 0 ? -1 : 1);
        best.point = q;
        best.normal = normal;
        best.triangle = t;
    }
    if (best.triangle == kNoIndex || best.distance > maxDistance)
        return std::nullopt;
    return best;
}

std::optional<CastHit> castShape(const ShapeAt& moving, const Vec3d& displacement, const MovingSurface& target,
                                 double maxFraction) {
    const NearMesh near = meshNear(target, sweptBox(moving, displacement));
    std::optional<CastHit> hit;
    if (near.shape)
        hit = castShape(moving, displacement, {*near.shape, {}, {0, 0, 0, 1}}, maxFraction, false);
    if (hit) {
        hit->triangle = near.numbers[hit->triangle];
        hit->child = kNoIndex;
    }
    if (hit && hit->startsInside)
        return hit;
    if (const std::optional<DistanceHit> inside = insideAt(moving, target)) {
        CastHit deep;
        deep.startsInside = true;
        deep.point = inside->point + moving.position;
        deep.normal = inside->normal;
        deep.depth = -inside->distance;
        deep.triangle = inside->triangle;
        return deep;
    }
    return hit;
}

bool findOverlap(const ShapeAt& shape, const MovingSurface& target) {
    const NearMesh near = meshNear(target, sweptBox(shape, {}));
    return (near.shape && findOverlap(shape, {*near.shape, {}, {0, 0, 0, 1}})) || insideAt(shape, target);
}

}  // namespace sunder::collision
