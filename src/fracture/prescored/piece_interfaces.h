// The surfaces that the pieces of a broken level-set body share, as bonds between them need them.
//   [Li18] 4, for pieces of a pattern in place of a tetrahedral mesh
#pragma once

#include <span>
#include <vector>

#include "fracture/prescored/break_body.h"
#include "geometry/piece_interface.h"

namespace sunder::fracture {

// Pieces as breakBody made them of this field and this pattern, whose regions are asked again where cells are cut. One
// interface per pair that touches, in ascending order of (a, b), in the frame of the grid: the border of the regions as far as
// it lies inside of the parent. Flat cuts are flat, and the rim is known to the square of the cell; where three pieces meet, to
// a quarter of a cell. `points` are the centres of what lies in each cell.
template <class Stored>
std::vector<geometry::PieceInterface> findInterfaces(const geometry::LevelSet<Stored>& parent, const PlacedPattern& pattern,
                                                     geometry::RegionSource& regions, std::span<const Piece<Stored>> pieces);

}  // namespace sunder::fracture
