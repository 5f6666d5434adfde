// Adding, changing and removing bodies: the one place where the set of bodies changes.
#pragma once

#include "world/commit/build_body.h"

namespace sunder::world {

// Most slots that calls may take: half of all. The other half is left for pieces, of which WorldDef::mostPieces allows fewer.
inline constexpr std::uint32_t kMostAdded = kMostSlots / 2;
bool hasRoom(const PagedVector<Body>& bodies, const BodyRoster& roster);

std::uint32_t commitAdd(WorldState& world, const BodyDef& def, BuiltBody built);  // returns the slot
// Replaces a body by its pieces, in the order given. They have its name with a number, its material and all its other settings.
// Returns their slots.
std::vector<std::uint32_t> commitBreak(WorldState& world, std::uint32_t slot, std::span<const NewPiece> pieces);
void commitRemove(WorldState& world, std::uint32_t slot);
void commitMotion(WorldState& world, std::uint32_t slot, Motion motion);
// Ends its fracture where the new shape is a mesh, its bonds, and its vertices.
void commitShape(WorldState& world, std::uint32_t slot, BuiltBody built);
// Gives the body the shape that a dent has left it with (dent.h).
void commitDent(WorldState& world, std::uint32_t slot, const Dent& dent);
// Replaces how a body breaks, and what has added up of its damage.
void commitFracture(WorldState& world, std::uint32_t slot, BuiltBody built);
// Gives the body vertices, triangles and colliders, so that it deforms; replaces those it has. They must be sound.
void commitVertices(WorldState& world, std::uint32_t slot, BodyVertices vertices);
// Drops the pairs of a body, so that its contacts are searched again with its new filter or shape.
void forgetPairs(WorldState& world, std::uint32_t slot);
// Drops the pairs that the host's filter no longer lets collide, and has those found that it lets now. All sleepers wake.
void filterPairs(WorldState& world);
}  // namespace sunder::world
