// A dynamic tree of bounds (one per motion type): insert, remove, move, query. What never moves has geometry/static_tree.h,
// whose nodes lie in the order of the walk and cannot change places.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/task_runner.h"
#include "math/bounds.h"

namespace sunder::collision {

// Leaves are fat: a leaf changes only when its bounds leave the fat ones, and then looks for another place only where it has
// left the one that it shares with its sibling. Results of queries come in an order that
// depends only on the history of calls.
class BoundsTree {
public:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    std::uint32_t insert(const Bounds& fatBounds, std::uint32_t userIndex);  // returns the leaf
    void remove(std::uint32_t leaf);
    void move(std::uint32_t leaf, const Bounds& fatBounds);
    struct Move {
        std::uint32_t leaf = kNone;
        Bounds fatBounds;
        bool stays = false;  // found by move
    };
    // Moves many leaves, each named once, on all threads: those that leave their neighbours are placed anew, the others keep
    // their places, and one walk over the tree fits all nodes above them. The tree decays by that until it is rebuilt
    // (areaRatio tells), which is cheaper than many new places. The same tree for any number of threads.
    void move(TaskRunner& tasks, std::span<Move> moves);
    const Bounds& fatBounds(std::uint32_t leaf) const { return nodes_[leaf].bounds; }
    std::uint32_t userIndex(std::uint32_t leaf) const { return nodes_[leaf].userIndex; }
    int leafCount() const { return leafCount_; }
    // Rebuilds the tree from scratch by binned surface area; the leaves keep their indices. The same tree for any number of
    // threads.
    void rebuild(TaskRunner& tasks);
    // Sum of the inner nodes' surface areas over the root's: a measure of a query's cost. Visits every inner node.
    Real areaRatio() const;
    // Inner nodes on the longest path from the root; 0 for an empty tree or a single leaf. Visits every node.
    int depth() const;
    // False where links, bounds or counts contradict each other; for tests, and for trees that were read from outside.
    bool isConsistent() const;
    // Whether that is a leaf of this tree with that user index.
    bool holds(std::uint32_t leaf, std::uint32_t userIndex) const {
        return leaf < nodes_.size() && isLeaf(leaf) && nodes_[leaf].userIndex == userIndex &&
               (leaf == root_ || nodes_[leaf].parent != kNone);
    }
    // Visits the whole state, for snapshots.
    template <class Self, class Archive>
    static void visitState(Self& self, Archive& archive) {
        auto& [nodes, root, free, leafCount] = self;
        archive(nodes, root, free, leafCount);
    }

    // Calls visit(userIndex) for every leaf whose fat bounds overlap the box. No allocation; thread-safe; any depth.
    template <class Visitor>
    void query(const Bounds& box, Visitor&& visit) const;

    // Calls visit(userIndex) for every leaf whose key is at most the limit, the nearer of two children first. key(bounds) is a
    // lower bound over what lies inside, infinity for what does not count; visit returns the limit that holds from then on.
    // No allocation; thread-safe; any depth.
    template <class Key, class Visitor>
    void nearest(double limit, Key&& key, Visitor&& visit) const;

private:
    // Subtrees that may wait at once in a query. A deeper tree is still searched in full, only without the stack.
    static constexpr int kStackSize = 64;

    struct Node {
        Bounds bounds;
        std::uint32_t parent = kNone;
        std::uint32_t child0 = kNone, child1 = kNone;  // both kNone for leaves
        std::uint32_t userIndex = 0;                   // leaves; next free node where unused

        template <class Self, class Archive>
        static void visitState(Self& self, Archive& archive) {
            auto& [bounds, parent, child0, child1, userIndex] = self;
            archive(bounds, parent, child0, child1, userIndex);
        }
    };

