// The walk that rays take through a static tree of boxes.
#pragma once

#include <utility>

#include "geometry/static_tree.h"
#include "render/ray.h"

namespace sunder::render {

// Distance at which the ray enters the box, infinity where it does not before its limit. The exit is widened by a few
// roundings, or a ray along a flat box could miss it.
inline Real entryOf(const Bounds& bounds, const Ray& ray) {
    const Vec3 a = multiply(bounds.low - ray.origin, ray.inverse);
    const Vec3 b = multiply(bounds.high - ray.origin, ray.inverse);
    const Vec3 low = min(a, b), high = max(a, b);
    const Real enter = max(max(low.x, low.y), max(low.z, Real(0)));
    const Real leave = min(min(high.x, high.y), high.z) * (1 + 4 * kEpsilon);
    return enter <= leave && enter < ray.limit ? enter : kInfinity;
}

// Calls strike(item, ray) for items whose leaf the ray enters before ray.limit, near ones first. strike shortens ray.limit
// where it finds a nearer hit, and returns true to end the walk. Unlike StaticTree::nearest it can be ended, and the near child
// never waits on the stack.
template <class Strike>
bool walk(const geometry::StaticTree& tree, Ray& ray, const Strike& strike) {
    const std::span<const geometry::StaticTree::Node> nodes = tree.nodes();
    const std::span<const std::uint32_t> order = tree.order();
    if (nodes.empty() || entryOf(nodes[0].bounds, ray) == kInfinity)
        return false;
    struct Waiting {
        std::uint32_t node;
        Real enter;
    };
    Waiting stack[geometry::StaticTree::kStackSize];
    int depth = 0;
    std::uint32_t current = 0;
    for (;;) {
        const auto& node = nodes[current];
        if (node.count == 0) {
            std::uint32_t near = current + 1, far = node.first;
            Real nearEnter = entryOf(nodes[near].bounds, ray), farEnter = entryOf(nodes[far].bounds, ray);
            if (farEnter < nearEnter) {
                std::swap(near, far);
                std::swap(nearEnter, farEnter);
            }
            if (farEnter != kInfinity)
                stack[depth++] = {far, farEnter};
            if (nearEnter != kInfinity) {
                current = near;
                continue;
            }
        } else {
            for (std::uint32_t i = 0; i < node.count; ++i)
                if (strike(order[node.first + i], ray))
                    return true;
        }
        do {
            if (depth == 0)
                return false;
            --depth;
        } while (stack[depth].enter >= ray.limit);
        current = stack[depth].node;
    }
}

}  // namespace sunder::render
