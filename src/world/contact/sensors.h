// Which sensors bodies came into on their way through a step.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Between a solve of dt and the scattering of its results. The search has marked the pairs of sensors that may touch
// (ContactPair::sensorTouches); the mark stays where the two touch at any moment of the step, along the ways that they really
// went, however thin and fast they are. A body that was turned aside is looked for where it went then, too.
void senseWays(WorldState& world, Real dt);

}  // namespace sunder::world
