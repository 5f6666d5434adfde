// Convex shapes against single triangles, by the general routines.
#include "collision/narrow_phase/mesh/convex_triangle.h"

#include "collision/narrow_phase/convex/contact_patch.h"

namespace sunder::collision {
namespace {

constexpr double kDegenerate = 1e-12;       // squared: twice the area over the product of two sides
constexpr double kMostBackwardLean = 1e-4;  // normals may lean back from the triangle's plane by rounding only
constexpr double kFrontGap = 1e-6;          // of the sizes: cores closer than this are left to the search for overlaps
constexpr double kFeatureSine = 2e-3;       // of the angle within which an edge counts as perpendicular to the normal

// Whether the triangle is neither degenerate nor seen from behind by a shape whose centre is given.
bool isUsable(const Vec3 (&triangle)[3], const Vec3d& center) {
    const Vec3d a = toDouble(triangle[0]), b = toDouble(triangle[1]) - a, c = toDouble(triangle[2]) - a;
    const Vec3d normal = cross(b, c);
    return dot(normal, normal) > kDegenerate * dot(b, b) * dot(c, c) && dot(normal, center - a) >= 0;
}

// Whether the point lies over the triangle's face.
bool isOver(const PolyhedronView& triangle, const Vec3d& n, const Vec3d& point) {
    for (int i = 0; i < 3; ++i) {
        const Vec3d from = triangle.vertex(i);
        if (dot(cross(n, triangle.vertex(i == 2 ? 0 : i + 1) - from), point - from) < 0)
            return false;
    }
    return true;
}

// As collideCores, but for a shape whose lowest point is in front of the triangle and over its face: that point is the closest.
ContactManifold collideFront(const CorePair& pair) {
    const PolyhedronView& triangle = pair.a.core.polyhedron;
    const Vec3d n = triangle.normal(0), lowest = pair.b.support(-n);
    const double gap = dot(n, lowest - triangle.vertex(0));
    if (gap > pair.margin + pair.rounding())
        return {};
    if (gap > kFrontGap * (pair.a.core.size + pair.b.core.size) && isOver(triangle, n, lowest))
        return buildManifold(pair, {n, gap, lowest - n * gap, lowest});
    return collideCores(pair);
}

TriangleFeature featureAlong(const ConvexCore& triangle, const Vec3d& normal) {
    const PolyhedronView& view = triangle.polyhedron;
    double reach[3];
    for (int i = 0; i < 3; ++i)
        reach[i] = dot(normal, view.vertex(i));
    int top = 0;
    for (int i = 1; i < 3; ++i)
        if (reach[i] > reach[top])
            top = i;
    const auto level = [&](int other) {
        return reach[top] - reach[other] <= kFeatureSine * length(view.vertex(top) - view.vertex(other));
    };
    const int next = (top + 1) % 3, before = (top + 2) % 3;
    if (level(next) && level(before))
        return TriangleFeature::Face;
    if (level(next))
        return TriangleFeature(int(TriangleFeature::Edge0) + top);
    if (level(before))
        return TriangleFeature(int(TriangleFeature::Edge0) + before);
    return TriangleFeature(int(TriangleFeature::Vertex0) + top);
}

// A ball about the origin.
TriangleManifold collideBall(double radius, const Vec3 (&triangle)[3], double margin) {
    TriangleManifold result;
    const Vec3d corner[3] = {toDouble(triangle[0]), toDouble(triangle[1]), toDouble(triangle[2])};
    const NearestPoint nearest = nearestToOrigin(corner);
    const double distance = length(nearest.point);
    if (!(distance - radius <= margin))
        return result;
    // A centre on the surface has no direction away from it but the face's.
    const bool isFace = nearest.feature == TriangleFeature::Face || !(distance > kFrontGap * radius);
    const Vec3d normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const Vec3d n = isFace ? normalizeOr(normal, {0, 1, 0}) : nearest.point * (-1 / distance);
    result.feature = isFace ? TriangleFeature::Face : nearest.feature;
    result.manifold.normal = toReal(n);
    result.manifold.count = 1;
    result.manifold.points[0] = {toReal(nearest.point), toReal(n * -radius), Real(distance - radius),
                                 std::uint32_t(result.feature)};
    return result;
}

}  // namespace

NearestPoint nearestToOrigin(const Vec3d (&corner)[3]) {
    const Vec3d normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const double area = dot(normal, normal);
    bool isOverFace = area > 0;
    NearestPoint nearest{corner[0], TriangleFeature::Vertex0};
    double least = dot(corner[0], corner[0]);
    for (int i = 0; i < 3; ++i) {
        const Vec3d from = corner[i], edge = corner[i == 2 ? 0 : i + 1] - from;
        if (area > 0 && dot(cross(normal, edge), from) <= 0)  // the origin is on the inner side of this edge
            continue;
        isOverFace = false;
        const double squared = dot(edge, edge), along = limitTo(-dot(from, edge), 0, squared);
        const Vec3d point = squared > 0 ? from + edge * (along / squared) : from;
        if (const double distance = dot(point, point); distance < least) {
            least = distance;
            const int first = int(along == 0 || along == squared ? TriangleFeature::Vertex0 : TriangleFeature::Edge0);
            nearest = {point, TriangleFeature(first + (along == squared ? (i + 1) % 3 : i))};
        }
    }
    if (isOverFace)
        return {normal * (dot(normal, corner[0]) / area), TriangleFeature::Face};
    return nearest;
}

ConvexOverTriangles::ConvexOverTriangles(const BuiltShape& convex, const Pose& pose)
    : core_(convex), placement_(toPlacement({{}, pose.orientation})), position_(pose.position), facing_(core_, placement_) {
    if (convex.type == ShapeType::Hull)
        center_ = toDouble(rotate(pose.orientation, convex.polyhedron.center));
}

TriangleManifold ConvexOverTriangles::collide(const Vec3 (&triangle)[3], const Range& range) const {
    TriangleManifold result;
    const Vec3 local[3] = {triangle[0] - position_, triangle[1] - position_, triangle[2] - position_};
    if (!isUsable(local, center_))
        return result;
    if (core_.kind == CoreKind::Point) {
        result = collideBall(core_.rounding, local, double(range.margin));
        moveToPose(result.manifold);
        return result;
    }
    const ConvexCore coreTriangle(local);
    Placement outer;
    outer.origin = toDouble(position_);
    result.manifold = collideFront({{coreTriangle, {}}, {core_, placement_}, outer, double(range.margin), {}, range.points});
    if (result.manifold.count == 0)
        return result;
    const Vec3d normal = toDouble(result.manifold.normal);
    if (dot(normal, coreTriangle.polyhedron.normal(0)) < -kMostBackwardLean)
        result.manifold.count = 0;
    result.feature = featureAlong(coreTriangle, normal);
    return result;
}

ContactManifold ConvexOverTriangles::collideFace(const Vec3 (&triangle)[3], Real margin) {
    const Vec3 local[3] = {triangle[0] - position_, triangle[1] - position_, triangle[2] - position_};
    if (!isUsable(local, center_))
        return {};
    if (core_.kind == CoreKind::Point) {
        TriangleManifold ball = collideBall(core_.rounding, local, double(margin));
        if (ball.feature != TriangleFeature::Face)
            return {};
        moveToPose(ball.manifold);
        return ball.manifold;
    }
    if (core_.kind == CoreKind::Polyhedron) {
        const Vec3d corners[3] = {toDouble(local[0]), toDouble(local[1]), toDouble(local[2])};
        const Vec3d n = normalizeOr(cross(corners[1] - corners[0], corners[2] - corners[0]), {0, 1, 0});
        ContactManifold manifold = facing_.collide(corners, n, double(margin));
        moveToPose(manifold);
        return manifold;
    }
    const ConvexCore coreTriangle(local);
    Placement outer;
    outer.origin = toDouble(position_);
    return buildFaceManifold({{coreTriangle, {}}, {core_, placement_}, outer, double(margin)}, 0);
}

void ConvexOverTriangles::moveToPose(ContactManifold& manifold) const {
    for (int i = 0; i < manifold.count; ++i) {
        manifold.points[i].onA += position_;
        manifold.points[i].onB += position_;
    }
}

TriangleManifold collideConvexTriangle(const BuiltShape& convex, const Pose& poseConvex, const Vec3 (&triangle)[3],
                                       const Range& range) {
    return ConvexOverTriangles(convex, poseConvex).collide(triangle, range);
}

ContactManifold collideConvexTriangleFace(const BuiltShape& convex, const Pose& poseConvex, const Vec3 (&triangle)[3],
                                          Real margin) {
    return ConvexOverTriangles(convex, poseConvex).collideFace(triangle, margin);
}

}  // namespace sunder::collision
