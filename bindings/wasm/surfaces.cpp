// See surfaces.h.
#include "surfaces.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace sunder::web {

namespace {

// All that tells one shape from another, as bytes.
struct KeyWriter {
    std::string& key;

    template <class T>
    void value(const T& number) const {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &number, sizeof(T));
        key.append(bytes, sizeof(T));
    }
    template <class T>
    void list(const std::vector<T>& items) const {
        value(std::uint32_t(items.size()));
        key.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
    }
    void children(const std::vector<CompoundChild>& items) const {
        value(std::uint32_t(items.size()));
        for (const CompoundChild& child : items) {
            value(child.position);
            value(child.orientation);
            shape(child.shape);
        }
    }
    void shape(const Shape& shape) const {
        value(std::uint8_t(shape.index()));
        std::visit(*this, shape);
    }

    void operator()(const Sphere& s) const { value(s); }
    void operator()(const Box& b) const { value(b); }
    void operator()(const Capsule& c) const { value(c); }
    void operator()(const Cylinder& c) const { value(c); }
    void operator()(const Hull& h) const { list(h.points); }
    void operator()(const Mesh& m) const {
        list(m.vertices);
        list(m.triangles);
        value(m.look.get());
    }
    void operator()(const HeightField& h) const {
        value(h.columns);
        value(h.spacing);
        list(h.heights);
        list(h.holes);
    }
    void operator()(const Shell& s) const {
        value(s.thickness);
        list(s.vertices);
        list(s.triangles);
    }
    void operator()(const Compound& c) const { children(c.children); }
    void operator()(const LevelSet& l) const {
        value(l.sampled.get());
        if (!l.sampled) {
            value(l.cell);
            value(l.resolution);
            children(l.parts);
        }
    }
    void operator()(const SharedShape& s) const { value(s.get()); }
};

// Whether its key holds an address, which no other shape may get while the surface is known.
bool isKnownByAddress(const Shape& shape) {
    if (const auto* mesh = std::get_if<Mesh>(&shape))
        return mesh->look != nullptr;
    if (const auto* compound = std::get_if<Compound>(&shape))
        return std::any_of(compound->children.begin(), compound->children.end(),
                           [](const CompoundChild& child) { return isKnownByAddress(child.shape); });
    return std::holds_alternative<LevelSet>(shape) || std::holds_alternative<SharedShape>(shape);
}

const char* nameOf(TextureRole role) {
    switch (role) {
        case TextureRole::BaseColor: return "base_color";
        case TextureRole::MetallicRoughness: return "metallic_roughness";
        case TextureRole::Normal: return "normal";
        case TextureRole::Occlusion: return "occlusion";
        case TextureRole::Emissive: return "emissive";
    }
    return "";
}

void append(std::vector<float>& numbers, const std::vector<Vec3>& vectors) {
    numbers.reserve(vectors.size() * 3);
    for (const Vec3& v : vectors)
        numbers.insert(numbers.end(), {float(v.x), float(v.y), float(v.z)});
}

}  // namespace

std::uint32_t SurfaceCache::find(const Shape& shape) {
    std::string key;
    KeyWriter{key}.shape(shape);
    if (const auto known = numbers_.find(key); known != numbers_.end())
        return known->second;
    const std::uint32_t number = add(drawnShape(shape));
    numbers_.emplace(std::move(key), number);
    if (isKnownByAddress(shape))
        held_.push_back(shape);
    return number;
}

std::uint32_t SurfaceCache::add(const DrawnShape& shape) {
    const Surface surface = tessellate(shape);
    Triangles& made = surfaces_.emplace_back();
    append(made.positions, surface.positions);
    append(made.normals, surface.normals);
    for (const auto& [u, v] : surface.textureCoordinates)
        made.textureCoordinates.insert(made.textureCoordinates.end(), {u, v});
    for (const auto& color : surface.colors)
        made.colors.insert(made.colors.end(), color.begin(), color.end());
    made.materials = materialsOf(surface.materials);
    // What fractures laid open comes last.
    const SurfaceRange whole{0, std::uint32_t(surface.triangles.size()), 0};
    const std::vector<SurfaceRange> ranges = surface.ranges.empty() ? std::vector{whole} : surface.ranges;
    for (const bool isOpened : {false, true}) {
        for (const SurfaceRange& range : ranges) {
            if ((range.slot == DrawnSurface::kFractureSurface) != isOpened)
                continue;
            made.groups.push_back({std::uint32_t(made.indices.size()), 3 * range.triangleCount, range.slot});
            for (std::uint32_t i = 0; i < range.triangleCount; ++i) {
                const auto& triangle = surface.triangles[range.firstTriangle + i];
                made.indices.insert(made.indices.end(), triangle.begin(), triangle.end());
            }
        }
        if (!isOpened)
            made.outsideIndices = std::uint32_t(made.indices.size());
    }
    return std::uint32_t(surfaces_.size() - 1);
}

std::uint32_t SurfaceCache::materialsOf(const std::shared_ptr<const MeshMaterials>& list) {
    if (!list)
        return kNoMaterials;
    const auto known = std::find(materials_.begin(), materials_.end(), list);
    if (known != materials_.end())
        return std::uint32_t(known - materials_.begin());
    for (const MeshMaterial& material : *list)
        for (const MeshTexture& texture : material.textures)
            if (texture.image && std::find(images_.begin(), images_.end(), texture.image) == images_.end())
                images_.push_back(texture.image);
    materials_.push_back(list);
    return std::uint32_t(materials_.size() - 1);
}

std::string SurfaceCache::materialsText(int list) const {
    using Json = nlohmann::ordered_json;
    Json all = Json::array();
    for (const MeshMaterial& material : *materials_.at(std::size_t(list))) {
        Json textures = Json::object();
        for (const MeshTexture& texture : material.textures)
            if (texture.image)
                textures[nameOf(texture.role)] = {
                    {"image", std::find(images_.begin(), images_.end(), texture.image) - images_.begin()},
                    {"wrap", {int(texture.wrapU), int(texture.wrapV)}},
                    {"strength", texture.strength}};
        all.push_back({{"name", material.name},
                       {"color", material.color},
                       {"metallic", material.metallic},
                       {"roughness", material.roughness},
                       {"emissive", material.emissive},
                       {"alpha", int(material.alphaMode)},
                       {"alpha_cutoff", material.alphaCutoff},
                       {"double_sided", material.isDoubleSided},
                       {"textures", textures}});
    }
    return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void SurfaceCache::clear() {
    numbers_.clear();
    held_.clear();
    surfaces_.clear();
    materials_.clear();
    images_.clear();
}

}  // namespace sunder::web
