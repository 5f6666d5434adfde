#include "scene/picture/textures.h"

#include <tiny_gltf.h>

#include <array>
#include <cmath>

#include "scene/png/png_reader.h"
#include "sunder/definitions.h"

namespace sunder::scene {

namespace {

// IEC 61966-2-1: pictures of colours are in sRGB.
Real linearOf(std::uint8_t value) {
    static const std::array<Real, 256> kTable = [] {
        std::array<Real, 256> table{};
        for (std::size_t i = 0; i < table.size(); ++i) {
            const double s = double(i) / 255;
            table[i] = Real(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4));
        }
        return table;
    }();
    return kTable[value];
}

// By the decoder that tinygltf has for the pictures of glTF files.
ColorPixels readJpeg(const std::string& bytes) {
    tinygltf::Image image;
    std::string error, warning;
    constexpr int kAnySize = 0, kChannels = 4;  // without options the decoder always gives four
    if (!tinygltf::LoadImageData(&image, 0, &error, &warning, kAnySize, kAnySize,
                                 reinterpret_cast<const unsigned char*>(bytes.data()), int(bytes.size()), nullptr) ||
        image.component != kChannels || image.bits != 8)
        throw Error("not a JPEG: " + error);
    ColorPixels pixels{image.width, image.height, {}};
    for (std::size_t i = 0; i + kChannels <= image.image.size(); i += kChannels)
        pixels.values.push_back({image.image[i], image.image[i + 1], image.image[i + 2]});
    return pixels;
}

std::shared_ptr<const render::Texture> decoded(const MeshTexture& texture) {
    if (!texture.image)
        return nullptr;
    try {
        const std::string& bytes = texture.image->bytes;
        const ColorPixels pixels = hasPngMark(bytes) ? readColors(bytes) : readJpeg(bytes);
        auto made = std::make_shared<render::Texture>();
        made->width = pixels.width;
        made->height = pixels.height;
        made->wrapU = texture.wrapU;
        made->wrapV = texture.wrapV;
        made->pixels.reserve(pixels.values.size());
        for (const auto& [red, green, blue] : pixels.values)
            made->pixels.push_back({linearOf(red), linearOf(green), linearOf(blue)});
        return made;
    } catch (const Error&) {
        return nullptr;  // a still is worth having without it
    }
}

}  // namespace

const std::vector<std::shared_ptr<const render::Texture>>& TextureCache::of(
    const std::shared_ptr<const MeshMaterials>& materials) {
    static const std::vector<std::shared_ptr<const render::Texture>> kNone;
    if (!materials)
        return kNone;
    Entry& entry = known_[materials.get()];
    if (entry.materials)
        return entry.textures;
    entry.materials = materials;
    for (const MeshMaterial& material : *materials) {
        entry.textures.emplace_back();
        for (const MeshTexture& texture : material.textures)
            if (texture.role == TextureRole::BaseColor)
                entry.textures.back() = decoded(texture);
    }
    return entry.textures;
}

}  // namespace sunder::scene
