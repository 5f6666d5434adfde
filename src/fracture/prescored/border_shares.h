// Masses of pieces below the size of a cell: a cube that a crack passes through belongs to the pieces on both sides of it.
//   [Su09] 4.2 gives a piece whole nodes, which is off by up to half a cell at each face along the grid.
// The cube about a node at the distance d < h / 2 from the crack has the share 1/2 - d / h beyond it, which goes to the piece
// there: exact for a crack along the grid, and right on average for one that is tilted.
#pragma once

#include <vector>

#include "fracture/prescored/piece_mass.h"
#include "fracture/prescored/share_out.h"

namespace sunder::fracture {

// For each piece what to add to its sums, in the nodes of its own grid (see makePieceField). All of it adds up to nothing.
template <class Stored>
std::vector<NodeSums> borderShares(const geometry::LevelSet<Stored>& body, const PlacedPattern& pattern,
                                   const SharedNodes& shared, TaskRunner& runner);

}  // namespace sunder::fracture
