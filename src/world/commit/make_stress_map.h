// What a picture of a body's stress needs.
#pragma once

#include <span>

#include "elastic/crack/crack_state.h"
#include "elastic/stress/stress_field.h"
#include "world/state/state.h"

namespace sunder::world {

// tensions: per tetrahedron.
StressMap stressMapOf(BodyId id, const Body& body, const elastic::UncutMesh& solid,
                      std::span<const elastic::PrincipalStress> tensions);
// Where the outcome says that it was largest.
void noteWorst(const StressOutcome& outcome, StressMap& map);

}  // namespace sunder::world
