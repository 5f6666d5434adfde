// Surface vertices of a piece that has just been cut out of its parent. They equal, up to rounding, those that
// geometry/surface/surface_vertices.h finds from the piece's field alone, but are found faster: where the cut meets the old
// surface both planes are known, and the edge is their intersection.
#pragma once

#include <span>
#include <vector>

#include "fracture/prescored/share_out.h"
#include "geometry/surface/surface_vertices.h"

namespace sunder::fracture {

// `piece` as makePieceField made it from the others. The vertices are written to `memory`, which grows where it is too small.
// None are made where there would be no more than `unneeded`.
template <class Stored>
std::span<const geometry::SurfaceVertex> pieceVertices(const geometry::LevelSet<Stored>& parent, const PlacedPattern& pattern,
                                                       const PieceOfNodes& nodes, const geometry::LevelSet<Stored>& piece,
                                                       std::vector<geometry::SurfaceVertex>& memory, std::size_t unneeded = 0);

}  // namespace sunder::fracture
