#include "geometry/static_tree.h"

#include <numeric>

#include "geometry/surface_area_split.h"

namespace sunder::geometry {

StaticTree::StaticTree(std::span<const Bounds> items, std::uint32_t mostPerLeaf) : order_(items.size()) {
    if (items.empty())
        return;
    std::iota(order_.begin(), order_.end(), 0u);
    struct Range {
        std::uint32_t begin, end, parent;  // parent: the node whose right child this is, or kNoParent
        int depth;
    };
    constexpr std::uint32_t kNoParent = 0xffffffffu;
    std::vector<Range> open{{0, std::uint32_t(order_.size()), kNoParent, 0}};
    while (!open.empty()) {
        const Range range = open.back();
        open.pop_back();
        const std::uint32_t index = std::uint32_t(nodes_.size());
        if (range.parent != kNoParent)
            nodes_[range.parent].first = index;
        Node& node = nodes_.emplace_back();
        for (std::uint32_t i = range.begin; i < range.end; ++i)
            node.bounds = unite(node.bounds, items[order_[i]]);
        const std::uint32_t count = range.end - range.begin;
        if (count <= mostPerLeaf) {
            node.first = range.begin;
            node.count = count;
            continue;
        }
        const std::span<std::uint32_t> part(order_.data() + range.begin, count);
        const std::uint32_t left = range.depth < kDepthOfHalving ? std::uint32_t(splitBySurfaceArea(part, items)) : count / 2;
        // The left part is taken next, so that it follows its parent.
        open.push_back({range.begin + left, range.end, index, range.depth + 1});
        open.push_back({range.begin, range.begin + left, kNoParent, range.depth + 1});
    }
}

}  // namespace sunder::geometry
