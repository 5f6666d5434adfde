// Dust that flies from the faces of cracks in deformable bodies. Drawn only: nothing feels it, and no step depends on it.
//   [Parker09] 5
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Moves the dust by a step, and raises some from what tore in it.
void flyDust(WorldState& world, Real dt);

}  // namespace sunder::world
