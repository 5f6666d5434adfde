// The pieces of a bonded body, as the loads on its bonds need them.
#pragma once

#include "world/record/body.h"

namespace sunder::world {

// The body's BondedPieces, made now if they are not there yet.
BondedPieces& piecesOf(Body& body);
// These bonds are left of a body whose pieces still hang together.
void takeBonds(Body& body, std::vector<Bond> left);
// The piece that contains a point of the body's frame, or is nearest to it.
std::uint32_t pieceAt(const BondedPieces& pieces, const Vec3& point);

// Whether the loads on a body's bonds are computed: it is awake, and it moves or is static with anchored pieces.
bool isWatched(const Body& body);

}  // namespace sunder::world
