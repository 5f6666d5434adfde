// Materials of a GLB: those that meshes brought, with their textures, and those of Sunder's own looks.
#include "scene/export/glb_builder.h"

namespace sunder::scene {

using render::Look;

namespace {

int wrapCode(TextureWrap wrap) {
    constexpr int kRepeat = 10497, kMirror = 33648, kClamp = 33071;
    return wrap == TextureWrap::Repeat ? kRepeat : wrap == TextureWrap::Mirror ? kMirror : kClamp;
}

Json list(const auto& numbers) {
    Json made = Json::array();
    for (const float number : numbers)
        made.push_back(number);
    return made;
}

}  // namespace

std::string GlbBuilder::freshName(const std::string& name) {
    const int before = materialNames_[name]++;
    return before == 0 ? name : name + " " + std::to_string(before + 1);
}

int GlbBuilder::materialOf(const Look& look, std::uint16_t slot, const std::shared_ptr<const MeshMaterials>& ofMesh) {
    const bool isInside = slot == DrawnSurface::kFractureSurface;
    if (!isInside && ofMesh && DrawnSurface::materialOfSlot(slot) < ofMesh->size())
        return materialOf((*ofMesh)[DrawnSurface::materialOfSlot(slot)]);
    return materialOf(look, isInside, innerNameOf(recording_, look, isInside, ofMesh.get()));
}

int GlbBuilder::materialOf(const Look& look, bool isInside, const std::string& name) {
    const Vec3& albedo = isInside ? look.opened : look.albedo;
    const Real gloss = isInside && look.opacity == 1 ? kInnerGloss : look.gloss;
    const auto [entry, isNew] =
        materialOf_.try_emplace({albedo.x, albedo.y, albedo.z, gloss, look.opacity, name}, int(materials_.size()));
    if (!isNew)
        return entry->second;
    const bool isNamed = look.material < recording_.info().looks.size(), isPlain = name == "surface" || name == "fracture";
    Json material{{"name", isPlain ? name + " " + std::to_string(entry->second) : freshName(name)},
                  {"pbrMetallicRoughness",
                   {{"baseColorFactor", {float(albedo.x), float(albedo.y), float(albedo.z), float(look.opacity)}},
                    {"metallicFactor", 0},
                    {"roughnessFactor", roughnessOf(gloss, isNamed)}}}};
    if (look.opacity < 1)
        material["alphaMode"] = "BLEND";
    materials_.push_back(std::move(material));
    return entry->second;
}

int GlbBuilder::materialOf(const MeshMaterial& source) {
    const auto [entry, isNew] = meshMaterials_.try_emplace(&source, int(materials_.size()));
    if (!isNew)
        return entry->second;
    Json material{{"pbrMetallicRoughness",
                   {{"baseColorFactor", list(source.color)},
                    {"metallicFactor", source.metallic},
                    {"roughnessFactor", source.roughness}}}};
    if (!source.name.empty())
        material["name"] = freshName(source.name);
    if (source.emissive != std::array<float, 3>{})
        material["emissiveFactor"] = list(source.emissive);
    if (source.alphaMode != AlphaMode::Opaque)
        material["alphaMode"] = source.alphaMode == AlphaMode::Mask ? "MASK" : "BLEND";
    if (source.alphaMode == AlphaMode::Mask)
        material["alphaCutoff"] = source.alphaCutoff;
    if (source.isDoubleSided)
        material["doubleSided"] = true;
    for (const MeshTexture& texture : source.textures) {
        Json info{{"index", textureOf(texture)}};
        switch (texture.role) {
            case TextureRole::BaseColor: material["pbrMetallicRoughness"]["baseColorTexture"] = info; break;
            case TextureRole::MetallicRoughness: material["pbrMetallicRoughness"]["metallicRoughnessTexture"] = info; break;
            case TextureRole::Normal:
                info["scale"] = texture.strength;
                material["normalTexture"] = info;
                break;
            case TextureRole::Occlusion:
                info["strength"] = texture.strength;
                material["occlusionTexture"] = info;
                break;
            case TextureRole::Emissive: material["emissiveTexture"] = info; break;
        }
    }
    materials_.push_back(std::move(material));
    return entry->second;
}

int GlbBuilder::textureOf(const MeshTexture& texture) {
    const Json sampler{{"wrapS", wrapCode(texture.wrapU)}, {"wrapT", wrapCode(texture.wrapV)}};
    std::size_t number = 0;
    while (number < textureSamplers_.size() && textureSamplers_[number] != sampler)
        ++number;
    if (number == textureSamplers_.size())
        textureSamplers_.push_back(sampler);
    const int image = imageOf(texture.image);
    const auto [entry, isNew] = textureOf_.try_emplace({image, int(number)}, int(textures_.size()));
    if (isNew)
        textures_.push_back({{"source", image}, {"sampler", number}});
    return entry->second;
}

int GlbBuilder::imageOf(const std::shared_ptr<const MeshImage>& image) {
    const auto [entry, isNew] = imageOf_.try_emplace(image.get(), int(images_.size()));
    if (isNew) {
        const int view = addView(0);
        data_ += image->bytes;
        closeView();
        Json made{{"bufferView", view}, {"mimeType", image->mediaType}};
        if (!image->name.empty())
            made["name"] = image->name;
        images_.push_back(std::move(made));
    }
    return entry->second;
}

}  // namespace sunder::scene
