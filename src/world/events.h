// Turns what the solver did into begin, persist and end events.
#pragma once

#include "world/state.h"

namespace sunder::world {

void reportContacts(WorldState& world);

}  // namespace sunder::world
