// Chooses the groups of joints that are solved many side by side (joint_bundle.h), and their order: trees that nothing fixed
// holds, and in which no body is light compared with what hangs on both of its sides, such as ragdolls. Long chains, chains
// with weights and groups that hang on something fixed are not chosen; direct_group.h solves those in double.
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
// areAlike: whether two groups can be solved side by side. comesBefore: an order that brings such groups together.
bool areAlike(const JointTree& a, const JointTree& b);
bool comesBefore(const JointTree& a, const JointTree& b);
// The group as a tree; nothing where it is to be solved by itself.
std::optional<JointTree> treeOf(std::span<const JointLink> links, std::span<const std::uint32_t> group);

}  // namespace sunder::dynamics
