// Materials of meshes as bytes; see surface_codec.h. An image that several textures share is stored once.
#include <algorithm>

#include "scene/recording/bits.h"
#include "scene/recording/surface_codec.h"

namespace sunder::scene {

namespace {

using SharedImage = std::shared_ptr<const MeshImage>;

template <class Values>
void writeFloats(BinaryWriter& out, const Values& values) {
    for (const float value : values)
        out.value(value);
}

template <class Values>
void readFloats(BinaryReader& in, Values& values) {
    for (float& value : values)
        value = in.value<float>();
}

template <class E>
E readEnumerator(BinaryReader& in, E last) {
    const auto number = in.value<std::uint8_t>();
    if (number > std::uint8_t(last))
        in.refuse();
    return E(std::min(number, std::uint8_t(last)));
}

void writeMaterial(BinaryWriter& out, const MeshMaterial& material, const std::vector<SharedImage>& images) {
    writeText(out, material.name);
    writeFloats(out, material.color);
    writeFloats(out, std::array{material.metallic, material.roughness, material.alphaCutoff});
    writeFloats(out, material.emissive);
    out.value(std::uint8_t(material.alphaMode));
    out.value(std::uint8_t(material.isDoubleSided));
    writeVarint(out, material.textures.size());
    for (const MeshTexture& texture : material.textures) {
        out.value(std::uint8_t(texture.role));
        out.value(std::uint8_t(texture.wrapU));
        out.value(std::uint8_t(texture.wrapV));
        out.value(texture.strength);
        writeVarint(out, std::uint64_t(std::find(images.begin(), images.end(), texture.image) - images.begin()));
    }
}

MeshMaterial readMaterial(BinaryReader& in, const std::vector<SharedImage>& images) {
    MeshMaterial material;
    material.name = readText(in);
    readFloats(in, material.color);
    std::array<float, 3> numbers{};
    readFloats(in, numbers);
    material.metallic = numbers[0], material.roughness = numbers[1], material.alphaCutoff = numbers[2];
    readFloats(in, material.emissive);
    material.alphaMode = readEnumerator(in, AlphaMode::Blend);
    material.isDoubleSided = in.value<std::uint8_t>() != 0;
    material.textures.resize(readCount(in, 8));
    for (MeshTexture& texture : material.textures) {
        texture.role = readEnumerator(in, TextureRole::Emissive);
        texture.wrapU = readEnumerator(in, TextureWrap::Clamp);
        texture.wrapV = readEnumerator(in, TextureWrap::Clamp);
        texture.strength = in.value<float>();
        const std::uint64_t number = readVarint(in);
        if (number >= images.size())
            in.refuse();
        else
            texture.image = images[std::size_t(number)];
    }
    return material;
}

}  // namespace

void writeMaterials(BinaryWriter& out, const MeshMaterials& materials) {
    std::vector<SharedImage> images;
    for (const MeshMaterial& material : materials)
        for (const MeshTexture& texture : material.textures)
            if (std::find(images.begin(), images.end(), texture.image) == images.end())
                images.push_back(texture.image);
    writeVarint(out, images.size());
    for (const SharedImage& image : images)
        for (const std::string* text : {&image->name, &image->mediaType, &image->bytes})
            writeText(out, *text);
    writeVarint(out, materials.size());
    for (const MeshMaterial& material : materials)
        writeMaterial(out, material, images);
}

std::shared_ptr<const MeshMaterials> readMaterials(std::span<const std::byte> contents) {
    BinaryReader in(contents);
    std::vector<SharedImage> images(readCount(in, 3));
    for (SharedImage& image : images) {
        MeshImage read;
        for (std::string* text : {&read.name, &read.mediaType, &read.bytes})
            *text = readText(in);
        image = std::make_shared<const MeshImage>(std::move(read));
    }
    constexpr std::size_t kLeastBytes = 40;  // of a material
    auto materials = std::make_shared<MeshMaterials>(readCount(in, kLeastBytes));
    for (MeshMaterial& material : *materials)
        material = readMaterial(in, images);
    return in.failed() || in.remaining() != 0 ? nullptr : materials;
}

}  // namespace sunder::scene
