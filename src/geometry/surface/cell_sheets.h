// For each of the 256 ways in which the corners of a cell can be inside or outside: into how many sheets the surface splits in
// it, and which crossed edges belong to which. Where two inside corners face each other diagonally across a side of the cell,
// the inside is taken as separate there, which is what 6-connected components mean.
//   [Nie04] Nielson: Dual marching cubes
#pragma once

#include <array>
#include <cstdint>

#include "math/vec3.h"

namespace sunder::geometry {

// Corner i: bit 0 x, bit 1 y, bit 2 z. Edge 4 a + k runs along axis a; bit 0 of k is its place along axis a + 1, bit 1 along
// axis a + 2 (cyclic). Side 2 a + s is normal to axis a, at its low (s = 0) or high (s = 1) end.
struct CellSheets {
    static constexpr std::uint8_t kNotCrossed = 0xff;
    std::uint8_t count = 0;
    std::array<std::uint8_t, 12> ofEdge{};
    // The crossed edges by sheet: those of sheet s are edges[start[s]] .. edges[start[s + 1] - 1].
    std::array<std::uint8_t, 12> edges{};
    std::array<std::uint8_t, 5> start{};
    // Sides with four crossed edges that all belong to one sheet. If that holds in both cells that share the side, two sheets
    // of the surface would share one dual edge there.
    std::uint8_t pinchedSides = 0;
};

constexpr int edgeCorner(int edge, int end) {
    const int axis = edge / 4, k = edge % 4;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return end << axis | (k & 1) << u | (k >> 1) << v;
}

// The edge between two corners that differ in one bit.
constexpr int edgeBetween(int corner0, int corner1) {
    const int difference = corner0 ^ corner1;
    const int axis = difference == 1 ? 0 : (difference == 2 ? 1 : 2);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return 4 * axis + (corner0 >> u & 1) + 2 * (corner0 >> v & 1);
}

// The corners of a side in cyclic order.
constexpr std::array<int, 4> sideCorners(int side) {
    const int axis = side / 2, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = (side & 1) << axis;
    return {base, base | u, base | u | v, base | v};
}

extern const std::array<CellSheets, 256> kCellSheets;

// The mean of the points where the sheet crosses the cell's edges, in cells from its lowest node; always in the cell. v: values
// at the corners.
Vec3 meanCrossing(const Real (&v)[8], const CellSheets& sheets, int sheet);

}  // namespace sunder::geometry
