// Explosions, and what becomes of debris.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Bodies whose share of an explosion is beyond their threshold are to break.
void requestBlasts(WorldState& world);
// Hands out the impulses of all explosions, to pieces too, and ends them.
void pushByBlasts(WorldState& world);

// Freezes or removes the pieces whose time has come.
void endDebris(WorldState& world);
// How large debris is drawn, 0 to 1.
Real drawnScale(const WorldState& world, std::uint32_t slot);

}  // namespace sunder::world
