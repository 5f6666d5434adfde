// What a body would break into. Nothing of the world is changed; bodies.h puts the pieces in the body's place.
//   [Su09] 4.2
#pragma once

#include "world/state/state.h"

namespace sunder::world {

struct NewPiece {
    SharedShape shape;  // its centre of mass in the origin; axes as the body's
    Vec3 center;        // in the body's frame
    Quat orientation{};
    Vec3 velocity, angularVelocity;  // world axes
    Real share = 0;                  // of mass and volume
    bool anchored = false;
    Rare<BodyBonds> bonds{};  // of a part of a bonded body that has several pieces
};

// m per unit of the pattern, so that it covers a body with this grid.
Real patternScale(const FractureDef& def, const geometry::Grid& grid);

// x^y for x in (0, 1] and y >= 0, with the same bits everywhere.
Real powerOf(Real x, Real y);

// Resamples the body's pattern for its aligned placement beforehand, so that no step has to.
void prepareAligned(WorldState& world, const BodyFracture& fracture);

// In the order of their first node of the grid; fewer than two where nothing passes through the body. The body can break.
std::vector<NewPiece> makePieces(WorldState& world, const Body& body, const BreakRequest& request, int mostPieces);

}  // namespace sunder::world
