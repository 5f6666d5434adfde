// What is built of a body before it comes into the world: its shape, and how it breaks.
#pragma once

#include "world/commit/pieces/make_pieces.h"

namespace sunder::world {

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

// A piece with the name of its parent and this number, and its parent's settings; without a pose.
BodyDef pieceDef(const Body& parent, const NewPiece& piece, std::size_t number);
// How a piece breaks; empty where it may not break again.
Rare<BodyFracture> pieceFracture(const BodyFracture& parent, const NewPiece& piece);

}  // namespace sunder::world
