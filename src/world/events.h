// Turns what the solver did into begin, persist and end events.
#pragma once

#include "world/state.h"

namespace sunder::world {

// A pair that touched is about to be forgotten: its end is reported by the next step.
void noteEnd(WorldState& world, const ContactPair& pair);
void reportContacts(WorldState& world);

}  // namespace sunder::world
