// Each shape in its own frame, p the point asked about.
#include "collision/query/point_distance.h"

#include "collision/continuous/children.h"
#include "collision/narrow_phase/core/gjk.h"
#include "collision/narrow_phase/mesh/convex_triangle.h"
#include "collision/query/level_set_query.h"

namespace sunder::collision {
namespace {

DistanceHit hitAt(const Vec3d& p, const Vec3d& normal, double distance) { return {distance, p - normal * distance, normal}; }

DistanceHit toSegment(const Vec3d& p, double radius, double halfHeight) {
    const Vec3d arm = p - Vec3d{0, limitTo(p.y, -halfHeight, halfHeight), 0};
    return hitAt(p, normalizeOr(arm, {1, 0, 0}), length(arm) - radius);
}

DistanceHit toCylinder(const Vec3d& p, double radius, double halfHeight) {
    const double across = std::sqrt(p.x * p.x + p.z * p.z);
    const Vec3d outward = normalizeOr(Vec3d{p.x, 0, p.z}, {1, 0, 0}), upward{0, p.y < 0 ? -1.0 : 1.0, 0};
    const double beside = across - radius, above = std::fabs(p.y) - halfHeight;
    if (beside > 0 && above > 0) {
        const double distance = std::sqrt(beside * beside + above * above);
        return hitAt(p, (outward * beside + upward * above) * (1 / distance), distance);
    }
    return beside > above ? hitAt(p, outward, beside) : hitAt(p, upward, above);
}

DistanceHit toPolyhedron(const Vec3d& p, const BuiltShape& shape) {
    DistanceHit nearest;
    nearest.distance = -kNever;
    for (const geometry::Polyhedron::Face& face : shape.polyhedron.faces) {
        const double height = dot(toDouble(face.normal), p) - double(face.offset);
        if (height > nearest.distance)
            nearest = hitAt(p, toDouble(face.normal), height);
    }
    if (!(nearest.distance > 0))
        return nearest;
    // Outside, the closest feature may be an edge or a vertex: use the general search.
    const ConvexCore core(shape), point({Vec3{}, Vec3{}, Vec3{}});
    Placement at;
    at.origin = p;
    const ClosestPoints closest = findClosestPoints({core, {}}, {point, at}, kNever);
    return closest.status == ClosestPoints::Status::Apart ? DistanceHit{closest.distance, closest.onA, closest.normal}
                                                          : nearest;
}

DistanceHit toSolid(const Vec3d& p, const BuiltShape& shape) {
    switch (shape.type) {
        case ShapeType::Sphere: return toSegment(p, shape.radius, 0);
        case ShapeType::Capsule: return toSegment(p, shape.radius, shape.halfHeight);
        case ShapeType::Cylinder: return toCylinder(p, shape.radius, shape.halfHeight);
        case ShapeType::LevelSet: return toLevelSet(p, *shape.levelSet);
        default: return toPolyhedron(p, shape);
    }
}

double distanceToBounds(const Bounds& bounds, const Vec3d& p) {
    const auto outside = [](double low, double high, double x) { return greater(greater(low - x, x - high), 0); };
    return length(Vec3d{outside(bounds.low.x, bounds.high.x, p.x), outside(bounds.low.y, bounds.high.y, p.y),
                        outside(bounds.low.z, bounds.high.z, p.z)});
}

// At an edge or vertex several triangles are equally close and may disagree about the side of the point; the one whose plane is
// farthest from it is right.
std::optional<DistanceHit> toMesh(const Vec3d& p, const BuiltShape& shape, double maxDistance) {
    constexpr double kTie = 1e-9;  // relative difference of distances that is rounding
    const geometry::TriangleMesh& mesh = *shape.mesh;
    DistanceHit best;
    best.distance = maxDistance;
    double bestHeight = 0;
    mesh.nearest(
        maxDistance, [&](const Bounds& bounds) { return distanceToBounds(bounds, p); },
        [&](std::uint32_t triangle) {
            const TriangleCorners t(mesh, triangle);
            const Vec3d corners[3] = {toDouble(t.corner[0]) - p, toDouble(t.corner[1]) - p, toDouble(t.corner[2]) - p};
            const Vec3d arm = nearestToOrigin(corners).point;
            const double distance = length(arm), height = -dot(toDouble(mesh.normal(triangle)), arm);
            const double tie = kTie * (1 + best.distance);
            const double limit = best.distance + tie;
            const bool isFirst = best.triangle == kNoIndex && distance <= maxDistance;
            const bool closer = distance < best.distance - tie;
            const bool faces = distance <= limit && std::fabs(height) > std::fabs(bestHeight);
            if (isFirst || (best.triangle != kNoIndex && (closer || faces))) {
                best = {distance, p + arm, toDouble(mesh.normal(triangle))};
                best.triangle = triangle;
                bestHeight = height;
            }
            return best.triangle != kNoIndex ? best.distance + tie : maxDistance;
        });
    if (best.triangle == kNoIndex)
        return std::nullopt;
    const bool isSolid = shape.massProperties.volume > 0;
    const double sign = bestHeight < 0 ? -1 : 1;
    best.normal = normalizeOr((p - best.point) * sign, best.normal);
    if (isSolid)
        best.distance *= sign;
    else
        best.normal = best.normal * sign;  // towards the point
    best.triangle = mesh.sourceIndex(best.triangle);
    return best;
}

}  // namespace

std::optional<DistanceHit> findDistance(const ShapeAt& target, double maxDistance) {
    std::optional<DistanceHit> best;
    const Placement outerFromShape = target.placement();
    forEachChild(target.shape, [&](const BuiltShape& child, const Placement& shapeFromChild, std::uint32_t index) {
        const Placement outerFromChild = compose(outerFromShape, shapeFromChild);
        const Vec3d p = innerPoint(outerFromChild, {});
        std::optional<DistanceHit> hit =
            child.type == ShapeType::Mesh ? toMesh(p, child, maxDistance) : std::optional(toSolid(p, child));
        if (!hit || !(hit->distance <= (best ? best->distance : maxDistance)))
            return;
        if (best && hit->distance == best->distance)
            return;
        hit->point = outerPoint(outerFromChild, hit->point);
        hit->normal = outerDirection(outerFromChild, hit->normal);
        hit->child = target.shape.type == ShapeType::Compound ? index : kNoIndex;
        best = hit;
    });
    return best;
}

}  // namespace sunder::collision
