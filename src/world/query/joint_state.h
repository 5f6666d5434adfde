// What a joint does at the moment, for those who ask.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

JointState stateOf(const PagedVector<Body>& bodies, const Joint& joint);

}  // namespace sunder::world
