// A solid of any form, scored into pieces that are bonded to each other: what a hollow figure breaks into.
//   [Li18] 4: a tetrahedral mesh, random seeds, flood fill in turn, bonds where pieces share faces (docs/tetrahedra.md)
//   and the same for the level-set pieces of a pattern [Su09] 4.1, 4.2
#pragma once

#include <cstdint>
#include <vector>

#include "sunder/bonds.h"
#include "sunder/patterns.h"
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

// A solid scored by a pattern beforehand, not where it is hit.
struct ScoredPatternDef {
    Shape shape{};            // any that a level set can be made of, a closed mesh too; or a level set, then without a cell
    Real cell = 0;            // m, > 0: of the grid on which it is scored
    SharedPattern pattern{};  // from buildPattern
    Vec3 center{};            // m: where the pattern's centre lies, in the frame of the shape
    Vec3 normal{0, 1, 0};     // where its +y points, any length but 0
    Real scale = 0;           // m: what the distance 1 of the pattern becomes; 0: the diameter of the shape, as in a break
    Real smallest = 0;        // m^3: smaller pieces stay with a neighbour
    std::uint32_t mostPieces = 1000;  // 2 to 1000; so do the smallest of more than these
};

struct ScoredPattern {
    Compound pieces;          // a level set each, about its own centre of mass; together they have the mass of the shape
    std::vector<Bond> bonds;  // for BondsDef::bonds: where two pieces share a surface
    double volume = 0;        // m^3, of the whole on its grid
};

// Throws Error, naming the field, where the shape bounds no solid, the pattern does not divide it or the numbers do not fit.
// The same bits everywhere.
ScoredPattern scoreByPattern(const ScoredPatternDef& def);

}  // namespace sunder
