// What acts on the pieces of bonded bodies, and what their bonds bear.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Of one piece in the solve at hand.
fracture::LoadSample sampleOf(const BondedPieces& pieces, std::uint32_t piece, Real dt);

// What contacts, joints and calls did to the pieces in the solve at hand, which took dt; h is its substep.
void gatherActing(WorldState& world, Real dt, Real h);
// Fills in pieces.readings; false where they and the motion are as they were when the bonds were found to hold.
bool readLoads(const WorldState& world, Body& body, Real dt);
// Fills in what every bond bears under the readings: in the mean, and recently.
void solveLoads(const WorldState& world, Body& body);

// What every bond bears under the loads that are kept, for those who look on.
std::vector<BondLoad> bondLoadsOf(const WorldState& world, const Body& body);

}  // namespace sunder::world
