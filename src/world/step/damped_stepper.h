// The stepper of [Egan03] 5.2: collisions, contact, then damping until what chatters rests.
#pragma once

#include "world/step/step_outcome.h"

namespace sunder::world {

StepOutcome stepDamped(WorldState& world, Real dt);

}  // namespace sunder::world
