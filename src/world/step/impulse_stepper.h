// The papers' reference stepper: GBF03's collision and contact phases in SSF08's order with Su09's fixes.
#pragma once

#include "world/step/step_outcome.h"

namespace sunder::world {

StepOutcome stepImpulse(WorldState& world, Real dt);

}  // namespace sunder::world
