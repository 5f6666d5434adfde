// Where the cracks that a body keeps come to its surface.
#pragma once

#include "sunder/crack_lines.h"
#include "world/state/state.h"

namespace sunder::world {

// Calls draw.cracks for every body with cracks that have parted nothing.
void drawCracks(const WorldState& world, CrackDraw& draw);

}  // namespace sunder::world
