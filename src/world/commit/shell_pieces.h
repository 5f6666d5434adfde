// Thin shells that crack by stress: their shards are shells.
//   [Bao07] IV, VII
#pragma once

#include <vector>

#include "world/state/piece_maker.h"
#include "world/state/state.h"

namespace sunder::world {

// Of a body whose fracture's solid is a shell, as breakBy(). A request for a plane parts the triangles on its two sides.
std::vector<CutPiece> breakShell(const Stressed& method, WorldState& world, const Body& body, const BreakRequest& request,
                                 int mostPieces);

}  // namespace sunder::world
