// The door for fracture methods: the function that finds the pieces of a body.
#pragma once

#include <vector>

#include "geometry/mass_properties.h"
#include "world/record/body.h"

namespace sunder::world {

struct BreakRequest;
struct WorldState;

// A piece as a fracture method leaves it. How it moves and whether it is anchored is found later (commit/pieces/make_pieces.h).
struct CutPiece {
    SharedShape shape;              // its centre of mass in the origin; axes as the body's
    Vec3 center;                    // m, of mass, in the body's frame
    geometry::MassProperties mass;  // for density 1, in the body's frame; those of all pieces add up to the body's
};

// Changes nothing of the world but caches. At most mostPieces; fewer than two where the body stays whole.
using PieceMaker = std::vector<CutPiece> (*)(WorldState& world, const Body& body, const BreakRequest& request, int mostPieces);

}  // namespace sunder::world
