#include "scene/mesh/gltf_materials.h"

namespace sunder::scene {

void GltfMaterials::addTexture(MeshMaterial& material, TextureRole role, int index, double strength) {
    if (index < 0 || std::size_t(index) >= model_.textures.size())
        return;
    const tinygltf::Texture& texture = model_.textures[std::size_t(index)];
    if (texture.source < 0 || std::size_t(texture.source) >= model_.images.size())
        return;
    images_.resize(model_.images.size());
    auto& image = images_[std::size_t(texture.source)];
    if (!image) {
        const tinygltf::Image& source = model_.images[std::size_t(texture.source)];
        MeshImage made{source.name.empty() ? std::filesystem::path(source.uri.substr(0, 64)).filename().string() : source.name,
                       {},
                       std::string(source.image.begin(), source.image.end())};
        made.mediaType = mediaTypeOf(made.bytes);
        image = std::make_shared<const MeshImage>(std::move(made));
    }
    if (image->mediaType.empty())
        return;
    MeshTexture made{role, image, TextureWrap::Repeat, TextureWrap::Repeat, float(strength)};
    if (texture.sampler >= 0 && std::size_t(texture.sampler) < model_.samplers.size()) {
        const auto wrapOf = [](int code) {
            return code == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE     ? TextureWrap::Clamp
                   : code == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT ? TextureWrap::Mirror
                                                                   : TextureWrap::Repeat;
        };
        made.wrapU = wrapOf(model_.samplers[std::size_t(texture.sampler)].wrapS);
        made.wrapV = wrapOf(model_.samplers[std::size_t(texture.sampler)].wrapT);
    }
    material.textures.push_back(std::move(made));
}

std::uint16_t GltfMaterials::materialOf(int index) {
    const bool isKnown = index >= 0 && std::size_t(index) < model_.materials.size();
    const auto [entry, isNew] = materials_.try_emplace(isKnown ? index : -1);
    if (!isNew)
        return entry->second;
    MeshMaterial made;
    if (isKnown) {
        const tinygltf::Material& source = model_.materials[std::size_t(index)];
        const tinygltf::PbrMetallicRoughness& pbr = source.pbrMetallicRoughness;
        made.name = source.name;
        for (std::size_t i = 0; i < 4 && pbr.baseColorFactor.size() == 4; ++i)
            made.color[i] = float(pbr.baseColorFactor[i]);
        made.metallic = float(pbr.metallicFactor);
        made.roughness = float(pbr.roughnessFactor);
        for (std::size_t i = 0; i < 3 && source.emissiveFactor.size() == 3; ++i)
            made.emissive[i] = float(source.emissiveFactor[i]);
        made.alphaMode = source.alphaMode == "BLEND"  ? AlphaMode::Blend
                         : source.alphaMode == "MASK" ? AlphaMode::Mask
                                                      : AlphaMode::Opaque;
        made.alphaCutoff = float(source.alphaCutoff);
        made.isDoubleSided = source.doubleSided;
        addTexture(made, TextureRole::BaseColor, pbr.baseColorTexture.index, 1);
        addTexture(made, TextureRole::MetallicRoughness, pbr.metallicRoughnessTexture.index, 1);
        addTexture(made, TextureRole::Normal, source.normalTexture.index, source.normalTexture.scale);
        addTexture(made, TextureRole::Occlusion, source.occlusionTexture.index, source.occlusionTexture.strength);
        addTexture(made, TextureRole::Emissive, source.emissiveTexture.index, 1);
    }
    return entry->second = builder_.addMaterial(std::move(made));
}

std::string GltfMaterials::coordinateSet(int material) const {
    const bool isKnown = material >= 0 && std::size_t(material) < model_.materials.size();
    const int set = isKnown ? model_.materials[std::size_t(material)].pbrMetallicRoughness.baseColorTexture.texCoord : 0;
    return "TEXCOORD_" + std::to_string(set);
}

}  // namespace sunder::scene
