// The state of a joint that World::jointState reports.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

JointState stateOf(const PagedVector<Body>& bodies, const Joint& joint, const JointFlesh* flesh = nullptr);

}  // namespace sunder::world
