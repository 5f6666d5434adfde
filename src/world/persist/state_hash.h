// The hash of a world's state: an archive over state_visit.h, so that it covers what a snapshot holds and cannot forget a
// field. Fields that no step depends on (archive.aside: names, user data, events, statistics) are left out.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

std::uint64_t hashState(const WorldState& world);

}  // namespace sunder::world
