#include "math/linear/front_boundaries.h"

#include <algorithm>
#include <numeric>

namespace sunder::linear {

BlockNeighbours::BlockNeighbours(std::size_t count, std::span<const std::pair<int, int>> pairs) : first_(count + 1, 0) {
    for (const auto& pair : pairs) {
        ++first_[std::size_t(pair.first) + 1];
        ++first_[std::size_t(pair.second) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    others_.resize(2 * pairs.size());
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for (const auto& pair : pairs) {
        others_[std::size_t(next[pair.first]++)] = pair.second;
        others_[std::size_t(next[pair.second]++)] = pair.first;
    }
}

void findBoundaries(FrontTree& tree, const BlockNeighbours& neighbours) {
    std::vector<FrontTree::Front>& fronts = tree.fronts;
    std::vector<int>&boundary = tree.boundary, &position = tree.position;
    const std::size_t count = tree.order.size();
    position.resize(count);
    tree.frontOf.resize(count);
    for (std::size_t p = 0; p < count; ++p)
        position[tree.order[p]] = static_cast<int>(p);
    const int fronted = static_cast<int>(fronts.size());
    for (int f = 0; f < fronted; ++f)
        std::fill_n(tree.frontOf.begin() + fronts[f].first, fronts[f].count, f);
    // The parent of a front is the front of the first block of its boundary.
    constexpr int kNone = -1;
    std::vector<std::vector<int>> children(fronts.size());
    std::vector<int> seenBy(count, kNone);
    for (int f = 0; f < fronted; ++f) {
        FrontTree::Front& front = fronts[f];
        front.firstBoundary = static_cast<int>(boundary.size());
        const int end = front.first + front.count;
        const auto add = [&](int p) {
            if (p >= end && std::exchange(seenBy[p], f) != f)
                boundary.push_back(p);
        };
        for (int p = front.first; p < end; ++p)
            for (const int other : neighbours.of(tree.order[p]))
                add(position[other]);
        for (const int child : children[f])
            for (int k = fronts[child].firstBoundary; k < fronts[std::size_t(child) + 1].firstBoundary; ++k)
                add(boundary[k]);
        std::sort(boundary.begin() + front.firstBoundary, boundary.end());
        if (std::size_t(front.firstBoundary) < boundary.size())
            children[tree.frontOf[boundary[front.firstBoundary]]].push_back(f);
        front.firstChild = static_cast<int>(tree.childList.size());
        front.children = static_cast<int>(children[f].size());
        tree.childList.insert(tree.childList.end(), children[f].begin(), children[f].end());
        const double rows = front.count + double(boundary.size()) - front.firstBoundary;
        tree.cost += front.count * rows * rows / 2;
    }
    fronts.emplace_back().firstBoundary = static_cast<int>(boundary.size());
}

FrontTree frontsOf(std::vector<int> order, std::span<const int> counts, std::span<const std::pair<int, int>> neighbours) {
    FrontTree tree;
    tree.order = std::move(order);
    int first = 0;
    for (const int count : counts) {
        FrontTree::Front& front = tree.fronts.emplace_back();
        front.first = first;
        front.count = count;
        first += count;
    }
    findBoundaries(tree, {tree.order.size(), neighbours});
    return tree;
}

}  // namespace sunder::linear
