// The stage of a step that moves deformable bodies, before rigid bodies are solved.
//   [Parker09] 4, 6, 7
// Deformable bodies, the rigid ones that touch them, and those that touch these, are an island: one system of nodes and rigid
// bodies (deformable/contact/island.h). Its rigid bodies get the velocity that the system found, and no gravity, for the rest
// of the step: the solver of rigid contacts then moves them as the system meant, and decides only what the system did not know.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

void stepDeformables(WorldState& world, Real dt);

}  // namespace sunder::world
