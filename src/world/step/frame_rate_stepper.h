// The default stepper: one set of manifolds per step, soft substeps on it.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

void stepFrameRate(WorldState& world, Real dt);

}  // namespace sunder::world
