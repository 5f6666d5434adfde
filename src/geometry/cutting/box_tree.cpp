#include "geometry/cutting/box_tree.h"

namespace sunder::geometry {
namespace {

constexpr std::uint32_t kLeafSize = 6;

GridBox unite(const GridBox& a, const GridBox& b) {
    GridBox result;
    result.low = {std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)};
    result.high = {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)};
    return result;
}

std::int64_t along(const GridBox& box, int axis) {
    if (axis == 0)
        return std::int64_t(box.low.x) + box.high.x;
    return axis == 1 ? std::int64_t(box.low.y) + box.high.y : std::int64_t(box.low.z) + box.high.z;
}

}  // namespace

BoxTree::BoxTree(std::vector<GridBox> boxes) : boxes_(std::move(boxes)) {
    for (std::uint32_t i = 0; i < boxes_.size(); ++i)
        order_.push_back(i);
    if (!boxes_.empty())
        build(0, std::uint32_t(boxes_.size()));
}

// Splits at the median along the longest side, so that the depth is the logarithm of the count.
void BoxTree::build(std::uint32_t first, std::uint32_t count) {
    const std::size_t index = nodes_.size();
    GridBox box = boxes_[order_[first]];
    for (std::uint32_t i = first + 1; i < first + count; ++i)
        box = unite(box, boxes_[order_[i]]);
    nodes_.push_back({box, first, count, 0});
    if (count <= kLeafSize)
        return;
    const std::int64_t x = std::int64_t(box.high.x) - box.low.x, y = std::int64_t(box.high.y) - box.low.y,
                       z = std::int64_t(box.high.z) - box.low.z;
    const int axis = x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
    const std::uint32_t half = count / 2;
    std::nth_element(order_.begin() + first, order_.begin() + first + half, order_.begin() + first + count,
                     [&](std::uint32_t a, std::uint32_t b) {
                         const std::int64_t atA = along(boxes_[a], axis), atB = along(boxes_[b], axis);
                         return atA != atB ? atA < atB : a < b;
                     });
    build(first, half);
    nodes_[index].count = 0;
    nodes_[index].right = std::uint32_t(nodes_.size());
    build(first + half, count - half);
}

}  // namespace sunder::geometry
