// Which sensors bodies passed through in a step.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Called between a solve of dt (s) and the scattering of its results. The search has marked the pairs of sensors that may touch
// (ContactPair::sensorTouches); the mark stays where the two touch at any moment of the step along the ways that they really
// went, however thin and fast they are. For a body that was turned aside, sensors on its new way are found too.
void senseWays(WorldState& world, Real dt);

}  // namespace sunder::world
