// Convex shapes against single triangles, by the general routines.
#include "collision/narrow_phase/mesh/convex_triangle.h"

#include "collision/narrow_phase/convex/contact_patch.h"

namespace sunder::collision {
namespace {

constexpr double kDegenerate = 1e-12;  // squared: twice the area over the product of two sides
constexpr double kFrontSlack = 1e-4;   // normals may lean back from the triangle's plane by rounding only
constexpr double kFeatureSine = 2e-3;  // of the angle within which an edge counts as perpendicular to the normal

// The triangle relative to the convex shape's position, so that no digits are lost far from the origin.
struct LocalTriangle {
    Vec3 points[3];
    bool usable = false;  // neither degenerate nor seen from behind
};

LocalTriangle localize(const BuiltShape& convex, const Pose& pose, const Vec3 (&triangle)[3]) {
    LocalTriangle local;
    for (int i = 0; i < 3; ++i)
        local.points[i] = triangle[i] - pose.position;
    const Vec3d a = toDouble(local.points[0]), b = toDouble(local.points[1]), c = toDouble(local.points[2]);
    const Vec3d normal = cross(b - a, c - a);
    const bool isHull = convex.type == ShapeType::Hull;
    const Vec3d center = isHull ? toDouble(rotate(pose.orientation, convex.polyhedron.center)) : Vec3d{};
    local.usable = dot(normal, normal) > kDegenerate * dot(b - a, b - a) * dot(c - a, c - a) && dot(normal, center - a) >= 0;
    return local;
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

}  // namespace

TriangleManifold collideConvexTriangle(const BuiltShape& convex, const Pose& poseConvex, const Vec3 (&triangle)[3],
                                       const Range& range) {
    TriangleManifold result;
    const LocalTriangle local = localize(convex, poseConvex, triangle);
    if (!local.usable)
        return result;
    const ConvexCore coreTriangle(local.points), core(convex);
    Placement placement = toPlacement({{}, poseConvex.orientation});
    Placement outer;
    outer.origin = toDouble(poseConvex.position);
    result.manifold =
        collideCores({{coreTriangle, {}}, {core, placement}, outer, double(range.margin), {}, range.points.rocking});
    const Vec3d normal = toDouble(result.manifold.normal);
    if (result.manifold.count > 0 && dot(normal, coreTriangle.polyhedron.normal(0)) < -kFrontSlack)
        result.manifold.count = 0;
    result.feature = featureAlong(coreTriangle, normal);
    return result;
}

ContactManifold collideConvexTriangleFace(const BuiltShape& convex, const Pose& poseConvex, const Vec3 (&triangle)[3],
                                          Real margin) {
    const LocalTriangle local = localize(convex, poseConvex, triangle);
    if (!local.usable)
        return {};
    const ConvexCore coreTriangle(local.points), core(convex);
    Placement outer;
    outer.origin = toDouble(poseConvex.position);
    return buildFaceManifold({{coreTriangle, {}}, {core, toPlacement({{}, poseConvex.orientation})}, outer, double(margin)}, 0);
}

}  // namespace sunder::collision
