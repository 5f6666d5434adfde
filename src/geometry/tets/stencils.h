// How one tetrahedron of the lattice is filled where the surface passes through it.
//   [LS07] Labelle, Shewchuk: Isosurface stuffing: fast tetrahedral meshes with good dihedral angles. The stencils.
// Corners inside and corners on the surface (warped) keep their place; corners outside are replaced by the crossings of the
// edges that lead to them. A face with two corners inside leaves a quadrilateral, whose diagonal both sides must agree on:
//   one crossing on a long edge    the diagonal ends there
//   both on short edges            by the parity of the corner outside, so that the two such faces of a tetrahedron with two
//                                  corners in and two out have diagonals that do not meet
#pragma once

#include <array>
#include <cstdint>

namespace sunder::geometry {

// A tetrahedron of the lattice: its two long edges are corners 0, 1 and corners 2, 3; all others are short.
struct LatticeTet {
    std::array<std::uint32_t, 4> nodes{};    // with positive volume
    std::array<std::int8_t, 4> sides{};      // 1 inside, 0 on the surface, -1 outside
    std::array<std::uint8_t, 4> parities{};  // 0 or 1; those at the ends of a long edge differ
};

// Either a node itself (other equal to it) or the crossing of the edge from a node to another.
struct StencilVertex {
    std::uint32_t node = 0, other = 0;
};
using StencilTet = std::array<StencilVertex, 4>;

struct StencilTets {
    std::array<StencilTet, 3> tets{};
    int count = 0;
};

// All of positive volume, whatever the places of the crossings on their edges.
StencilTets fillTet(const LatticeTet& tet);

}  // namespace sunder::geometry
