// What a recorder or a viewer asks of the deforming bodies of a world.
#include "sunder/scene/recording.h"
#include "sunder/world.h"

namespace sunder {

std::optional<MovingSurface> WorldSurfaces::find(const World& world, BodyId body) {
    const std::optional<VertexView> vertices = world.vertices(body);
    if (!vertices)
        return std::nullopt;
    const auto [entry, isNew] = kept_.try_emplace(body.index);
    Kept& kept = entry->second;
    // What it is drawn as: its splinters, or the surface of its tetrahedra.
    std::optional<SplinterView> splinters = world.splinters(body);
    if (splinters)
        kept.splinters = std::move(splinters->positions);
    const std::span<const Vec3> positions = splinters ? std::span<const Vec3>(kept.splinters) : vertices->positions;
    const auto triangles = splinters ? splinters->triangles : vertices->triangles;
    if (isNew || kept.generation != body.generation || kept.revision != vertices->revision) {
        kept.generation = body.generation;
        kept.revision = vertices->revision;
        kept.surface = {};
        kept.surface.positions.assign(positions.begin(), positions.end());
        kept.surface.triangles.assign(triangles.begin(), triangles.end());
    }
    return MovingSurface{&kept.surface, kept.revision, positions};
}

}  // namespace sunder
