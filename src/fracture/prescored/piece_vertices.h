// Surface vertices of a piece that has just been cut out of its parent.
// The same points as geometry/surface/surface_vertices.h finds from the piece's field alone, up to rounding, but sooner: where
// the cut meets the old surface both planes are known, and the edge is where they intersect.
#pragma once

#include <vector>

#include "fracture/prescored/share_out.h"
#include "geometry/surface/surface_vertices.h"

namespace sunder::fracture {

// `piece` as makePieceField made it of these.
template <class Stored>
std::vector<geometry::SurfaceVertex> pieceVertices(const geometry::LevelSet<Stored>& parent, const PlacedPattern& pattern,
                                                   const PieceOfNodes& nodes, const geometry::LevelSet<Stored>& piece);

}  // namespace sunder::fracture
