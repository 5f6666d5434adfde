#include "world/contact/joint_pairs.h"

#include <algorithm>

namespace sunder::world {

bool refreshJointPairs(WorldState& world) {
    if (world.jointPairsKnown)
        return false;
    world.jointPairs.clear();
    for (const Joint& joint : world.joints)
        if (joint.alive && !joint.def.collideConnected && !joint.def.a.isNull() && !joint.def.b.isNull())
            world.jointPairs.push_back(collision::pairKey(joint.def.a.index, joint.def.b.index));
    std::sort(world.jointPairs.begin(), world.jointPairs.end());
    world.jointPairsKnown = true;
    return true;
}

bool isJoinedPair(const WorldState& world, std::uint64_t key) {
    return std::binary_search(world.jointPairs.begin(), world.jointPairs.end(), key);
}

}  // namespace sunder::world
