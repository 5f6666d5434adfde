// The order of elimination by nested dissection of points in space.
//   [George 1973] Nested dissection of a regular finite element mesh
#include "math/linear/front_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "math/linear/front_boundaries.h"

namespace sunder::linear {

namespace {

// Sets of no more blocks than this are not divided: their fronts are as small as those of separators would be.
constexpr std::size_t kUndivided = 8;

// The number between low and high with the most zeros in binary. low < high.
double roundest(double low, double high) {
    if (low <= 0 && high >= 0)
        return 0;
    const double most = std::max(std::fabs(low), std::fabs(high));
    double step = 1;  // a power of two
    while (step < most)
        step *= 2;
    for (;; step /= 2)
        if (const double at = std::floor(high / step) * step; at >= low)
            return at;
}

using Point = FrontTree::Point;

class Dissection {
public:
    Dissection(std::span<const Point> points, const BlockNeighbours& neighbours, FrontTree& tree)
        : points_(points), neighbours_(neighbours), tree_(tree), side_(points.size(), kElsewhere) {}

    // blocks: ascending.
    void divide(const std::vector<int>& blocks) {
        Point low{}, high{};
        if (blocks.size() > kUndivided)
            findBox(blocks, low, high);
        std::size_t axis = 0;  // the longest
        for (const std::size_t other : {1u, 2u})
            if (high[other] - low[other] > high[axis] - low[axis])
                axis = other;
        const double extent = high[axis] - low[axis];
        if (!(extent > 0))
            return close(blocks);
        const double plane = roundest(low[axis] + extent / 4, high[axis] - extent / 4);
        std::vector<int> below, above, between;
        for (const int block : blocks)
            side_[block] = points_[block][axis] < plane ? kBelow : kAbove;
        for (const int block : blocks) {
            const auto isAbove = [&](int other) { return side_[other] == kAbove; };
            const auto others = neighbours_.of(block);
            if (isAbove(block))
                above.push_back(block);
            else if (std::any_of(others.begin(), others.end(), isAbove))
                between.push_back(block);
            else
                below.push_back(block);
        }
        for (const int block : blocks)
            side_[block] = kElsewhere;
        divide(below);
        divide(above);
        close(between);
    }

private:
    enum Side : std::uint8_t { kElsewhere, kBelow, kAbove };

    void findBox(const std::vector<int>& blocks, Point& low, Point& high) const {
        low = high = points_[blocks[0]];
        for (const int block : blocks)
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], points_[block][k]);
                high[k] = std::max(high[k], points_[block][k]);
            }
    }

    void close(const std::vector<int>& blocks) {
        if (blocks.empty())
            return;
        FrontTree::Front& front = tree_.fronts.emplace_back();
        front.first = static_cast<int>(tree_.order.size());
        front.count = static_cast<int>(blocks.size());
        tree_.order.insert(tree_.order.end(), blocks.begin(), blocks.end());
    }

    std::span<const Point> points_;
    const BlockNeighbours& neighbours_;
    FrontTree& tree_;
    std::vector<Side> side_;
};

}  // namespace

FrontTree::FrontTree(std::span<const Point> points, std::span<const std::pair<int, int>> neighbours) {
    const BlockNeighbours around(points.size(), neighbours);
    std::vector<int> all(points.size());
    std::iota(all.begin(), all.end(), 0);
    Dissection(points, around, *this).divide(all);
    findBoundaries(*this, around);
}

}  // namespace sunder::linear
