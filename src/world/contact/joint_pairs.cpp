#include "world/contact/joint_pairs.h"

#include <algorithm>

namespace sunder::world {

bool refreshJointPairs(WorldState& world) {
    if (world.jointRoster.uncollidingKnown)
        return false;
    world.jointRoster.uncolliding.clear();
    for (const Joint& joint : world.joints)
        if (joint.alive && !joint.def.collideConnected && !joint.def.a.isNull() && !joint.def.b.isNull())
            world.jointRoster.uncolliding.push_back(collision::pairKey(joint.def.a.index, joint.def.b.index));
    std::sort(world.jointRoster.uncolliding.begin(), world.jointRoster.uncolliding.end());
    world.jointRoster.uncollidingKnown = true;
    return true;
}

bool isJoinedPair(const WorldState& world, std::uint64_t key) {
    return std::binary_search(world.jointRoster.uncolliding.begin(), world.jointRoster.uncolliding.end(), key);
}

}  // namespace sunder::world
