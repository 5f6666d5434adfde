// Joints that hold deformable bodies. The stage of these solves them, the solver of rigid bodies leaves them out.
#pragma once

#include <algorithm>
#include <vector>

#include "fracture/bonds/load_window.h"
#include "world/record/joint.h"
#include "world/record/joint_flesh.h"

namespace sunder::world {

// What such a joint transmitted while deformable bodies moved: on B about its anchor, world axes.
struct FleshJointLoad {
    std::uint32_t joint = 0;  // slot
    fracture::LoadSample sample;
};

struct FleshJointState {
    std::vector<JointFlesh> held;  // one for each joint that holds a deformable body, by its slot
    // Of the last step or strike part:
    std::vector<FleshJointLoad> loads;  // by joint, each once
    bool areLoadsNews = false;          // they were not looked at yet
};

inline std::vector<JointFlesh>::const_iterator placeOf(const FleshJointState& joints, std::uint32_t slot) {
    return std::lower_bound(joints.held.begin(), joints.held.end(), slot,
                            [](const JointFlesh& flesh, std::uint32_t wanted) { return flesh.joint < wanted; });
}
// Null for a joint of rigid bodies.
inline const JointFlesh* fleshOf(const FleshJointState& joints, std::uint32_t slot) {
    const auto at = placeOf(joints, slot);
    return at != joints.held.end() && at->joint == slot ? &*at : nullptr;
}

// Whether a joint that holds a deformable body keeps these two (slots) from touching.
inline bool areJoinedByFlesh(const std::vector<Joint>& joints, const FleshJointState& flesh, std::uint32_t a, std::uint32_t b) {
    return std::any_of(flesh.held.begin(), flesh.held.end(), [&](const JointFlesh& held) {
        const JointDef& def = joints[held.joint].def;
        return !def.collideConnected && !def.a.isNull() && !def.b.isNull() &&
               ((def.a.index == a && def.b.index == b) || (def.a.index == b && def.b.index == a));
    });
}

}  // namespace sunder::world
