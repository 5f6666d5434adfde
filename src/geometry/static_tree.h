// A bounding-volume tree over boxes that stay where they are, built once by the surface-area heuristic: for the triangles of a
// mesh and for rays through a picture. Three trees are others: bodies come, go and move (collision/broad_phase/tree.h), exact
// cuts are made on integers (cutting/box_tree.h), winding numbers need sums over what lies below (level_set/winding_number.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/bounds.h"

namespace sunder::geometry {

class StaticTree {
public:
    // In the order of a walk that goes left first: the left child follows its parent.
    struct Node {
        Bounds bounds;
        std::uint32_t first = 0;  // leaf: first item in order(); inner: the right child
        std::uint32_t count = 0;  // 0 for inner nodes
    };
    // From this depth on sets are halved, whatever it costs, so that no depth exceeds it plus log2 of the count; a walk that
    // keeps one node per level waiting, and one more, needs no larger stack.
    static constexpr int kDepthOfHalving = 40;
    static constexpr int kStackSize = kDepthOfHalving + 34;

    StaticTree() = default;
    StaticTree(std::span<const Bounds> items, std::uint32_t mostPerLeaf);

    Bounds bounds() const { return nodes_.empty() ? Bounds{} : nodes_[0].bounds; }
    std::span<const Node> nodes() const { return nodes_; }
    std::span<const std::uint32_t> order() const { return order_; }

    // Calls visit(item) for the items in every leaf that overlaps the box.
    template <class Visitor>
    void overlapping(const Bounds& box, Visitor&& visit) const {
        where([&](const Bounds& bounds) { return overlaps(bounds, box); }, visit);
    }
    // Calls visit(item) for the items in every leaf whose bounds, and those of all nodes above it, pass the test.
    template <class Test, class Visitor>
    void where(Test&& test, Visitor&& visit) const;

    // Calls visit(item) for the items in every leaf whose key is at most the limit, the nearer of two nodes first.
    // key(bounds) is a lower bound over what lies inside, infinity for what does not count; visit returns the limit that holds
    // from then on. No allocation; thread-safe.
    template <class Key, class Visitor>
    void nearest(double limit, Key&& key, Visitor&& visit) const;

private:
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> order_;
};

template <class Test, class Visitor>
void StaticTree::where(Test&& test, Visitor&& visit) const {
    if (nodes_.empty())
        return;
    std::array<std::uint32_t, kStackSize> stack;
    int waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
        const std::uint32_t index = stack[--waiting];
        const Node& node = nodes_[index];
        if (!test(node.bounds))
            continue;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
            visit(order_[i]);
        if (node.count > 0)
            continue;
        stack[waiting++] = node.first;
        stack[waiting++] = index + 1;
    }
}

template <class Key, class Visitor>
void StaticTree::nearest(double limit, Key&& key, Visitor&& visit) const {
    struct Waiting {
        std::uint32_t node;
        double key;
    };
    if (nodes_.empty())
        return;
    std::array<Waiting, kStackSize> stack;
    int waiting = 0;
    stack[waiting++] = {0, key(nodes_[0].bounds)};
    while (waiting > 0) {
        const Waiting next = stack[--waiting];
        const Node& node = nodes_[next.node];
        if (!(next.key <= limit))
            continue;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
            limit = visit(order_[i]);
        if (node.count > 0)
            continue;
        const Waiting left{next.node + 1, key(nodes_[next.node + 1].bounds)}, right{node.first, key(nodes_[node.first].bounds)};
        const bool swapped = right.key < left.key;
        stack[waiting++] = swapped ? left : right;
        stack[waiting++] = swapped ? right : left;
    }
}

}  // namespace sunder::geometry
