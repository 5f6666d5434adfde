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
    if (isNew || kept.generation != body.generation || kept.revision != vertices->revision) {
        kept.generation = body.generation;
        kept.revision = vertices->revision;
        kept.surface = {};
        kept.surface.positions.assign(vertices->positions.begin(), vertices->positions.end());
        kept.surface.triangles.assign(vertices->triangles.begin(), vertices->triangles.end());
    }
    return MovingSurface{&kept.surface, kept.revision, vertices->positions};
}

}  // namespace sunder
