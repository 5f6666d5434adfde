// The loads on the pieces of bonded bodies, and from them the loads of their bonds.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// The load of one piece in the current solve.
fracture::LoadSample sampleOf(const BondedPieces& pieces, std::uint32_t piece, Real dt);

// Sums up the impulses of contacts, joints and calls on each piece in the current solve of length dt with substeps of h.
void gatherActing(WorldState& world, Real dt, Real h);
// Fills pieces.readings. False where they, and the motion, are nearly those for which all bonds were last found to hold.
bool readLoads(const WorldState& world, Body& body, Real dt);
// Solves for the load of every bond under the readings: the mean one, and the recent one.
void solveLoads(Body& body);

// The load of every bond under the mean loads of earlier steps; for queries only.
std::vector<BondLoad> bondLoadsOf(const WorldState& world, const Body& body);

}  // namespace sunder::world
