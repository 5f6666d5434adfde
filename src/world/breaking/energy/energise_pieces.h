// Energised fracture of bodies that a pattern breaks: the pieces get what the blow had stored in the body.
//   [Li18] 5: pieces that were not scored before, and an estimate of what the fracture itself takes
// The blow stores lambda^2 K / 2, K the inverse mass of the two bodies at the point along its normal. lambda is the impulse at
// which the body breaks, its threshold, or what would bring the two to a common speed where that is less. The cracks take the
// material's toughness times their area, that of cubes of the pieces' volumes. Of the rest the pieces get alpha as motion away
// from the point. Striker and struck pay for it with an impulse j <= lambda between them, j v - j^2 K / 2 = alpha E with their
// closing speed v; up to alpha = 1 that is always possible, so that the energy of all does not rise.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// What must be known of a body that breaks, before its pieces take its place.
struct BrokenBody {
    Real alpha = 0;  // 0: its pieces get nothing
    Real threshold = 0, toughness = 0, face = 0, radius = 0;
    bool isDynamic = false;
    WorldPoint point, center;
    Vec3 outward;  // of the struck face, world axes
    Vec3 velocity, angularVelocity;
    Real inverseMass = 0;
    Sym3 inverseInertia;
};
BrokenBody brokenBody(const Body& body, const BreakRequest& request);

// slots: of the pieces, with the motion that they have as parts of the body. Does nothing where alpha is 0 or the striker gone.
void energisePieces(WorldState& world, const BrokenBody& broken, std::uint32_t striker,
                    const std::vector<std::uint32_t>& slots);

}  // namespace sunder::world
