// What a mesh looks like: texture coordinates, vertex colours, materials. The engine carries it to the pieces that a body
// breaks into (World::surface) and never acts by it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sunder {

// A picture as its file has it.
struct MeshImage {
    std::string name{}, mediaType{};  // "image/png", "image/jpeg"
    std::string bytes{};
};

enum class TextureRole : std::uint8_t { BaseColor, MetallicRoughness, Normal, Occlusion, Emissive };
enum class TextureWrap : std::uint8_t { Repeat, Mirror, Clamp };

struct MeshTexture {
    TextureRole role = TextureRole::BaseColor;
    std::shared_ptr<const MeshImage> image{};
    TextureWrap wrapU = TextureWrap::Repeat, wrapV = TextureWrap::Repeat;
    float strength = 1;  // scale of a normal map, strength of occlusion
};

enum class AlphaMode : std::uint8_t { Opaque, Mask, Blend };

// In the terms of glTF 2.0; colours are linear.
struct MeshMaterial {
    std::string name{};
    std::array<float, 4> color{1, 1, 1, 1};  // red, green, blue, opacity; times the texture and the vertex colour
    float metallic = 0, roughness = 1;
    std::array<float, 3> emissive{};
    AlphaMode alphaMode = AlphaMode::Opaque;
    float alphaCutoff = 0.5f;
    bool isDoubleSided = false;
    std::vector<MeshTexture> textures{};  // at most one for each role
};
using MeshMaterials = std::vector<MeshMaterial>;

// Lists are per triangle of the mesh, or empty.
struct MeshLook {
    using Corners = std::array<std::array<float, 2>, 3>;
    using CornerColors = std::array<std::array<std::uint8_t, 4>, 3>;
    std::vector<Corners> textureCoordinates{};  // u to the right and v down in the picture, as in glTF
    std::vector<CornerColors> colors{};         // red, green, blue, opacity, linear, 255 is 1
    std::vector<std::uint16_t> materialOf{};    // number in `materials`; empty: the first
    std::shared_ptr<const MeshMaterials> materials{};
};

}  // namespace sunder
