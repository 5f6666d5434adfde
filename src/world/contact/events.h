// Turns what the solver did into begin, persist and end events.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// dt (s): of the solve; 0 where it says nothing about the ways of bodies. persists: whether contacts that go on are reported.
void reportContacts(WorldState& world, Real dt, bool persists);
// After a step in several parts, each of which reported: makes one event of those of a pair. One that touched and ended has
// two. persists: as above.
void mergeEvents(std::vector<ContactEvent>& events, bool persists);

}  // namespace sunder::world
