// Corners of the part of a convex shape that faces a plane.
#include "collision/narrow_phase/facing_corners.h"

namespace sunder::collision {
namespace {

// Within one degree a cap lies flat, as in contact between convex shapes.
constexpr double kFlatCosine = 0.99985;
// Above 45 degrees a line stands on one end.
constexpr double kSteepCosine = 0.70710678;

enum Feature : std::uint32_t { kLowerEnd = 0, kUpperEnd = 1, kRim = 2 };

void add(const Double3& point, std::uint32_t feature, FacingCorners& out) {
    out.points[out.count] = point;
    out.features[out.count++] = feature;
}

void addFace(const geometry::Polyhedron& polyhedron, const Placement& orientation, const Double3& n, FacingCorners& out) {
    const Double3 down = innerDirection(orientation, -n);
    const geometry::Polyhedron::Face* facing = nullptr;
    double best = -2;
    for (const geometry::Polyhedron::Face& face : polyhedron.faces) {
        const double cosine = dot(toDouble3(face.normal), down);
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
        add(outerDirection(orientation, toDouble3(polyhedron.vertices[vertex])), vertex, out);
    }
}

// The ends of the line that faces the plane, each moved from the axis by `offset`; only the lower end where the line is steep.
void addLine(const Double3& axis, double halfHeight, const Double3& offset, const Double3& n, FacingCorners& out) {
    const double rise = dot(axis, n);
    if (rise <= kSteepCosine)
        add(axis * halfHeight + offset, kUpperEnd, out);
    if (rise >= -kSteepCosine)
        add(axis * -halfHeight + offset, kLowerEnd, out);
}

void addCap(const Double3& axis, double radius, double halfHeight, const Double3& n, FacingCorners& out) {
    const double side = dot(axis, n) > 0 ? -1 : 1;
    const Double3 perpendicular = anyPerpendicular(n);
    const Double3 u = normalizeOr(perpendicular - axis * dot(axis, perpendicular), {1, 0, 0});
    const Double3 w = cross(axis * side, u);
    const Double3 directions[4] = {u, w, -u, -w};
    for (std::uint32_t i = 0; i < 4; ++i)
        add(axis * (side * halfHeight) + directions[i] * radius, kRim + i, out);
}

}  // namespace

void findFacingCorners(const BuiltShape& convex, const Placement& orientation, const Double3& n, FacingCorners& out) {
    out.count = 0;
    const Double3 axis = orientation.axisY;
    const double cosine = dot(axis, n);
    switch (convex.type) {
        case ShapeType::Sphere: add(n * -double(convex.radius), kLowerEnd, out); return;
        case ShapeType::Capsule: addLine(axis, convex.halfHeight, n * -double(convex.radius), n, out); return;
        case ShapeType::Cylinder:
            if (std::fabs(cosine) > kFlatCosine)
                addCap(axis, convex.radius, convex.halfHeight, n, out);
            else
                addLine(axis, convex.halfHeight, normalizeOr(axis * cosine - n, {}) * convex.radius, n, out);
            return;
        case ShapeType::Box:
        case ShapeType::Hull: addFace(convex.polyhedron, orientation, n, out); return;
        case ShapeType::Mesh:
        case ShapeType::Compound: return;
    }
}

}  // namespace sunder::collision
