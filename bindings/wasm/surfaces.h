// Surfaces of bodies as triangles, each made once however many bodies have it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sunder/scene/surface.h"

namespace sunder::web {

struct Triangles {
    std::vector<float> positions, normals;
    std::vector<std::uint32_t> indices;
    std::uint32_t outsideIndices = 0;  // those of faces that a fracture laid open follow them
};

class SurfaceCache {
public:
    std::uint32_t find(const Shape& shape);
    std::uint32_t add(const DrawnShape& shape);
    void clear();
    int count() const { return int(surfaces_.size()); }
    const Triangles& at(int number) const { return surfaces_.at(std::size_t(number)); }

private:
    std::map<std::string, std::uint32_t> numbers_;  // by the bytes of the shape's definition
    std::vector<Shape> held_;                       // those known by an address, so that no other shape gets it
    std::vector<Triangles> surfaces_;
};

}  // namespace sunder::web
