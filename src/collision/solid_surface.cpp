// The triangles of a sampled solid, for drawing and export.
#include <string>

#include "collision/built_shape.h"
#include "geometry/look/texture_coordinates.h"
#include "geometry/surface/extract_surface.h"

namespace sunder {

DrawnSurface drawnSurface(const LevelSet& levelSet) {
    DrawnSurface drawn;
    if (!levelSet.sampled)
        return drawn;
    const SampledSolid& solid = *levelSet.sampled;
    geometry::SurfaceMesh surface;
    if (solid.surface) {
        surface = *solid.surface;
    } else {
        surface = geometry::extractSurface(solid.field, [&](const geometry::SurfaceCrossing& crossing) {
            return solid.cutNodes.at(crossing.outsideNode) ? DrawnSurface::kFractureSurface : DrawnSurface::kOldSurface;
        });
        // Texture coordinates continue from piece to piece, as before the break.
        for (Vec3& position : surface.positions)
            position += solid.textureOrigin;
        if (solid.source)
            solid.source->look->carry(surface);
        else
            geometry::projectTexture(surface, 1);
    }
    for (Vec3& position : surface.positions)
        position -= solid.textureOrigin;
    for (const geometry::TextureCoordinate& at : surface.textureCoordinates)
        drawn.textureCoordinates.push_back({at.u, at.v});
    drawn.colors = std::move(surface.colors);
    if (solid.source)
        drawn.materials = solid.source->look->materials();
    drawn.positions = std::move(surface.positions);
    drawn.normals = std::move(surface.normals);
    drawn.triangles = std::move(surface.triangles);
    drawn.slots = std::move(surface.slots);
    return drawn;
}

std::string meshRepairs(const LevelSet& levelSet) { return levelSet.sampled ? levelSet.sampled->repairs : std::string(); }

Mesh surfaceMesh(const LevelSet& levelSet) {
    const auto solid = levelSet.sampled ? levelSet.sampled : std::get<LevelSet>(buildShape(levelSet)->definition).sampled;
    geometry::SurfaceMesh surface = geometry::extractSurface(geometry::withBorder(solid->field));
    Mesh mesh;
    mesh.vertices.resize(surface.pointCount);
    for (std::size_t i = 0; i < surface.positions.size(); ++i)
        mesh.vertices[surface.points[i]] = surface.positions[i];
    for (const auto& [a, b, c] : surface.triangles)
        mesh.triangles.push_back({surface.points[a], surface.points[b], surface.points[c]});
    return mesh;
}

}  // namespace sunder
