// The statistics that World::stats reports; sums are in double.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

WorldStats measure(const WorldState& world);

}  // namespace sunder::world
