// The stress of deformable bodies, as maps to be drawn.
#pragma once

#include "sunder/stress_map.h"
#include "world/state/state.h"

namespace sunder::world {

// Of those that are awake and whose material has a strength, as they are now.
void drawFleshStress(const WorldState& world, StressDraw& draw);

}  // namespace sunder::world
