// The materials of a USD file: those that meshes brought, with their textures as files beside it, and Sunder's own looks.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "render/palette.h"
#include "sunder/scene/recording.h"

namespace sunder::scene {

class UsdaMaterials {
public:
    // target: the USD file; pictures go to a folder beside it, NAME_textures.
    UsdaMaterials(const Recording& recording, std::filesystem::path target)
        : recording_(recording), target_(std::move(target)) {}

    // The name of a material's prim in /World/Materials: the material's own name and a number.
    std::string of(const render::Look& look, std::uint16_t slot, const MeshMaterials* ofMesh);
    // The scope with all of them; writes their pictures.
    void write(fmt::memory_buffer& out);

private:
    struct Entry {
        std::string name;
        MeshMaterial material;
    };
    std::string add(MeshMaterial material, const std::string& name);
    void writeShader(fmt::memory_buffer& out, const Entry& entry);
    void writeTexture(fmt::memory_buffer& out, const std::string& path, const MeshMaterial& material,
                      const MeshTexture& texture);
    std::string fileOf(const MeshImage& image);

    const Recording& recording_;
    std::filesystem::path target_;
    std::vector<Entry> entries_;
    std::map<const MeshMaterial*, std::string> known_;  // for look-up only, as the next
    std::map<const MeshImage*, std::string> files_;
};

}  // namespace sunder::scene
