// Turns what the solver did into begin, persist and end events.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// dt (s): of the solve; 0 where the stepper does not keep the ways of bodies, from which the meeting point follows. persists:
// whether contacts that go on are reported.
void reportContacts(WorldState& world, Real dt, bool persists);
// After a step in several parts, each of which reported: merges the events of a pair into one, or two where it touched and
// ended. persists: as above.
void mergeEvents(std::vector<ContactEvent>& events, bool persists);

}  // namespace sunder::world
