// The hash of a world's state: an archive over state_visit.h, so that it covers what a snapshot holds and cannot forget a
// field. What is kept with the state but steers nothing (archive.aside: names, user data, events, statistics) does not count.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

std::uint64_t hashState(const WorldState& world);

}  // namespace sunder::world
