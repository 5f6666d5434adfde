// A solid of any form, scored into pieces that are bonded to each other: what a hollow figure breaks into.
//   [Li18] 4: a tetrahedral mesh, random seeds, flood fill in turn, bonds where pieces share faces (docs/tetrahedra.md)
#pragma once

#include <cstdint>
#include <vector>

#include "sunder/bonds.h"
#include "sunder/shapes.h"

namespace sunder {

struct ScoredSolidDef {
    Mesh mesh{};                // closed
    Real cell = 0;              // m, > 0: of the lattice of tetrahedra; about the size of the teeth along the cracks
    Real thickness = 0;         // m: of the wall of a hollow solid, at least 1.5 cells; 0: solid throughout
    std::uint32_t pieces = 10;  // 1 to 1000
    std::uint64_t seed = 1;
};

struct ScoredSolid {
    Compound pieces;          // a level set each, about its own centre of mass
    std::vector<Bond> bonds;  // for BondsDef::bonds
    // Of the tetrahedral mesh from which they were made
    std::uint32_t tetrahedra = 0;
    double volume = 0;                                   // m^3
    double smallestDihedral = 0, largestDihedral = 180;  // degrees
};

// Throws Error, naming the field, where the mesh bounds no solid or the numbers do not fit it. The same bits everywhere.
ScoredSolid scoreSolid(const ScoredSolidDef& def);

}  // namespace sunder
