// Pairs of bodies that are joined and do not collide.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// refreshJointPairs updates the list of pairs that are joined and do not collide, and returns whether it changed since the last
// call. isJoinedPair then tells whether a pair (collision::pairKey of two slots) is among them.
bool refreshJointPairs(const std::vector<Joint>& joints, JointRoster& jointRoster);
bool isJoinedPair(const JointRoster& jointRoster, std::uint64_t key);

}  // namespace sunder::world
