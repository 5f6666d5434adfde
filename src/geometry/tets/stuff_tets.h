// A tetrahedral mesh of a level set.
//   [LS07] Labelle, Shewchuk: Isosurface stuffing: fast tetrahedral meshes with good dihedral angles. Of uniform size.
// Lattice points of a body-centred cubic lattice that are close to the surface are moved onto it; the remainders of tetrahedra
// that the surface still cuts are filled by stencils. Whatever the field, all dihedral angles stay between 10.7 and 164.8
// degrees.
#pragma once

#include <string>

#include "geometry/level_set/level_set.h"
#include "geometry/tets/tet_mesh.h"

namespace sunder::geometry {

struct TetOptions {
    // Above 0: a shell of this thickness below the surface, hollow inside. At least kLeastShellCells lattice cells.
    Real thickness = 0;
};

// The lattice has twice the cell size of the field: its two interlaced cubic lattices are the nodes with even and those with
// odd coordinates, so that every lattice point and the middle of every long edge is a node.
inline constexpr int kFieldCellsPerLatticeCell = 2;
// Thinner shells would have holes where no lattice point lies inside.
inline constexpr Real kLeastShellCells = Real(1.5);

struct TetResult {
    TetMesh mesh;
    std::string error;  // empty where the mesh is good
};

// Conforming: every face has one or two tetrahedra, and those with one form the closed surface.
TetResult stuffTets(const DistanceField& field, const TetOptions& options = {});

}  // namespace sunder::geometry
