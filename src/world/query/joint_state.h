// What a joint does at the moment, for those who ask.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

JointState stateOf(const WorldState& world, const Joint& joint);

}  // namespace sunder::world
