// Adding, changing and removing bodies: the one place where the set of bodies changes.
#pragma once

#include "world/commit/make_pieces.h"

namespace sunder::world {

// Most slots that calls may take: half of all. The other half is left for pieces, of which WorldDef::mostPieces allows fewer.
inline constexpr std::uint32_t kMostAdded = kMostSlots / 2;
bool hasRoom(const PagedVector<Body>& bodies, const BodyRoster& roster);

// What a body needs that is built from its definition. Building it may fail, and changes nothing of the world: a call that is
// refused must leave the world as it was, and is not logged.
struct BuiltBody {
    SharedShape shape;
    Rare<Shape> asGiven;
    Rare<BodyFracture> fracture;
    Rare<BodyBonds> bonds;
    Rare<DeformableBody> solid;
};
// Throws Error where that is not possible, as for a shape that is thinner than its fracture's grid. def must be valid.
BuiltBody buildBody(const BodyDef& def);
// For a body that gets another shape. It loses its bonds, and its fracture where the shape is a mesh.
BuiltBody buildBody(const Body& body, const Shape& shape);
// For a body that breaks in another way from now on; null: it does not break.
BuiltBody buildBody(const Body& body, const FractureDef* fracture);

std::uint32_t commitAdd(WorldState& world, const BodyDef& def, BuiltBody built);  // returns the slot
// Replaces a body by its pieces, in the order given. They have its name with a number, its material and all its other settings.
// Returns their slots.
std::vector<std::uint32_t> commitBreak(WorldState& world, std::uint32_t slot, std::span<const NewPiece> pieces);
// A piece with the name of its parent and this number, and its parent's settings; without a pose.
BodyDef pieceDef(const Body& parent, const NewPiece& piece, std::size_t number);
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
