// Which piece of a broken body each closed part of its cut surface belongs to.
// The grid says which node is in which piece: components that a flood fill has separated and crumbs that stayed with a
// neighbour included. Parts that hold no node, because they are smaller than a cell, go to the neighbour they share most with.
#pragma once

#include <span>
#include <vector>

#include "fracture/cutting/region_complex.h"
#include "fracture/prescored/break_body.h"
#include "geometry/pieces/shells.h"

namespace sunder::fracture {

struct ShellPieces {
    std::vector<std::uint32_t> pieces;  // by shell
    // Pieces that got no shell, because the grid has separated what hangs together by less than a cell: the plane midway
    // between their nodes and those of the piece that got it, in the frame of the regions.
    struct Divide {
        std::uint64_t region = 0;
        Vec3d normal;
        double offset = 0;
    };
    std::vector<Divide> divides;
};

// offset: from the frame of regions and of the pieces' grids to that of the fragments.
ShellPieces piecesOfShells(const geometry::Fragments& fragments, const geometry::Shells& shells,
                           std::span<const Piece<std::int16_t>> pieces, const RegionComplex& division, FocusedRegions& regions,
                           const Vec3d& offset);

}  // namespace sunder::fracture
