#include "collision/parts_surface.h"

#include "collision/built_shape.h"
#include "geometry/cutting/mesh_surface.h"
#include "geometry/look/texture_coordinates.h"
#include "geometry/surface/extract_surface.h"
#include "math/trigonometry.h"
#include "sunder/definitions.h"

namespace sunder::collision {
namespace {

using geometry::MeshSurface;
using geometry::SurfaceMesh;

// Facets of round shapes: 64 per turn are off by 0.12 % of the radius.
constexpr int kSectors = 64, kArcs = 16;  // per turn, per quarter

using Profile = std::vector<std::array<Real, 2>>;

// A quarter of a circle about (0, y), from the angle to the one after it, both included.
void addArc(Profile& profile, Real radius, Real y, int from, int to) {
    for (int i = from; i <= to; ++i) {
        const SinCos turn = sinCos(Real(1.5707963267948966) * Real(i) / kArcs);
        profile.push_back({i == -kArcs || i == kArcs ? Real(0) : radius * turn.cos, y + radius * turn.sin});
    }
}

MeshSurface surfaceOf(const BuiltShape& shape) {
    Profile profile;
    switch (shape.type) {
        case ShapeType::Box:
        case ShapeType::Hull:
            return geometry::surfaceOfMesh(shape.polyhedron.vertices, geometry::triangulate(shape.polyhedron));
        case ShapeType::Mesh: {
            const Mesh& mesh = std::get<Mesh>(shape.definition);
            return geometry::surfaceOfMesh(mesh.vertices, mesh.triangles, mesh.look.get());
        }
        case ShapeType::Sphere: addArc(profile, shape.radius, 0, -kArcs, kArcs); break;
        case ShapeType::Capsule:
            addArc(profile, shape.radius, -shape.halfHeight, -kArcs, 0);
            addArc(profile, shape.radius, shape.halfHeight, 0, kArcs);
            break;
        case ShapeType::Cylinder:
            profile = {{0, -shape.halfHeight},
                       {shape.radius, -shape.halfHeight},
                       {shape.radius, shape.halfHeight},
                       {0, shape.halfHeight}};
            break;
        default: return {};
    }
    return {geometry::surfaceOfRevolution(profile, kSectors), {}};
}

SurfaceMesh surfaceOfField(const geometry::LevelSet16& field) {
    SurfaceMesh surface =
        geometry::extractSurface(field, [](const geometry::SurfaceCrossing&) { return DrawnSurface::kOldSurface; });
    geometry::projectTexture(surface, 1);
    return surface;
}

}  // namespace

SurfaceMesh surfaceOfParts(const LevelSet& definition, const geometry::LevelSet16& field) {
    if (definition.parts.size() != 1)
        return surfaceOfField(field);
    const CompoundChild& part = definition.parts[0];
    MeshSurface made = surfaceOf(*buildShape(part.shape));
    if (!made.error.empty())
        throw Error("keep_surface: the mesh cannot be cut, " + made.error + "; drawn by its level set it can be used");
    if (made.surface.triangles.empty())
        return surfaceOfField(field);
    const Pose pose{part.position, normalize(part.orientation)};
    const bool isMoved = !(pose.position == Vec3{} && pose.orientation == Quat{});
    if (isMoved) {
        for (Vec3& position : made.surface.positions)
            position = transformPoint(pose, position);
        for (Vec3& normal : made.surface.normals)
            normal = rotate(pose.orientation, normal);
    }
    return std::move(made.surface);
}

}  // namespace sunder::collision
