// A bounding-volume tree over boxes, built by the surface-area heuristic, and its traversal by rays.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "math/bounds.h"
#include "render/ray.h"

namespace sunder::render {

class Bvh {
public:
    Bvh() = default;
    explicit Bvh(std::span<const Bounds> items, int leafSize);

    // Calls strike(item, ray) for items whose leaf the ray enters before ray.limit, near ones first. strike shortens
    // ray.limit where it finds a nearer hit, and returns true to end the walk.
    template <class Strike>
    bool walk(Ray& ray, const Strike& strike) const;

private:
    struct Node {
        Bounds bounds;
        std::uint32_t first = 0;  // leaf: first item in order_; inner: the right child (the left one follows its parent)
        std::uint32_t count = 0;  // 0 for inner nodes
    };
    // The walk's stack; build() halves by count below this depth, so that no tree is deeper.
    static constexpr int kMaxDepth = 96;

    void build(std::span<const Bounds> items, std::uint32_t begin, std::uint32_t end, int leafSize, int depth);
    static Real entry(const Bounds& bounds, const Ray& ray);

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> order_;
};

// Distance at which the ray enters the box, infinity where it does not before its limit. The exit is widened by a few
// roundings, or a ray along a flat box could miss it.
inline Real Bvh::entry(const Bounds& bounds, const Ray& ray) {
    const Vec3 a = multiply(bounds.low - ray.origin, ray.inverse);
    const Vec3 b = multiply(bounds.high - ray.origin, ray.inverse);
    const Vec3 low = min(a, b), high = max(a, b);
    const Real enter = max(max(low.x, low.y), max(low.z, Real(0)));
    const Real leave = min(min(high.x, high.y), high.z) * (1 + 4 * kEpsilon);
    return enter <= leave && enter < ray.limit ? enter : kInfinity;
}

template <class Strike>
bool Bvh::walk(Ray& ray, const Strike& strike) const {
    if (nodes_.empty() || entry(nodes_[0].bounds, ray) == kInfinity)
        return false;
    struct Waiting {
        std::uint32_t node;
        Real enter;
    };
    Waiting stack[kMaxDepth];
    int depth = 0;
    std::uint32_t current = 0;
    for (;;) {
        const Node& node = nodes_[current];
        if (node.count == 0) {
            std::uint32_t near = current + 1, far = node.first;
            Real nearEnter = entry(nodes_[near].bounds, ray), farEnter = entry(nodes_[far].bounds, ray);
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
                if (strike(order_[node.first + i], ray))
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
