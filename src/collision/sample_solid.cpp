#include "collision/sample_solid.h"

#include <string>

#include "collision/built_shape.h"
#include "collision/parts_surface.h"
#include "geometry/level_set/level_set_mass.h"
#include "geometry/level_set/mesh_level_set.h"
#include "geometry/level_set/solid_distance.h"
#include "sunder/definitions.h"
#include "sunder/describe.h"

namespace sunder::collision {
namespace {

// Replaces shared shapes by their definitions, at every level.
Shape unshared(const Shape& shape) {
    if (const SharedShape* shared = std::get_if<SharedShape>(&shape))
        return unshared((*shared)->definition);
    if (const Compound* compound = std::get_if<Compound>(&shape)) {
        Compound copy;
        for (const CompoundChild& child : compound->children)
            copy.children.push_back({unshared(child.shape), child.position, normalize(child.orientation)});
        return copy;
    }
    return shape;
}

// Messages of geometry that begin with "level set: " are reported for the field of the definition.
[[noreturn]] void fail(const LevelSet& definition, std::string text) {
    constexpr std::string_view prefix = "level set: ";
    if (text.starts_with(prefix))
        text.erase(0, prefix.size());
    throw Error((definition.cell > 0 ? "cell: " : "resolution: ") + text);
}

geometry::DistanceField distanceOf(const LevelSet& definition, std::string& repairs) {
    geometry::Resolution resolution;
    resolution.cell = definition.cell;
    const auto& [nx, ny, nz] = definition.resolution;
    resolution.nodes = {int(nx), int(ny), int(nz)};
    Compound solid;
    for (const CompoundChild& part : definition.parts)
        solid.children.push_back({unshared(part.shape), part.position, normalize(part.orientation)});
    if (const Mesh* mesh = std::get_if<Mesh>(&solid.children[0].shape)) {
        const Pose pose{solid.children[0].position, solid.children[0].orientation};
        std::vector<Vec3> vertices;
        for (const Vec3& vertex : mesh->vertices)
            vertices.push_back(transformPoint(pose, vertex));
        geometry::MeshFieldResult result = geometry::distanceOfMesh(vertices, mesh->triangles, resolution);
        if (!result.error.empty())
            fail(definition, result.error);
        result.report.welded = 0;  // welded vertices are no fault
        repairs = result.report.text();
        return std::move(result.field);
    }
    geometry::FieldResult result = geometry::distanceOfShape(Shape(solid), resolution);
    if (!result.error.empty())
        fail(definition, result.error);
    return std::move(result.field);
}

// The mesh of the only part, where it is to be seen on pieces; else null.
SharedShape sourceOf(const LevelSet& definition) {
    if (definition.parts.size() != 1)
        return nullptr;
    const CompoundChild& part = definition.parts[0];
    const Pose pose{part.position, normalize(part.orientation)};
    const SharedShape* shared = std::get_if<SharedShape>(&part.shape);
    if (shared && pose.position == Vec3{} && pose.orientation == Quat{})
        return (*shared)->look ? *shared : nullptr;
    Shape shape = unshared(part.shape);
    Mesh* mesh = std::get_if<Mesh>(&shape);
    if (!mesh || !mesh->look)
        return nullptr;
    for (Vec3& vertex : mesh->vertices)
        vertex = transformPoint(pose, vertex);
    return buildShape(shape);
}

}  // namespace

std::shared_ptr<const SampledSolid> sampleSolid(const LevelSet& definition) {
    auto solid = std::make_shared<SampledSolid>();
    const geometry::LevelSet16 whole = geometry::quantize<std::int16_t>(distanceOf(definition, solid->repairs));
    const geometry::GridRange range = geometry::insideRange(whole, 1);
    if (range.isEmpty())
        fail(definition, "the solid is thinner than the cells of " + numberText(double(whole.grid.cell)) +
                             " m: no node of the grid is inside it (cells of at most half of its thinnest part are allowed)");
    solid->field = geometry::crop(whole, range);
    const auto [nx, ny, nz] = solid->field.grid.nodes;
    const int most = int(kMaxLevelSetNodes);
    if (nx > most || ny > most || nz > most)
        fail(definition, "the grid has " + std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz) +
                             " nodes; at most " + std::to_string(most) + " along an axis are allowed");
    solid->mass = geometry::massOfFractions(solid->field.grid, geometry::solidFractions(solid->field));
    const auto& c = solid->mass.center;
    solid->particles = contactParticles(solid->field, {Real(c[0]), Real(c[1]), Real(c[2])});
    solid->source = sourceOf(definition);
    if (definition.keepSurface)
        solid->surface = std::make_shared<const geometry::SurfaceMesh>(surfaceOfParts(definition, solid->field));
    return solid;
}

}  // namespace sunder::collision
