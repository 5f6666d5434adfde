// Turns what the solver did into begin, persist and end events.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

void reportContacts(WorldState& world);
// After a step in several parts, each of which reported: makes one event of those of a pair. One that touched and ended has
// two.
void mergeEvents(WorldState& world);

}  // namespace sunder::world
