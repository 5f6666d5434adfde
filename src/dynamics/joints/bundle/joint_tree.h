// Which groups of joints are solved many side by side (joint_bundle.h), and in which order: trees that nothing holds, in which
// no body is light against what hangs on both its sides. Ragdolls and other things that lie about are such groups. Long chains,
// weights on them and all that hangs on something fixed are not; direct_group.h solves those in double.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dynamics/joints/row/joint_link.h"

namespace sunder::dynamics {

// A group as a tree, from its heaviest body outwards.
struct JointTree {
    struct Branch {
        std::uint32_t joint;   // place in `links`
        std::uint32_t parent;  // 0: the root; i + 1: the outer body of branch i, which is before this one
        bool outerIsB;         // of the joint
    };
    std::vector<Branch> branches;
};
// Whether two groups can be solved side by side, and an order that brings such groups together.
bool areAlike(const JointTree& a, const JointTree& b);
bool comesBefore(const JointTree& a, const JointTree& b);
// Nothing where the group is to be solved by itself.
std::optional<JointTree> treeOf(std::span<const JointLink> links, std::span<const std::uint32_t> group);

}  // namespace sunder::dynamics
