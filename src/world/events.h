// Turns what the solver did into begin, persist and end events.
#pragma once

#include "world/state.h"

namespace sunder::world {

// A pair that touched is about to be forgotten: its end is reported by the next step.
void noteEnd(WorldState& world, const ContactPair& pair);
void reportContacts(WorldState& world);
// After a step in several parts, each of which reported: makes one event of those of a pair. One that touched and ended has
// two.
void mergeEvents(WorldState& world);

}  // namespace sunder::world
