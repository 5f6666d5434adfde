// The interfaces between the pieces of a broken level-set body, from which bonds are made.
//   [Li18] 4, for pieces of a pattern in place of a tetrahedral mesh
#pragma once

#include <span>
#include <vector>

#include "fracture/prescored/break_body.h"
#include "geometry/piece_interface.h"

namespace sunder::fracture {

// Pieces as breakBody made them of this field and this pattern; the pattern's regions are sampled again in cells that are cut.
// One interface per pair that touches, in ascending order of (a, b), in the frame of the grid: the border of the regions inside
// the parent. Flat cuts are flat; the rim is accurate to the square of the cell, and to a quarter of a cell where three pieces
// meet. `points` are the centres of the interface in each cell.
template <class Stored>
std::vector<geometry::PieceInterface> findInterfaces(const geometry::LevelSet<Stored>& parent, const PlacedPattern& pattern,
                                                     geometry::RegionSource& regions, std::span<const Piece<Stored>> pieces);

}  // namespace sunder::fracture
