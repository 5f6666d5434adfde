// What is reported about a world: sums in double, and the hash of its state.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

WorldStats measure(const WorldState& world);
std::uint64_t hashState(const WorldState& world);

}  // namespace sunder::world
