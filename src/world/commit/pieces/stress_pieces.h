// The fracture method Stressed: loads stress the body, it cracks, and the parts that cracks have separated become pieces.
//   [Bao07] IV to VII
#pragma once

#include "elastic/crack/crack_state.h"
#include "elastic/stress/stress_field.h"
#include "world/state/state.h"

namespace sunder::world {

// What else became of the body is left in BreakingState::stressOutcome.
std::vector<CutPiece> breakBy(const Stressed& method, WorldState& world, const Body& body, const BreakRequest& request,
                              int mostPieces);

// Makes the mesh of a body that cracks by stress, and what solves for its stress, so that the first blow need not. After its
// mass is known.
void prepareStress(WorldState& world, const Body& body);

// The method for a piece with this share of its body's volume: its tetrahedra are of the size that the body's have.
Stressed ofShare(const Stressed& method, Real share);

// tensions: per tetrahedron.
StressMap stressMapOf(BodyId id, const Body& body, const elastic::UncutMesh& solid,
                      std::span<const elastic::PrincipalStress> tensions);
// Where the outcome says that it was largest.
void noteWorst(const StressOutcome& outcome, StressMap& map);

}  // namespace sunder::world
