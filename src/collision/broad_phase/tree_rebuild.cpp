// Rebuilding the dynamic tree from scratch: by binned surface area, the topmost nodes on one thread, what is below them on all.
#include <algorithm>

#include "collision/broad_phase/tree.h"
#include "geometry/surface_area_split.h"

namespace sunder::collision {

namespace {

// Ranges of leaves are divided until there are so many, or none has more leaves than kLeavesPerSubtree; threads then build each
// on their own.
constexpr std::size_t kMostRanges = 128, kLeavesPerSubtree = 256;

}  // namespace

// Empties the tree of its inner nodes and returns the leaves in depth-first order.
std::vector<std::uint32_t> BoundsTree::takeLeaves() {
    std::vector<std::uint32_t> leaves, inner;
    leaves.reserve(leafCount_);
    inner.reserve(leafCount_);
    for (std::uint32_t index = root_; index != kNone;) {
        const bool leaf = isLeaf(index);
        (leaf ? leaves : inner).push_back(index);
        index = leaf ? nextSubtree(index, root_) : nodes_[index].child0;
    }
    for (std::size_t i = inner.size(); i-- > 0;)
        release(inner[i]);
    return leaves;
}

// What a rebuild works on.
struct BoundsTree::Rebuild {
    std::vector<std::uint32_t> leaves, inner, items;  // items: indices of leaves and bounds
    std::vector<Bounds> bounds;
};
// Items that become a subtree. The n - 1 inner nodes of n items stand together in Rebuild::inner, parents before children, so
// that where a node comes does not depend on who makes it.
struct BoundsTree::LeafRange {
    std::size_t begin, end, firstInner;
    std::uint32_t parent;
};

// Makes the topmost node of the range. Returns whether it has two ranges below it, which it then writes.
bool BoundsTree::place(Rebuild& build, const LeafRange& range, std::array<LeafRange, 2>& below) {
    const std::size_t count = range.end - range.begin;
    const std::uint32_t node = count == 1 ? build.leaves[build.items[range.begin]] : build.inner[range.firstInner];
    nodes_[node].parent = range.parent;
    if (count == 1)
        return false;
    const std::span<std::uint32_t> part(build.items.data() + range.begin, count);
    const std::size_t left = geometry::splitBySurfaceArea(part, build.bounds), cut = range.begin + left;
    below[0] = {range.begin, cut, range.firstInner + 1, node};
    below[1] = {cut, range.end, range.firstInner + left, node};
    const auto top = [&](const LeafRange& child) {
        return child.end - child.begin == 1 ? build.leaves[build.items[child.begin]] : build.inner[child.firstInner];
    };
    nodes_[node].child0 = top(below[0]);
    nodes_[node].child1 = top(below[1]);
    return true;
}

void BoundsTree::buildBelow(Rebuild& build, const LeafRange& top) {
    std::vector<LeafRange> open{top};
    std::array<LeafRange, 2> below;
    while (!open.empty()) {
        const LeafRange range = open.back();
        open.pop_back();
        if (place(build, range, below))
            open.insert(open.end(), below.begin(), below.end());
    }
    fitInner(std::span(build.inner).subspan(top.firstInner, top.end - top.begin - 1));
}

// Fits nodes of which parents stand before children.
void BoundsTree::fitInner(std::span<const std::uint32_t> inner) {
    for (std::size_t i = inner.size(); i-- > 0;) {
        Node& node = nodes_[inner[i]];
        node.bounds = unite(nodes_[node.child0].bounds, nodes_[node.child1].bounds);
    }
}

void BoundsTree::rebuild(TaskRunner& tasks) {
    if (leafCount_ < 3)
        return;
    Rebuild build;
    build.leaves = takeLeaves();
    const std::size_t count = build.leaves.size();
    build.inner.resize(count - 1);
    for (std::uint32_t& node : build.inner)
        node = allocate();
    build.bounds.resize(count);
    build.items.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        build.bounds[i] = nodes_[build.leaves[i]].bounds;
        build.items[i] = std::uint32_t(i);
    }
    root_ = build.inner.front();
    // The topmost nodes one after the other, what is below them on all threads.
    std::vector<LeafRange> ranges{{0, count, 0, kNone}};
    std::vector<std::uint32_t> opened;
    std::array<LeafRange, 2> below;
    for (std::size_t i = 0; i < ranges.size() && ranges.size() < kMostRanges; ++i)
        if (const LeafRange range = ranges[i]; range.end - range.begin > kLeavesPerSubtree && place(build, range, below)) {
            opened.push_back(build.inner[range.firstInner]);
            ranges[i].end = range.begin;
            ranges.insert(ranges.end(), below.begin(), below.end());
        }
    std::erase_if(ranges, [](const LeafRange& range) { return range.begin == range.end; });
    runTasks(tasks, static_cast<int>(ranges.size()), [&](int i) { buildBelow(build, ranges[std::size_t(i)]); });
    fitInner(opened);
}

}  // namespace sunder::collision
