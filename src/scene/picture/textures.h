// The pictures of a mesh's materials, ready to be drawn.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "render/texture.h"
#include "sunder/mesh_look.h"

namespace sunder::scene {

class TextureCache {
public:
    // Of each material the picture of its base colour, or null: it has none, or one that is neither a PNG nor a JPEG that can
    // be read. Decoded once.
    const std::vector<std::shared_ptr<const render::Texture>>& of(const std::shared_ptr<const MeshMaterials>& materials);

private:
    struct Entry {
        std::shared_ptr<const MeshMaterials> materials;  // keeps the address taken
        std::vector<std::shared_ptr<const render::Texture>> textures;
    };
    std::map<const MeshMaterials*, Entry> known_;
};

}  // namespace sunder::scene
