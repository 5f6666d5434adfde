// The pieces of a bonded body, as the loads on its bonds need them.
#pragma once

#include "world/record/body.h"

namespace sunder::world {

// Makes what follows from shape, bonds and mass, where it is not there.
BondedPieces& piecesOf(Body& body);
// The piece of the body that holds, or is nearest to, a point of its frame.
std::uint32_t pieceAt(const BondedPieces& pieces, const Vec3& point);

// Whether the bonds of a body are watched: it moves, or is held by some of its pieces; and it is awake.
bool isWatched(const Body& body);

}  // namespace sunder::world
