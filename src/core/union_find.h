// Union-find: which of the items 0 to size() - 1 belong together, told pair by pair. For one thread; Islands
// (dynamics/island/islands.h) has the same forest for many threads at once.
//
// Every set is a tree of parents, and its root is its lowest item: a parent is never above its child, and of two roots the
// higher one is hung under the lower. So the root of a set does not depend on the order in which it was joined, and sets that
// are numbered in the order of their roots are numbered by their first items. Union by rank or size would bound the depth of
// the trees but make the root a matter of order; halving the paths alone gives amortized O(log n) per call, and trees of depth
// two or three where items are joined to near ones, as they are here.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sunder {

class UnionFind {
public:
    UnionFind() = default;
    explicit UnionFind(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

    std::size_t size() const { return parent_.size(); }
    // One more item, alone.
    void add() { parent_.push_back(static_cast<std::uint32_t>(parent_.size())); }
    // The items of another forest behind these, joined as they are there.
    void append(const UnionFind& other) {
        const auto first = static_cast<std::uint32_t>(parent_.size());
        for (const std::uint32_t parent : other.parent_)
            parent_.push_back(parent + first);
    }

    // The lowest item of its set. Halves the path for the next call: every other item on it skips its parent.
    std::uint32_t root(std::uint32_t item) {
        assert(item < parent_.size());
        while (parent_[item] != item)
            item = parent_[item] = parent_[parent_[item]];
        return item;
    }

    void join(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t rootA = root(a), rootB = root(b);
        parent_[std::max(rootA, rootB)] = std::min(rootA, rootB);
    }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace sunder
