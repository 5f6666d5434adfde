// The stage of a step that moves deformable bodies, before rigid bodies are solved.
//   [Parker09] 4, 6, 7
// Deformable bodies, the rigid ones that touch them, and those that touch these, are an island: one system of nodes and rigid
// bodies (deformable/contact/island.h). Its rigid bodies get the velocity that the system found, and no gravity, for the rest
// of the step: the solver of rigid contacts then moves them as the system meant, and decides only what the system did not know.
// A body that tears is looked at when its island has been solved. Where it tears, the island goes back to the start of the
// step, the body is taken apart, and the island is solved again with the pieces: so a striker goes through what it breaks.
//
// A step in which something strikes a body that tears is divided into strike parts, each a stage of deformable bodies and a
// step of all rigid ones (strikeParts in tearing.h). So is a step in which a body would tear: over a whole step contacts are
// far from linear, and what they do to shards tears them at 30 Hz and not at 60. Nothing of the whole step is kept.
#pragma once

#include "world/flesh/tearing.h"

namespace sunder::world {

// Returns 1, or, where the step must be divided, into how many parts; then nothing has moved.
int stepDeformables(WorldState& world, const FleshStep& step);

}  // namespace sunder::world
