// Corners of the part of a convex shape that faces a plane.
#include "collision/narrow_phase/mesh/facing_corners.h"

#include "collision/narrow_phase/convex/patch.h"
#include "collision/narrow_phase/manifold/preference.h"

namespace sunder::collision {
namespace {

// A line steeper than 45 degrees stands on one end.
constexpr double kSteepCosine = 0.70710678;

enum Feature : std::uint32_t { kLowerEnd = 0, kUpperEnd = 1, kRim = 2 };

void add(const Vec3d& point, std::uint32_t feature, FacingCorners& out) {
    out.points[out.count] = point;
    out.features[out.count++] = feature;
}

void addFace(const geometry::Polyhedron& polyhedron, const Placement& orientation, const Vec3d& n, FacingCorners& out) {
    const Vec3d down = innerDirection(orientation, -n);
    const geometry::Polyhedron::Face* facing = nullptr;
    double best = -2;
    for (const geometry::Polyhedron::Face& face : polyhedron.faces) {
        const double cosine = dot(toDouble(face.normal), down);
        if (cosine > best) {
            best = cosine;
            facing = &face;
        }
    }
    if (facing == nullptr)
        return;
    const int count = facing->vertexCount < FacingCorners::kMost ? facing->vertexCount : FacingCorners::kMost;
    for (int i = 0; i < count; ++i) {
        const std::uint16_t vertex = polyhedron.faceVertices[facing->firstIndex + i * facing->vertexCount / count];
        add(outerDirection(orientation, toDouble(polyhedron.vertices[vertex])), vertex, out);
    }
}

// Adds the ends of the line that faces the plane, each moved from the axis by `offset`; only the lower end where the line is
// steep.
void addLine(const Vec3d& axis, double halfHeight, const Vec3d& offset, const Vec3d& n, FacingCorners& out) {
    const double rise = dot(axis, n);
    if (rise <= kSteepCosine)
        add(axis * halfHeight + offset, kUpperEnd, out);
    if (rise >= -kSteepCosine)
        add(axis * -halfHeight + offset, kLowerEnd, out);
}

void addCap(const Vec3d& axis, double radius, double halfHeight, const Vec3d& n, FacingCorners& out) {
    const double side = dot(axis, n) > 0 ? -1 : 1;
    const Vec3d perpendicular = anyPerpendicular(n);
    const Vec3d u = normalizeOr(perpendicular - axis * dot(axis, perpendicular), {1, 0, 0});
    const Vec3d w = cross(axis * side, u);
    const Vec3d directions[4] = {u, w, -u, -w};
    for (std::uint32_t i = 0; i < 4; ++i)
        add(axis * (side * halfHeight) + directions[i] * radius, kRim + i, out);
}

}  // namespace

void findFacingCorners(const BuiltShape& convex, const Placement& orientation, const Vec3d& n, FacingCorners& out) {
    out.count = 0;
    const Vec3d axis = orientation.axisY;
    const double cosine = dot(axis, n);
    switch (convex.type) {
        case ShapeType::Sphere: add(n * -double(convex.radius), kLowerEnd, out); return;
        case ShapeType::Capsule: addLine(axis, convex.halfHeight, n * -double(convex.radius), n, out); return;
        case ShapeType::Cylinder:
            // A cap that nearly faces the plane will rock onto it: add its rim besides the lowest point.
            if (std::fabs(cosine) > kFacingCosine)
                addCap(axis, convex.radius, convex.halfHeight, n, out);
            if (std::fabs(cosine) <= kFlatCapCosine)
                addLine(axis, convex.halfHeight, normalizeOr(axis * cosine - n, {}) * convex.radius, n, out);
            return;
        case ShapeType::Box:
        case ShapeType::Hull: addFace(convex.polyhedron, orientation, n, out); return;
        case ShapeType::LevelSet:
        case ShapeType::Mesh:
        case ShapeType::Compound: return;
    }
}

}  // namespace sunder::collision
