// A tetrahedral mesh scored into pieces.
//   [Li18] 4   random seeds, round-robin flood fill, constraints at the vertices of the faces that pieces share
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/piece_interface.h"
#include "geometry/tets/tet_mesh.h"

namespace sunder::geometry {

struct TetPieces {
    std::vector<std::uint32_t> ofTet;  // per tetrahedron its piece
    std::uint32_t count = 0;
};

// Pieces grow in turn from `count` random tetrahedra (fewer where the mesh has fewer), one tetrahedron at a time in the order
// in which they were reached. Pieces are connected through faces. Components of the mesh without a seed become pieces of their
// own, after the others.
TetPieces scorePieces(const TetMesh& mesh, const TetNeighbors& neighbors, std::uint32_t count, std::uint64_t seed);

// One per pair of pieces with a common face, in ascending order of (a, b).
std::vector<PieceInterface> findInterfaces(const TetMesh& mesh, const TetNeighbors& neighbors,
                                           std::span<const std::uint32_t> ofTet);

// The component of each tetrahedron: components are connected through faces and numbered by their first tetrahedron.
TetPieces connectedComponents(const TetNeighbors& neighbors);
// The component of the mesh with the largest volume: thin features may come off where cells are large.
TetMesh largestComponent(const TetMesh& mesh);

}  // namespace sunder::geometry
