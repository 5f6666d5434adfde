// A solid of any form, scored into pieces that are bonded to each other, for example a hollow figure.
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
    Real cell = 0;              // m, > 0: cell of the tetrahedral lattice; about the size of the teeth along the cracks
    Real thickness = 0;         // m: wall thickness of a hollow solid, at least 1.5 cells; 0: solid throughout
    std::uint32_t pieces = 10;  // 1 to 1000
    std::uint64_t seed = 1;
};

struct ScoredSolid {
    Compound pieces;          // one level set each, centred on its own centre of mass
    std::vector<Bond> bonds;  // for BondsDef::bonds
    // Of the tetrahedral mesh from which they were made.
    std::uint32_t tetrahedra = 0;
    double volume = 0;                                   // m^3
    double smallestDihedral = 0, largestDihedral = 180;  // degrees
};

// Throws Error, naming the field, where the mesh bounds no solid or the numbers do not fit it. Gives equal bits on every
// machine.
ScoredSolid scoreSolid(const ScoredSolidDef& def);

// A solid scored by a pattern beforehand rather than at a hit.
struct ScoredPatternDef {
    Shape shape{};  // any shape that a level set can be made of, closed meshes included; or a level set, then without a cell
    Real cell = 0;  // m, > 0: cell of the grid on which it is scored
    SharedPattern pattern{};          // from buildPattern
    Vec3 center{};                    // m: the pattern's centre in the frame of the shape
    Vec3 normal{0, 1, 0};             // direction of the pattern's +y; any length above 0
    Real scale = 0;                   // m per unit of the pattern; 0: the diameter of the shape, as in a break
    Real smallest = 0;                // m^3: smaller pieces stay with a neighbour
    std::uint32_t mostPieces = 1000;  // 2 to 1000; beyond this number the smallest stay with a neighbour
};

struct ScoredPattern {
    Compound pieces;          // one level set each, centred on its own centre of mass; their masses add up to that of the shape
    std::vector<Bond> bonds;  // for BondsDef::bonds: where two pieces share a surface
    double volume = 0;        // m^3, of the whole on its grid
};

// Throws Error, naming the field, where the shape bounds no solid, the pattern does not divide it or the numbers do not fit.
// Gives equal bits on every machine.
ScoredPattern scoreByPattern(const ScoredPatternDef& def);

}  // namespace sunder
