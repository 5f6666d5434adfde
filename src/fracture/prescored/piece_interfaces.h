// The surfaces that the pieces of a broken level-set body share, as bonds between them need them.
//   [Li18] 4, for pieces of a pattern in place of a tetrahedral mesh
#pragma once

#include <span>
#include <vector>

#include "fracture/prescored/break_body.h"
#include "geometry/piece_interface.h"

namespace sunder::fracture {

// Pieces as breakBody made them of a body with this grid. One interface per pair that touches, in ascending order of (a, b),
// in the frame of the grid: the mean of the part of a's surface beyond which b lies, and of b's beyond which a lies.
template <class Stored>
std::vector<geometry::PieceInterface> findInterfaces(const geometry::Grid& parent, std::span<const Piece<Stored>> pieces);

}  // namespace sunder::fracture
