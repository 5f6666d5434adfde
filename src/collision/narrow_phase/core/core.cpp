// Cores and their support points.
#include "collision/narrow_phase/core/core.h"

#include "collision/narrow_phase/core/farthest.h"

namespace sunder::collision {
namespace {

constexpr std::uint16_t kTriangleFaceVertices[6] = {0, 1, 2, 0, 2, 1};

}  // namespace

ConvexCore::ConvexCore(const BuiltShape& shape) {
    size = shape.boundingRadius;
    switch (shape.type) {
        case ShapeType::Sphere:
            rounding = shape.radius;
            setSegment(0);
            kind = CoreKind::Point;
            polyhedron.vertexCount = 1;
            polyhedron.edgeCount = 0;
            return;
        case ShapeType::Capsule:
            rounding = shape.radius;
            setSegment(shape.halfHeight);
            return;
        case ShapeType::Cylinder:
            kind = CoreKind::Cylinder;
            radius = shape.radius;
            halfHeight = shape.halfHeight;
            return;
        default: break;
    }
    kind = CoreKind::Polyhedron;
    isBox = shape.type == ShapeType::Box;
    halfExtents = toDouble(shape.halfExtents);
    const geometry::Polyhedron& p = shape.polyhedron;
    center = toDouble(p.center);
    innerRadius = p.innerRadius;
    polyhedron = {p.vertices.data(),   p.faces.data(),      p.faceVertices.data(), p.edges.data(), int(p.vertices.size()),
                  int(p.faces.size()), int(p.edges.size()), p.vertexQuads(),       p.faceQuads(),  p.edgeCosines()};
}

ConvexCore::ConvexCore(const Vec3 (&triangle)[3]) {
    kind = CoreKind::Triangle;
    const Vec3d a = toDouble(triangle[0]), b = toDouble(triangle[1]), c = toDouble(triangle[2]);
    const Vec3d normal = normalizeOr(cross(b - a, c - a), {0, 1, 0});
    center = (a + b + c) * (1.0 / 3);
    size = std::sqrt(greater(dot(a - center, a - center), greater(dot(b - center, b - center), dot(c - center, c - center))));
    for (int i = 0; i < 3; ++i) {
        ownVertices_[i] = triangle[i];
        ownEdges_[i] = {std::uint16_t(i), std::uint16_t((i + 1) % 3), 0, 1};
    }
    ownFaces_[0] = {toReal(normal), Real(dot(normal, a)), 0, 3};
    ownFaces_[1] = {toReal(-normal), Real(-dot(normal, a)), 3, 3};
    polyhedron = {ownVertices_, ownFaces_, kTriangleFaceVertices, ownEdges_, 3, 2, 3};
}

ConvexCore::ConvexCore(const ConvexCore& original, double shrink)
    : kind(original.kind),
      isBox(original.isBox),
      rounding(original.rounding),
      radius(original.radius),
      halfHeight(original.halfHeight),
      halfExtents(original.halfExtents),
      size(original.size),
      center(original.center),
      innerRadius(original.innerRadius),
      polyhedron(original.polyhedron) {
    if (kind == CoreKind::Cylinder) {
        radius -= shrink;
        halfHeight -= shrink;
    }
}

void ConvexCore::setSegment(double halfLength) {
    kind = CoreKind::Segment;
    halfHeight = halfLength;
    ownVertices_[0] = {0, Real(-halfLength), 0};
    ownVertices_[1] = {0, Real(halfLength), 0};
    ownEdges_[0] = {0, 1, 0, 0};
    polyhedron = {ownVertices_, nullptr, nullptr, ownEdges_, 2, 0, 1};
}

Vec3d ConvexCore::support(const Vec3d& d) const {
    switch (kind) {
        case CoreKind::Point: return {};
        case CoreKind::Segment: return {0, d.y < 0 ? -halfHeight : halfHeight, 0};
        case CoreKind::Cylinder: {
            const double across = std::sqrt(d.x * d.x + d.z * d.z);
            const double scale = across > 1e-100 ? radius / across : 0;
            return {d.x * scale, d.y < 0 ? -halfHeight : halfHeight, d.z * scale};
        }
        case CoreKind::Polyhedron:
        case CoreKind::Triangle: break;
    }
    if (isBox)
        return {d.x < 0 ? -halfExtents.x : halfExtents.x, d.y < 0 ? -halfExtents.y : halfExtents.y,
                d.z < 0 ? -halfExtents.z : halfExtents.z};
    return polyhedron.vertex(farthestVertex(d));
}

int ConvexCore::farthestVertex(const Vec3d& direction) const {
    const auto reach = [&](int i) { return dot(polyhedron.vertex(i), direction); };
    if (polyhedron.vertexQuads != nullptr)
        return findFarthest<geometry::Polyhedron::kVertexQuad>(polyhedron.vertexQuads, polyhedron.vertexCount, direction, size,
                                                               reach);
    int best = 0;
    double bestReach = reach(0);
    for (int i = 1; i < polyhedron.vertexCount; ++i)
        if (const double other = reach(i); other > bestReach) {
            best = i;
            bestReach = other;
        }
    return best;
}

}  // namespace sunder::collision
