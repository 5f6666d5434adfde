// Triangles of pieces that are not as they should be: turned over, or folded upon a neighbour.
#pragma once

#include <span>
#include <vector>

#include "geometry/cutting/fragments.h"

namespace sunder::geometry {

struct PieceTriangle {
    static constexpr std::uint32_t kCrack = 0xffffffffu;
    std::array<std::uint32_t, 3> nodes;
    std::uint32_t source;  // triangle of the old surface; kCrack: a crack face
};

// The nodes of such triangles of one piece, as they are in single precision.
void addFaultyNodes(const Fragments& fragments, std::span<const PieceTriangle> piece, std::vector<std::uint32_t>& nodes);

}  // namespace sunder::geometry
