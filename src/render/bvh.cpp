// Builds the tree top down.
#include "render/bvh.h"

#include "geometry/surface_area_split.h"

namespace sunder::render {

namespace {
// Below this depth items are halved by count, whatever the cost: 2^32 items need 32 more levels.
constexpr int kHeuristicDepth = 60;
}  // namespace

Bvh::Bvh(std::span<const Bounds> items, int leafSize) {
    order_.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        order_[i] = static_cast<std::uint32_t>(i);
    nodes_.reserve(2 * items.size());
    if (!items.empty())
        build(items, 0, static_cast<std::uint32_t>(items.size()), leafSize, 0);
}

void Bvh::build(std::span<const Bounds> items, std::uint32_t begin, std::uint32_t end, int leafSize, int depth) {
    const std::size_t self = nodes_.size();
    const std::uint32_t count = end - begin;
    nodes_.emplace_back();
    Bounds bounds;
    for (std::uint32_t i = begin; i < end; ++i)
        bounds = unite(bounds, items[order_[i]]);
    nodes_[self].bounds = bounds;
    if (count <= static_cast<std::uint32_t>(leafSize)) {
        nodes_[self].first = begin;
        nodes_[self].count = count;
        return;
    }
    const std::span<std::uint32_t> part(order_.data() + begin, count);
    const auto left =
        depth < kHeuristicDepth ? static_cast<std::uint32_t>(geometry::splitBySurfaceArea(part, items)) : count / 2;
    build(items, begin, begin + left, leafSize, depth + 1);
    nodes_[self].first = static_cast<std::uint32_t>(nodes_.size());
    build(items, begin + left, end, leafSize, depth + 1);
}

}  // namespace sunder::render
