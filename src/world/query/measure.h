// What is reported about a world: sums in double.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

WorldStats measure(const WorldState& world);

}  // namespace sunder::world
