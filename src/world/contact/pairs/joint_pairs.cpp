#include "world/contact/pairs/joint_pairs.h"

#include <algorithm>

namespace sunder::world {

bool refreshJointPairs(const std::vector<Joint>& joints, JointRoster& jointRoster) {
    if (jointRoster.uncollidingKnown)
        return false;
    jointRoster.uncolliding.clear();
    for (const Joint& joint : joints)
        if (joint.alive && !joint.def.collideConnected && !joint.def.a.isNull() && !joint.def.b.isNull())
            jointRoster.uncolliding.push_back(collision::pairKey(joint.def.a.index, joint.def.b.index));
    std::sort(jointRoster.uncolliding.begin(), jointRoster.uncolliding.end());
    jointRoster.uncollidingKnown = true;
    return true;
}

bool isJoinedPair(const JointRoster& jointRoster, std::uint64_t key) {
    return std::binary_search(jointRoster.uncolliding.begin(), jointRoster.uncolliding.end(), key);
}

}  // namespace sunder::world
