// Adding, changing and removing bodies: the one place where the set of bodies changes.
#pragma once

#include "world/make_pieces.h"

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
// Pairs of a body that were left out are looked at again by the next step: its proxy counts as moved.
void findAgain(WorldState& world, std::uint32_t slot);

// Mass, centre and inertia from shape, material and overrides. The user's frame stays where it is; the velocity becomes
// that of the new centre.
void updateMass(Body& body);
void placeBody(Body& body, const WorldPoint& position, const Quat& orientation);
void push(Body& body, const Vec3& impulse);         // at its centre
void turn(Body& body, const Vec3& angularImpulse);  // world axes
void refreshProxy(WorldState& world, Body& body);

}  // namespace sunder::world
