// Explosions, and the end of debris.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Requests breaks of the bodies for which the impulse of an explosion exceeds the threshold.
void requestBlasts(WorldState& world);
// Applies the impulses of all explosions, also to the pieces that they made, and removes the explosions.
void pushByBlasts(WorldState& world);

// Freezes or removes the debris that is due.
void endDebris(WorldState& world);
// Removes the oldest debris, as much as there is more than WorldDef::mostDebris.
void removeOldestDebris(WorldState& world);
// How large debris is drawn, 0 to 1.
Real drawnScale(const WorldState& world, std::uint32_t slot);

}  // namespace sunder::world
