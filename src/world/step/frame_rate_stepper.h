// The default stepper: one set of manifolds per step, soft substeps on it.
#pragma once

#include "world/step/step_outcome.h"

namespace sunder::world {

StepOutcome stepFrameRate(WorldState& world, Real dt);

}  // namespace sunder::world
