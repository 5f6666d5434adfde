// The stepper of WorldDef::stepper = Timewarp and TimewarpSafer.
#pragma once

#include "world/step/step_outcome.h"

namespace sunder::world {

StepOutcome stepTimewarp(WorldState& world, Real dt);

}  // namespace sunder::world
