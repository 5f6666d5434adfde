// Adding, changing and removing bodies: the one place where the set of bodies changes.
#pragma once

#include "world/commit/make_pieces.h"

namespace sunder::world {

// Slots that calls may take; as many are left for pieces, of which WorldDef::mostPieces allows fewer.
inline constexpr std::uint32_t kMostAdded = kMostSlots / 2;
bool hasRoom(const PagedVector<Body>& bodies, const BodyRoster& roster);

// What is made of a body's shape. Making it may fail, and changes nothing of the world: a call that is refused must leave the
// world as it was, and is not logged.
struct BuiltParts {
    SharedShape shape;
    Rare<Shape> asGiven;
    Rare<BodyFracture> fracture;
    Rare<BodyBonds> bonds;
};
// Throws Error where that is not possible, as for a shape that is thinner than its fracture's grid. def is valid.
BuiltParts buildParts(const BodyDef& def);
// As buildParts, for a body that is there and gets another shape. Its bonds go; a mesh cannot break.
BuiltParts buildParts(const Body& body, const Shape& shape);
// As buildParts, for a body that is there and breaks in another way; null: it does not break.
BuiltParts buildParts(const Body& body, const FractureDef* fracture);

std::uint32_t commitAdd(WorldState& world, const BodyDef& def, BuiltParts parts);  // returns the slot
// Replaces a body by its pieces, in the order given. They have its name with a number, its material and all its other settings.
// Returns their slots.
std::vector<std::uint32_t> commitBreak(WorldState& world, std::uint32_t slot, std::span<const NewPiece> pieces);
void commitRemove(WorldState& world, std::uint32_t slot);
void commitMotion(WorldState& world, std::uint32_t slot, Motion motion);
// Ends its fracture where the new shape is a mesh, its bonds, and its vertices.
void commitShape(WorldState& world, std::uint32_t slot, BuiltParts parts);
// Replaces how a body breaks, and what has added up of its damage.
void commitFracture(WorldState& world, std::uint32_t slot, BuiltParts parts);
// From now on the body deforms, or its vertices, triangles and colliders are these. They must be sound.
void commitVertices(WorldState& world, std::uint32_t slot, BodyVertices vertices);
// Drops the pairs of a body, so that its contacts are found anew under its new filter or shape.
void forgetPairs(WorldState& world, std::uint32_t slot);
// Drops the pairs that the host's filter no longer lets collide, and has those found that it lets now. All sleepers wake.
void filterPairs(WorldState& world);
}  // namespace sunder::world
