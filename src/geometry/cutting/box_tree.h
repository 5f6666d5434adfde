// A tree of boxes on the grid of exact points: which of many triangles may touch another. Not a StaticTree: its boxes are
// integers, which float would round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "geometry/cutting/exact.h"

namespace sunder::geometry {

struct GridBox {
    ExactPoint low, high;
    GridBox() = default;
    explicit GridBox(const ExactPoint (&t)[3])
        : low{std::min({t[0].x, t[1].x, t[2].x}), std::min({t[0].y, t[1].y, t[2].y}), std::min({t[0].z, t[1].z, t[2].z})},
          high{std::max({t[0].x, t[1].x, t[2].x}), std::max({t[0].y, t[1].y, t[2].y}), std::max({t[0].z, t[1].z, t[2].z})} {}
    bool touches(const GridBox& o) const {
        return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y && low.z <= o.high.z &&
               o.low.z <= high.z;
    }
};

class BoxTree {
public:
    explicit BoxTree(std::vector<GridBox> boxes);

    // Calls visit(number) for every box that touches this one.
    template <class Visit>
    void query(const GridBox& box, Visit&& visit) const {
        if (nodes_.empty())
            return;
        std::uint32_t stack[64], depth = 0;
        stack[depth++] = 0;
        while (depth > 0) {
            const Node& node = nodes_[stack[--depth]];
            if (!node.box.touches(box))
                continue;
            if (node.count == 0) {
                stack[depth++] = node.right;
                stack[depth++] = std::uint32_t(&node - nodes_.data()) + 1;
                continue;
            }
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
                if (boxes_[order_[i]].touches(box))
                    visit(order_[i]);
        }
    }

private:
    struct Node {
        GridBox box;
        std::uint32_t first = 0, count = 0;  // leaf: into order_
        std::uint32_t right = 0;             // inner: index of the right child; the left one follows the node
    };
    void build(std::uint32_t first, std::uint32_t count);

    std::vector<GridBox> boxes_;
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
};

}  // namespace sunder::geometry
