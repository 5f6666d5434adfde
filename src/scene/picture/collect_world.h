// Converts a world, through its public interface alone, to the renderer's scene.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "render/palette.h"
#include "render/scene.h"
#include "scene/picture/textures.h"
#include "sunder/world.h"

namespace sunder::scene {

// Triangles are prepared once per geometry, however many bodies have it and however often it is drawn.
class WorldCollector {
public:
    // Fills and builds the scene. Bodies that are not finite are left out, as are those whose motion `wanted` rejects.
    void collect(const World& world, render::RenderScene& scene, const std::function<bool(Motion)>& wanted = nullptr);
    // From now on sleeping bodies get a colour of their own.
    void markSleepers(bool mark) { markSleepers_ = mark; }
    // From now on bodies of which this is true are not drawn.
    void leaveOut(std::function<bool(BodyId)> isLeftOut) { isLeftOut_ = std::move(isLeftOut); }

private:
    struct Key {
        std::uint64_t hash = 0;
        std::uint64_t size = 0;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct Prepared {
        std::shared_ptr<const render::TriangleSurface> surface;
        std::shared_ptr<const SampledSolid> solid;  // kept, so that no other one gets its address
        std::shared_ptr<const MeshLook> look;       // likewise
        bool used = false;
    };

    std::uint32_t variantOf(const World& world, BodyId body);
    void addShape(const Shape& shape, const Pose& worldFromShape, const render::Look& look, render::RenderScene& scene);
    std::shared_ptr<const render::TriangleSurface> prepare(const Hull& hull);
    std::shared_ptr<const render::TriangleSurface> prepare(const Mesh& mesh);
    std::shared_ptr<const render::TriangleSurface> prepare(const HeightField& field);
    std::shared_ptr<const render::TriangleSurface> prepare(const Shell& shell);
    std::shared_ptr<const render::TriangleSurface> prepare(const LevelSet& levelSet);
    // With what its mesh brought, unless bodies are to have colours of their own; null where there is nothing to see.
    std::shared_ptr<const render::TriangleSurface> drawn(const Shape& shape);

    std::map<Key, Prepared> prepared_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> variants_;  // by body, of all that were drawn
    render::Palette palette_;
    TextureCache textures_;
    bool markSleepers_ = false;
    std::function<bool(BodyId)> isLeftOut_;
};

}  // namespace sunder::scene
