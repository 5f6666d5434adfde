#include "math/linear/front_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

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
    Dissection(std::span<const Point> points, std::span<const std::pair<int, int>> neighbours, FrontTree& tree)
        : points_(points), tree_(tree), first_(points.size() + 1, 0), side_(points.size(), kElsewhere) {
        for (const auto& pair : neighbours) {
            ++first_[std::size_t(pair.first) + 1];
            ++first_[std::size_t(pair.second) + 1];
        }
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        others_.resize(2 * neighbours.size());
        std::vector<int> next(first_.begin(), first_.end() - 1);
        for (const auto& pair : neighbours) {
            others_[std::size_t(next[pair.first]++)] = pair.second;
            others_[std::size_t(next[pair.second]++)] = pair.first;
        }
    }

    std::span<const int> neighboursOf(int block) const {
        return {others_.data() + first_[block], std::size_t(first_[std::size_t(block) + 1] - first_[block])};
    }

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
            const auto others = neighboursOf(block);
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
    FrontTree& tree_;
    std::vector<int> first_, others_;  // neighbours of block i: others_ from first_[i] on
    std::vector<Side> side_;
};

}  // namespace

FrontTree::FrontTree(std::span<const Point> points, std::span<const std::pair<int, int>> neighbours) {
    const std::size_t count = points.size();
    Dissection dissection(points, neighbours, *this);
    std::vector<int> all(count);
    std::iota(all.begin(), all.end(), 0);
    dissection.divide(all);
    position.resize(count);
    frontOf.resize(count);
    for (std::size_t p = 0; p < count; ++p)
        position[order[p]] = static_cast<int>(p);
    const int fronted = static_cast<int>(fronts.size());
    for (int f = 0; f < fronted; ++f)
        std::fill_n(frontOf.begin() + fronts[f].first, fronts[f].count, f);
    // The parent of a front is the front of the first block of its boundary.
    constexpr int kNone = -1;
    std::vector<std::vector<int>> children(fronts.size());
    std::vector<int> seenBy(count, kNone);
    for (int f = 0; f < fronted; ++f) {
        Front& front = fronts[f];
        front.firstBoundary = static_cast<int>(boundary.size());
        const int end = front.first + front.count;
        const auto add = [&](int p) {
            if (p >= end && std::exchange(seenBy[p], f) != f)
                boundary.push_back(p);
        };
        for (int p = front.first; p < end; ++p)
            for (const int other : dissection.neighboursOf(order[p]))
                add(position[other]);
        for (const int child : children[f])
            for (int k = fronts[child].firstBoundary; k < fronts[std::size_t(child) + 1].firstBoundary; ++k)
                add(boundary[k]);
        std::sort(boundary.begin() + front.firstBoundary, boundary.end());
        if (std::size_t(front.firstBoundary) < boundary.size())
            children[frontOf[boundary[front.firstBoundary]]].push_back(f);
        front.firstChild = static_cast<int>(childList.size());
        front.children = static_cast<int>(children[f].size());
        childList.insert(childList.end(), children[f].begin(), children[f].end());
        const double rows = front.count + double(boundary.size()) - front.firstBoundary;
        cost += front.count * rows * rows / 2;
    }
    fronts.emplace_back().firstBoundary = static_cast<int>(boundary.size());
}

}  // namespace sunder::linear
