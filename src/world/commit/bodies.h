// Adding, changing and removing bodies: the one place where the set of bodies changes.
#pragma once

#include "world/commit/make_pieces.h"

namespace sunder::world {

std::uint32_t commitAdd(WorldState& world, const BodyDef& def);  // returns the slot; def is valid
// Pieces take the body's place: in the order given, with its name and a number, its material and all that is not of its shape.
// Returns their slots.
std::vector<std::uint32_t> commitBreak(WorldState& world, std::uint32_t slot, std::span<const NewPiece> pieces);
void commitRemove(WorldState& world, std::uint32_t slot);
void commitMotion(WorldState& world, std::uint32_t slot, Motion motion);
void commitShape(WorldState& world, std::uint32_t slot, const Shape& shape);
// Drops the pairs of a body, so that its contacts are found anew under its new filter or shape.
void forgetPairs(WorldState& world, std::uint32_t slot);
}  // namespace sunder::world
