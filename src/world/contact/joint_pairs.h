// Pairs of bodies that are joined and do not collide.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Whether the two bodies, as a key of pairs, are joined and do not collide. After refreshJointPairs, which says whether any
// such pair came or went since it was last called.
bool refreshJointPairs(const std::vector<Joint>& joints, JointRoster& jointRoster);
bool isJoinedPair(const JointRoster& jointRoster, std::uint64_t key);

}  // namespace sunder::world
