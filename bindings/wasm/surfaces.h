// Surfaces of bodies as triangles, each made once however many bodies have it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sunder/scene/surface.h"

namespace sunder::web {

// Indices of one slot (DrawnSurface).
struct SurfaceGroup {
    std::uint32_t first = 0, count = 0, slot = 0;
};

inline constexpr std::uint32_t kNoMaterials = 0xffffffffu;

struct Triangles {
    std::vector<float> positions, normals;
    std::vector<float> textureCoordinates;  // two per vertex, or empty
    std::vector<std::uint8_t> colors;       // four per vertex, or empty
    std::vector<std::uint32_t> indices;
    std::uint32_t outsideIndices = 0;        // those of faces that a fracture laid open follow them
    std::vector<SurfaceGroup> groups;        // in the order of the indices
    std::uint32_t materials = kNoMaterials;  // number in SurfaceCache::materials()
};

class SurfaceCache {
public:
    std::uint32_t find(const Shape& shape);
    std::uint32_t add(const DrawnShape& shape);
    void clear();
    int count() const { return int(surfaces_.size()); }
    const Triangles& at(int number) const { return surfaces_.at(std::size_t(number)); }

    // Materials that meshes brought, and their pictures, each once.
    const std::vector<std::shared_ptr<const MeshMaterials>>& materials() const { return materials_; }
    const std::vector<std::shared_ptr<const MeshImage>>& images() const { return images_; }
    // The materials of a list as JSON, in the terms of glTF; pictures by their number in images().
    std::string materialsText(int list) const;

private:
    std::uint32_t materialsOf(const std::shared_ptr<const MeshMaterials>& list);

    std::vector<std::shared_ptr<const MeshMaterials>> materials_;
    std::vector<std::shared_ptr<const MeshImage>> images_;
    std::map<std::string, std::uint32_t> numbers_;  // by the bytes of the shape's definition
    std::vector<Shape> held_;                       // those known by an address, so that no other shape gets it
    std::vector<Triangles> surfaces_;
};

}  // namespace sunder::web
