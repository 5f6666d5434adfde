// Counts the edges that keep a triangle surface from bounding a solid.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace sunder::geometry {

struct EdgeReport {
    std::size_t open = 0;         // with one triangle
    std::size_t inverted = 0;     // with two triangles that run along it in the same direction
    std::size_t nonManifold = 0;  // with three or more triangles
    bool isClosed() const { return open == 0 && inverted == 0 && nonManifold == 0; }
};

EdgeReport reportEdges(std::span<const std::array<std::uint32_t, 3>> triangles);

}  // namespace sunder::geometry