    bool isLeaf(std::uint32_t node) const { return nodes_[node].child0 == kNone; }
    // The node that follows in depth-first order when everything below `node` is done; kNone at the end of the subtree.
    std::uint32_t nextSubtree(std::uint32_t node, std::uint32_t subtree) const;
    std::uint32_t allocate();
    void release(std::uint32_t node);
    void link(std::uint32_t leaf);
    void unlink(std::uint32_t leaf);
    std::uint32_t findSibling(const Bounds& bounds) const;
    void replaceChild(std::uint32_t parent, std::uint32_t old, std::uint32_t replacement);
    bool staysBesideSibling(std::uint32_t leaf, const Bounds& bounds) const;
    bool staysNear(std::uint32_t leaf, const Bounds& bounds) const;
    void fitAbove(std::uint32_t node);
    void fitBelow(std::uint32_t subtree);
    void fitAll(TaskRunner& tasks);
    void refitUp(std::uint32_t node);
    void rotate(std::uint32_t node);
    std::vector<std::uint32_t> takeLeaves();
    struct Rebuild;
    struct LeafRange;
    bool place(Rebuild& build, const LeafRange& range, std::array<LeafRange, 2>& below);
    void buildBelow(Rebuild& build, const LeafRange& top);
    void fitInner(std::span<const std::uint32_t> inner);
    template <class Visitor>
    void walk(std::uint32_t subtree, const Bounds& box, Visitor&& visit) const;

    std::vector<Node> nodes_;
    std::uint32_t root_ = kNone;
    std::uint32_t free_ = kNone;
    int leafCount_ = 0;
};

template <class Visitor>
void BoundsTree::query(const Bounds& box, Visitor&& visit) const {
    if (root_ == kNone)
        return;
    std::array<std::uint32_t, kStackSize> stack;
    int count = 0;
    stack[count++] = root_;
    while (count > 0) {
        const std::uint32_t index = stack[--count];
        const Node& node = nodes_[index];
        if (!overlaps(node.bounds, box))
            continue;
        if (node.child0 == kNone) {
            visit(node.userIndex);
        } else if (count + 2 <= kStackSize) {
            stack[count++] = node.child1;
            stack[count++] = node.child0;
        } else {
            walk(index, box, visit);
        }
    }
}

template <class Visitor>
void BoundsTree::walk(std::uint32_t subtree, const Bounds& box, Visitor&& visit) const {
    for (std::uint32_t index = subtree; index != kNone;) {
        const Node& node = nodes_[index];
        const bool hit = overlaps(node.bounds, box);
        if (hit && node.child0 != kNone) {
            index = node.child0;
            continue;
        }
        if (hit)
            visit(node.userIndex);
        index = nextSubtree(index, subtree);
    }
}

template <class Key, class Visitor>
void BoundsTree::nearest(double limit, Key&& key, Visitor&& visit) const {
    struct Waiting {
        std::uint32_t node;
        double key;
    };
    if (root_ == kNone)
        return;
    std::array<Waiting, kStackSize> stack;
    int count = 0;
    stack[count++] = {root_, key(nodes_[root_].bounds)};
    while (count > 0) {
        const Waiting next = stack[--count];
        const Node& node = nodes_[next.node];
        if (!(next.key <= limit))
            continue;
        if (node.child0 == kNone) {
            limit = visit(node.userIndex);
        } else if (count + 2 <= kStackSize) {
            const Waiting first{node.child0, key(nodes_[node.child0].bounds)};
            const Waiting second{node.child1, key(nodes_[node.child1].bounds)};
            const bool swapped = second.key < first.key;
            stack[count++] = swapped ? first : second;
            stack[count++] = swapped ? second : first;
        } else {
            for (std::uint32_t index = next.node; index != kNone;) {
                const bool wanted = key(nodes_[index].bounds) <= limit;
                if (wanted && !isLeaf(index)) {
                    index = nodes_[index].child0;
                    continue;
                }
                if (wanted)
                    limit = visit(nodes_[index].userIndex);
                index = nextSubtree(index, next.node);
            }
        }
    }
}

}  // namespace sunder::collision
