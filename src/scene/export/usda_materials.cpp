#include "scene/export/usda_materials.h"

#include <iterator>

#include "scene/export/motion.h"
#include "sunder/scene/output_file.h"

namespace sunder::scene {

namespace {

template <class... Parts>
void print(fmt::memory_buffer& out, fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Parts>(parts)...);
}

bool isSame(const MeshMaterial& a, const MeshMaterial& b) {
    return a.color == b.color && a.roughness == b.roughness && a.textures.empty() && b.textures.empty() &&
           a.emissive == b.emissive && a.metallic == b.metallic;
}

const char* shaderName(TextureRole role) {
    constexpr const char* kNames[] = {"base_color", "metallic_roughness", "normal", "occlusion", "emissive"};
    return kNames[int(role)];
}

// The input of UsdPreviewSurface, its type, and the output of the texture that it takes.
struct Connection {
    TextureRole role;
    const char *input, *output;
};
constexpr Connection kConnections[] = {
    {TextureRole::BaseColor, "color3f inputs:diffuseColor", "rgb"},
    {TextureRole::MetallicRoughness, "float inputs:roughness", "g"},
    {TextureRole::MetallicRoughness, "float inputs:metallic", "b"},
    {TextureRole::Normal, "normal3f inputs:normal", "rgb"},
    {TextureRole::Occlusion, "float inputs:occlusion", "r"},
    {TextureRole::Emissive, "color3f inputs:emissiveColor", "rgb"},
};

const char* wrapName(TextureWrap wrap) {
    return wrap == TextureWrap::Repeat ? "repeat" : wrap == TextureWrap::Mirror ? "mirror" : "clamp";
}

}  // namespace

std::string UsdaMaterials::of(const render::Look& look, std::uint16_t slot, const MeshMaterials* ofMesh) {
    const bool isInside = slot == DrawnSurface::kFractureSurface;
    if (const std::size_t number = DrawnSurface::materialOfSlot(slot); !isInside && ofMesh && number < ofMesh->size()) {
        const MeshMaterial& source = (*ofMesh)[number];
        const auto [entry, isNew] = known_.try_emplace(&source);
        if (isNew) {
            entries_.push_back(
                {plainName(source.name.empty() ? "material" : source.name) + "_" + std::to_string(entries_.size()), source});
            entry->second = entries_.back().name;
        }
        return entry->second;
    }
    const bool isNamed = look.material < recording_.info().looks.size();
    const Vec3& color = isInside ? look.opened : look.albedo;
    MeshMaterial material;
    material.color = {float(color.x), float(color.y), float(color.z), float(look.opacity)};
    material.roughness = float(roughnessOf(isInside && look.opacity == 1 ? kInnerGloss : look.gloss, isNamed));
    return add(material, plainName(innerNameOf(recording_, look, isInside, ofMesh)) + "_");
}

std::string UsdaMaterials::add(MeshMaterial material, const std::string& name) {
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (entries_[i].name == name + std::to_string(i) && isSame(entries_[i].material, material))
            return entries_[i].name;
    entries_.push_back({name + std::to_string(entries_.size()), std::move(material)});
    return entries_.back().name;
}

// The name of the picture's file as the USD file refers to it; empty where that goes to a pipe.
std::string UsdaMaterials::fileOf(const MeshImage& image) {
    const auto [entry, isNew] = files_.try_emplace(&image);
    if (!isNew || target_ == "-")
        return entry->second;
    const std::string folder = target_.stem().string() + "_textures";
    const std::string extension = image.mediaType == "image/jpeg" ? ".jpg" : ".png";
    entry->second = folder + "/" + std::to_string(files_.size() - 1) + "_" +
                    plainName(std::filesystem::path(image.name).stem().string()) + extension;
    std::error_code ignored;  // OutputFile says what is wrong
    std::filesystem::create_directories(target_.parent_path() / folder, ignored);
    OutputFile file(target_.parent_path() / entry->second);
    file.write(image.bytes);
    file.commit();
    return entry->second;
}

