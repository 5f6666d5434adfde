// Materials and pictures of a glTF file.
#pragma once

#include <tiny_gltf.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scene/mesh/mesh_files.h"

namespace sunder::scene {

class GltfMaterials {
public:
    GltfMaterials(const tinygltf::Model& model, MeshBuilder& builder) : model_(model), builder_(builder) {}

    // The number of a material for the builder; those of the file are added when they are first met. -1: the default one.
    std::uint16_t materialOf(int index);
    // The set of texture coordinates that the base colour is drawn with.
    std::string coordinateSet(int material) const;

private:
    void addTexture(MeshMaterial& material, TextureRole role, int index, double strength);

    const tinygltf::Model& model_;
    MeshBuilder& builder_;
    std::map<int, std::uint16_t> materials_;
    std::vector<std::shared_ptr<const MeshImage>> images_;
};

}  // namespace sunder::scene
