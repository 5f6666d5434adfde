#include "deformable/element/aggregates.h"

#include <algorithm>

#include "math/bounds.h"

namespace sunder::deformable {

namespace {

struct Cutter {
    std::span<const Vec3> nodes;
    Aggregates& out;

    void cut(std::uint32_t begin, std::uint32_t end, std::uint32_t parts) {
        const auto at = [&](std::uint32_t i) { return out.order.begin() + i; };
        if (parts <= 1) {
            std::sort(at(begin), at(end));
            out.firstOf.push_back(end);
            return;
        }
        Vec3 low = nodes[out.order[begin]], high = low;
        for (std::uint32_t i = begin; i < end; ++i) {
            low = min(low, nodes[out.order[i]]);
            high = max(high, nodes[out.order[i]]);
        }
        const Vec3 size = high - low;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
        const std::uint32_t left = parts / 2;
        const auto middle = static_cast<std::uint32_t>(begin + std::uint64_t(end - begin) * left / parts);
        std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
            const Real along = component(nodes[a], axis), other = component(nodes[b], axis);
            return along != other ? along < other : a < b;
        });
        cut(begin, middle, left);
        cut(middle, end, parts - left);
    }
};

}  // namespace

Aggregates findAggregates(std::span<const Vec3> nodes, std::uint32_t count) {
    Aggregates found;
    const auto size = static_cast<std::uint32_t>(nodes.size());
    found.order.resize(size);
    for (std::uint32_t i = 0; i < size; ++i)
        found.order[i] = i;
    found.firstOf.push_back(0);
    Cutter{nodes, found}.cut(0, size, std::max(1u, std::min(count, size)));
    return found;
}

}  // namespace sunder::deformable