void UsdaMaterials::writeTexture(fmt::memory_buffer& out, const std::string& path, const MeshMaterial& material,
                                 const MeshTexture& texture) {
    const bool isColor = texture.role == TextureRole::BaseColor || texture.role == TextureRole::Emissive;
    std::array<float, 4> scale{1, 1, 1, 1};
    if (texture.role == TextureRole::BaseColor)
        scale = material.color;
    else if (texture.role == TextureRole::MetallicRoughness)
        scale = {1, material.roughness, material.metallic, 1};
    else if (texture.role == TextureRole::Emissive)
        scale = {material.emissive[0], material.emissive[1], material.emissive[2], 1};
    else if (texture.role == TextureRole::Normal)
        scale = {2, 2, 2, 1};
    print(out,
          "            def Shader \"{}\"\n            {{\n                uniform token info:id = \"UsdUVTexture\"\n"
          "                asset inputs:file = @{}@\n"
          "                float2 inputs:st.connect = <{}/st.outputs:result>\n"
          "                token inputs:wrapS = \"{}\"\n                token inputs:wrapT = \"{}\"\n"
          "                token inputs:sourceColorSpace = \"{}\"\n"
          "                float4 inputs:scale = ({:.6g}, {:.6g}, {:.6g}, {:.6g})\n",
          shaderName(texture.role), fileOf(*texture.image), path, wrapName(texture.wrapU), wrapName(texture.wrapV),
          isColor ? "sRGB" : "raw", scale[0], scale[1], scale[2], scale[3]);
    if (texture.role == TextureRole::Normal)
        print(out, "                float4 inputs:bias = (-1, -1, -1, 0)\n");
    print(out,
          "                float3 outputs:rgb\n                float outputs:r\n                float outputs:g\n"
          "                float outputs:b\n                float outputs:a\n            }}\n");
}

void UsdaMaterials::writeShader(fmt::memory_buffer& out, const Entry& entry) {
    const MeshMaterial& material = entry.material;
    const std::string path = "/World/Materials/" + entry.name;
    const auto textureOf = [&](TextureRole role) -> const MeshTexture* {
        for (const MeshTexture& texture : material.textures)
            if (texture.role == role && target_ != "-")
                return &texture;
        return nullptr;
    };
    print(out,
          "        def Material \"{0}\"\n        {{\n"
          "            token outputs:surface.connect = <{1}/shader.outputs:surface>\n"
          "            def Shader \"shader\"\n            {{\n"
          "                uniform token info:id = \"UsdPreviewSurface\"\n",
          entry.name, path);
    const auto value = [&](const char* input, TextureRole role, const std::string& text) {
        if (!textureOf(role))
            print(out, "                {} = {}\n", input, text);
    };
    const auto& c = material.color;
    value("color3f inputs:diffuseColor", TextureRole::BaseColor, fmt::format("({:.6g}, {:.6g}, {:.6g})", c[0], c[1], c[2]));
    value("float inputs:roughness", TextureRole::MetallicRoughness, fmt::format("{:.6g}", material.roughness));
    if (material.metallic != 0)
        value("float inputs:metallic", TextureRole::MetallicRoughness, fmt::format("{:.6g}", material.metallic));
    if (material.emissive != std::array<float, 3>{})
        value("color3f inputs:emissiveColor", TextureRole::Emissive,
              fmt::format("({:.6g}, {:.6g}, {:.6g})", material.emissive[0], material.emissive[1], material.emissive[2]));
    for (const Connection& connection : kConnections)
        if (textureOf(connection.role))
            print(out, "                {}.connect = <{}/{}.outputs:{}>\n", connection.input, path, shaderName(connection.role),
                  connection.output);
    if (textureOf(TextureRole::BaseColor) && material.alphaMode != AlphaMode::Opaque)
        print(out, "                float inputs:opacity.connect = <{}/base_color.outputs:a>\n", path);
    else
        print(out, "                float inputs:opacity = {:.6g}\n", c[3]);
    if (material.alphaMode == AlphaMode::Mask)
        print(out, "                float inputs:opacityThreshold = {:.6g}\n", material.alphaCutoff);
    print(out, "                token outputs:surface\n            }}\n");
    bool hasTexture = false;
    for (const MeshTexture& texture : material.textures)
        if (target_ != "-") {
            hasTexture = true;
            writeTexture(out, path, material, texture);
        }
    if (hasTexture)
        print(out,
              "            def Shader \"st\"\n            {{\n"
              "                uniform token info:id = \"UsdPrimvarReader_float2\"\n"
              "                string inputs:varname = \"st\"\n                float2 outputs:result\n            }}\n");
    print(out, "        }}\n");
}

void UsdaMaterials::write(fmt::memory_buffer& out) {
    print(out, "    def Scope \"Materials\"\n    {{\n");
    for (const Entry& entry : entries_)
        writeShader(out, entry);
    print(out, "    }}\n");
}

}  // namespace sunder::scene
