// Calls a DebugDraw with shapes, bounds, contacts and joints as the engine has them.
#pragma once

#include "sunder/debug_draw.h"
#include "world/state/state.h"

namespace sunder::world {

void drawWorld(const WorldState& world, DebugDraw& draw);

}  // namespace sunder::world
