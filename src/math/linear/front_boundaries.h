// What an order of elimination and the counts of its fronts' own blocks say of a tree of fronts (front_tree.h).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "math/linear/front_tree.h"

namespace sunder::linear {

// Of each block those that it has a block of the matrix with.
class BlockNeighbours {
public:
    // pairs: (i, j), i != j, each once.
    BlockNeighbours(std::size_t count, std::span<const std::pair<int, int>> pairs);
    std::span<const int> of(int block) const {
        return {others_.data() + first_[block], std::size_t(first_[std::size_t(block) + 1] - first_[block])};
    }

private:
    std::vector<int> first_, others_;  // neighbours of block i: others_ from first_[i] on
};

// Fills in all fields but `order` and the own blocks of the fronts.
void findBoundaries(FrontTree& tree, const BlockNeighbours& neighbours);

// counts: of the own blocks of every front, children before their parents.
FrontTree frontsOf(std::vector<int> order, std::span<const int> counts, std::span<const std::pair<int, int>> neighbours);

}  // namespace sunder::linear
