// The dynamic tree of bounds: leaves go where they enlarge the tree least (greedy descent by surface area), and every change
// turns the nodes above it where that makes them smaller.
#include "collision/broad_phase/tree.h"

#include <algorithm>
#include <utility>

namespace sunder::collision {

namespace {

// Where fewer than one leaf in this many moves, it is cheaper to climb from each than to walk over the whole tree.
constexpr std::size_t kLeavesPerMove = 4;
// Subtrees that threads fit on their own; the nodes above them are fitted by one.
constexpr std::size_t kSubtrees = 64;
constexpr std::size_t kMovesPerRange = 256;

}  // namespace

std::uint32_t BoundsTree::insert(const Bounds& fatBounds, std::uint32_t userIndex) {
    const std::uint32_t leaf = allocate();
    nodes_[leaf].bounds = fatBounds;
    nodes_[leaf].userIndex = userIndex;
    link(leaf);
    ++leafCount_;
    return leaf;
}

void BoundsTree::remove(std::uint32_t leaf) {
    unlink(leaf);
    release(leaf);
    --leafCount_;
}

void BoundsTree::move(std::uint32_t leaf, const Bounds& fatBounds) {
    if (staysBesideSibling(leaf, fatBounds)) {
        nodes_[leaf].bounds = fatBounds;
        return fitAbove(leaf);
    }
    unlink(leaf);
    nodes_[leaf].bounds = fatBounds;
    link(leaf);
}

void BoundsTree::move(TaskRunner& tasks, std::span<Move> moves) {
    if (moves.size() * kLeavesPerMove < std::size_t(leafCount_)) {
        for (const Move& each : moves)
            move(each.leaf, each.fatBounds);
        return;
    }
    // Judged by the boxes as they are before anything moves, so that the order of the moves does not matter.
    runRanges(tasks, moves.size(), kMovesPerRange, [&](std::size_t begin, std::size_t end) {
        for (Move& each : moves.subspan(begin, end - begin))
            each.stays = staysNear(each.leaf, each.fatBounds);
    });
    runRanges(tasks, moves.size(), kMovesPerRange, [&](std::size_t begin, std::size_t end) {
        for (const Move& each : moves.subspan(begin, end - begin))
            nodes_[each.leaf].bounds = each.fatBounds;
    });
    fitAll(tasks);
    for (const Move& each : moves)
        if (!each.stays) {
            unlink(each.leaf);
            link(each.leaf);
        }
}

Real BoundsTree::areaRatio() const {
    if (root_ == kNone || isLeaf(root_))
        return 0;
    double sum = 0;
    for (std::uint32_t index = root_; index != kNone;) {
        if (isLeaf(index)) {
            index = nextSubtree(index, root_);
        } else {
            sum += surfaceArea(nodes_[index].bounds);
            index = nodes_[index].child0;
        }
    }
    const Real rootArea = surfaceArea(nodes_[root_].bounds);
    return rootArea > 0 ? Real(sum / rootArea) : Real(0);
}

int BoundsTree::depth() const {
    int deepest = 0;
    for (std::uint32_t index = 0; index < nodes_.size(); ++index) {
        int depth = 0;
        for (std::uint32_t up = nodes_[index].parent; up != kNone; up = nodes_[up].parent)
            ++depth;
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

// Trusts no link: every node must be reached exactly once, from the root or along the free list.
bool BoundsTree::isConsistent() const {
    std::vector<std::uint8_t> seen(nodes_.size());
    const auto reach = [&](std::uint32_t index) { return index < nodes_.size() && !std::exchange(seen[index], 1); };
    std::vector<std::uint32_t> open;
    if (root_ != kNone) {
        if (!reach(root_) || nodes_[root_].parent != kNone)
            return false;
        open.push_back(root_);
    }
    int leaves = 0;
    while (!open.empty()) {
        const std::uint32_t index = open.back();
        open.pop_back();
        const Node& node = nodes_[index];
        if (isLeaf(index)) {
            ++leaves;
            if (node.child1 != kNone || !overlaps(node.bounds, node.bounds))  // inside out, or not a number
                return false;
            continue;
        }
        for (const std::uint32_t child : {node.child0, node.child1}) {
            if (!reach(child) || nodes_[child].parent != index)
                return false;
            open.push_back(child);
        }
        const Bounds both = unite(nodes_[node.child0].bounds, nodes_[node.child1].bounds);
        if (both.low != node.bounds.low || both.high != node.bounds.high)
            return false;
    }
    for (std::uint32_t index = free_; index != kNone; index = nodes_[index].userIndex)
        if (!reach(index) || !isLeaf(index) || nodes_[index].parent != kNone)
            return false;
    return leaves == leafCount_ && std::find(seen.begin(), seen.end(), 0) == seen.end();
}

std::uint32_t BoundsTree::nextSubtree(std::uint32_t node, std::uint32_t subtree) const {
    while (node != subtree) {
        const std::uint32_t parent = nodes_[node].parent;
        if (nodes_[parent].child0 == node)
            return nodes_[parent].child1;
        node = parent;
    }
    return kNone;
}

std::uint32_t BoundsTree::allocate() {
    if (free_ == kNone) {
        nodes_.emplace_back();
        return std::uint32_t(nodes_.size() - 1);
    }
    const std::uint32_t node = free_;
    free_ = nodes_[node].userIndex;
    nodes_[node] = Node{};
    return node;
}

void BoundsTree::release(std::uint32_t node) {
    nodes_[node] = Node{};
    nodes_[node].userIndex = free_;
    free_ = node;
}

void BoundsTree::replaceChild(std::uint32_t parent, std::uint32_t old, std::uint32_t replacement) {
    if (parent == kNone)
        root_ = replacement;
    else
        (nodes_[parent].child0 == old ? nodes_[parent].child0 : nodes_[parent].child1) = replacement;
    nodes_[replacement].parent = parent;
}

void BoundsTree::link(std::uint32_t leaf) {
    if (root_ == kNone) {
        root_ = leaf;
        nodes_[leaf].parent = kNone;
        return;
    }
    const std::uint32_t sibling = findSibling(nodes_[leaf].bounds);
    const std::uint32_t joint = allocate();
    replaceChild(nodes_[sibling].parent, sibling, joint);
    nodes_[joint].child0 = sibling;
    nodes_[joint].child1 = leaf;
    nodes_[sibling].parent = joint;
    nodes_[leaf].parent = joint;
    refitUp(joint);
}

void BoundsTree::unlink(std::uint32_t leaf) {
    if (leaf == root_) {
        root_ = kNone;
        return;
    }
    const std::uint32_t joint = nodes_[leaf].parent;
    const std::uint32_t sibling = nodes_[joint].child0 == leaf ? nodes_[joint].child1 : nodes_[joint].child0;
    const std::uint32_t above = nodes_[joint].parent;
    replaceChild(above, joint, sibling);
    release(joint);
    nodes_[leaf].parent = kNone;
    if (above != kNone)
        refitUp(above);
}

// Whether the leaf still fits beside its sibling: their joint box is no larger than the two boxes together, or no larger than
// it was.
bool BoundsTree::staysBesideSibling(std::uint32_t leaf, const Bounds& bounds) const {
    const std::uint32_t joint = nodes_[leaf].parent;
    if (joint == kNone)
        return true;
    const Bounds& sibling = nodes_[nodes_[joint].child0 == leaf ? nodes_[joint].child1 : nodes_[joint].child0].bounds;
    const Real together = surfaceArea(unite(sibling, bounds));
    return together <= max(surfaceArea(sibling) + surfaceArea(bounds), surfaceArea(nodes_[joint].bounds));
}

// Whether the leaf is still among those that share its parent's parent.
bool BoundsTree::staysNear(std::uint32_t leaf, const Bounds& bounds) const {
    const std::uint32_t joint = nodes_[leaf].parent;
    const std::uint32_t above = joint == kNone ? kNone : nodes_[joint].parent;
    return above == kNone || overlaps(nodes_[above].bounds, bounds);
}

// Refits ancestors until one does not change.
void BoundsTree::fitAbove(std::uint32_t node) {
    for (node = nodes_[node].parent; node != kNone; node = nodes_[node].parent) {
        const Bounds both = unite(nodes_[nodes_[node].child0].bounds, nodes_[nodes_[node].child1].bounds);
        if (both.low == nodes_[node].bounds.low && both.high == nodes_[node].bounds.high)
            return;
        nodes_[node].bounds = both;
    }
}

// Fits the inner nodes of a subtree, children before parents.
void BoundsTree::fitBelow(std::uint32_t subtree) {
    const auto firstLeaf = [&](std::uint32_t node) {
        while (!isLeaf(node))
            node = nodes_[node].child0;
        return node;
    };
    for (std::uint32_t node = firstLeaf(subtree); node != subtree;) {
        const std::uint32_t parent = nodes_[node].parent;
        if (nodes_[parent].child0 == node) {
            node = firstLeaf(nodes_[parent].child1);
            continue;
        }
        nodes_[parent].bounds = unite(nodes_[nodes_[parent].child0].bounds, nodes_[node].bounds);
        node = parent;
    }
}

// Fits all inner nodes: subtrees at once, then the nodes above them.
void BoundsTree::fitAll(TaskRunner& tasks) {
    if (root_ == kNone)
        return;
    std::array<std::uint32_t, 2 * kSubtrees> nodes;  // breadth first: parents before children
    std::size_t count = 0, opened = 0;
    nodes[count++] = root_;
    while (opened < count && count + 2 <= nodes.size()) {
        const Node& node = nodes_[nodes[opened]];
        if (node.child0 == kNone)
            break;
        ++opened;
        nodes[count++] = node.child0;
        nodes[count++] = node.child1;
    }
    runTasks(tasks, static_cast<int>(count - opened), [&](int i) { fitBelow(nodes[opened + std::size_t(i)]); });
    while (opened-- > 0) {
        Node& node = nodes_[nodes[opened]];
        node.bounds = unite(nodes_[node.child0].bounds, nodes_[node.child1].bounds);
    }
}

// Greedy descent. The cost of pairing with a node is the area of the new joint plus the growth of all its ancestors. The
// descent goes on below a node only while a lower bound of the cost there is below the best cost seen.
std::uint32_t BoundsTree::findSibling(const Bounds& bounds) const {
    const Real ownArea = surfaceArea(bounds);
    std::uint32_t best = root_;
    std::uint32_t node = root_;
    Real joined = surfaceArea(unite(nodes_[root_].bounds, bounds));
    Real bestCost = joined;
    Real growthAbove = 0;
    while (!isLeaf(node)) {
        growthAbove += joined - surfaceArea(nodes_[node].bounds);
        std::uint32_t next = kNone;
        Real nextBound = bestCost;
        Real nextJoined = 0;
        for (const std::uint32_t child : {nodes_[node].child0, nodes_[node].child1}) {
            const Real childJoined = surfaceArea(unite(nodes_[child].bounds, bounds));
            if (growthAbove + childJoined < bestCost) {
                bestCost = growthAbove + childJoined;
                best = child;
            }
            // Below the child the new joint is at least as large as the leaf, and the child itself has grown.
            const Real bound =
                growthAbove + (isLeaf(child) ? childJoined : childJoined - surfaceArea(nodes_[child].bounds) + ownArea);
            if (bound < nextBound) {
                next = child;
                nextBound = bound;
                nextJoined = childJoined;
            }
        }
        if (next == kNone)
            break;
        node = next;
        joined = nextJoined;
    }
    return best;
}

void BoundsTree::refitUp(std::uint32_t node) {
    for (; node != kNone; node = nodes_[node].parent) {
        const Bounds both = unite(nodes_[nodes_[node].child0].bounds, nodes_[nodes_[node].child1].bounds);
        nodes_[node].bounds = both;
        rotate(node);
    }
}

// Swaps a child with a child of the other child, whichever swap shrinks the latter's parent most.
void BoundsTree::rotate(std::uint32_t node) {
    const std::uint32_t children[2] = {nodes_[node].child0, nodes_[node].child1};
    std::uint32_t upper = kNone;
    std::uint32_t lower = kNone;
    Real bestGain = 0;
    for (int side = 0; side < 2; ++side) {
        const std::uint32_t parent = children[side];
        const std::uint32_t uncle = children[1 - side];
        if (isLeaf(parent))
            continue;
        const std::uint32_t grandchildren[2] = {nodes_[parent].child0, nodes_[parent].child1};
        const Real area = surfaceArea(nodes_[parent].bounds);
        for (int i = 0; i < 2; ++i) {
            const Real gain = area - surfaceArea(unite(nodes_[uncle].bounds, nodes_[grandchildren[1 - i]].bounds));
            if (gain > bestGain) {
                bestGain = gain;
                upper = uncle;
                lower = grandchildren[i];
            }
        }
    }
    if (upper == kNone)
        return;
    const std::uint32_t parent = nodes_[lower].parent;
    replaceChild(parent, lower, upper);
    (nodes_[node].child0 == upper ? nodes_[node].child0 : nodes_[node].child1) = lower;
    nodes_[lower].parent = node;
    nodes_[parent].bounds = unite(nodes_[nodes_[parent].child0].bounds, nodes_[nodes_[parent].child1].bounds);
}

}  // namespace sunder::collision
