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

// From `count` tetrahedra drawn at random (fewer where the mesh has fewer) the pieces grow in turn, one tetrahedron each, the
// ones that were reached first before others. Pieces hang together through faces. Parts of the mesh that no seed lies in
// become pieces of their own, after the others.
TetPieces scorePieces(const TetMesh& mesh, const TetNeighbors& neighbors, std::uint32_t count, std::uint64_t seed);

// One per pair of pieces with a common face, in ascending order of (a, b).
std::vector<PieceInterface> findInterfaces(const TetMesh& mesh, const TetNeighbors& neighbors,
                                           std::span<const std::uint32_t> ofTet);

// Per tetrahedron its part: parts hang together through faces and are numbered by their first tetrahedron.
TetPieces connectedParts(const TetNeighbors& neighbors);
// The mesh without all but its largest part by volume: thin features may come off where cells are large.
TetMesh largestPart(const TetMesh& mesh);

}  // namespace sunder::geometry
