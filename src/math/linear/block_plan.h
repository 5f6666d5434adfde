// Where the numbers of a sparse block factor L L^T lie: the symbolic half of BlockCholesky. It depends on which blocks are
// neighbours and on the order of elimination, not on the numbers, so that it is made once and kept while the pattern stays; it
// may be shared by any number of factors of any scalar type.
//   [Davis 2006] Direct methods for sparse linear systems, 4.1 to 4.4: column p of L has the rows of column p of A, and those
//   of its children in the elimination tree; the parent of a column is its first row below the diagonal.
//
// "Block" is the caller's number of a block row, "position" its place in the order of elimination. The factor is kept by
// columns, in the order of elimination; each has its diagonal block and, behind it, those below, by ascending position. A block
// of r rows in a column of capacity c is r * c numbers, row by row.
//
//     position      0    1    2    3           columns()   0       1       2       3
//          0       [D]                         values      D B B | D B   | D B   | D
//          1        .  [D]                                   | |     |       |
//          2       [B]  .  [D]                 rows          2 3     3       3          below(0) = {2, 3}, below(1) = {3}, ...
//          3       [B] [B] [B] [D]
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder::linear {

class BlockPlan {
public:
    struct Column {
        int block;                 // which is eliminated here
        int capacity;              // its rows at most, and the stride of all blocks in this column
        std::uint32_t diagonal;    // first number of the diagonal block
        std::uint32_t firstBelow;  // in the list of all blocks below
    };
    struct Below {
        int row;               // position
        std::uint32_t values;  // first number of the block
    };
    // A pair of neighbours: `row` is eliminated after `column`. Blocks, not positions.
    struct Pair {
        int row, column;
        std::uint32_t values;
    };

    BlockPlan() = default;
    // capacities: the most rows of each block. neighbours: pairs (i, j), i != j, each once. order: every block once, the first
    // to be eliminated first (elimination_order.h).
    BlockPlan(std::span<const int> capacities, std::span<const std::pair<int, int>> neighbours, std::span<const int> order);

    int blockCount() const { return static_cast<int>(position_.size()); }
    int position(int block) const { return position_[block]; }
    // Of the first unknown of a block, in the order of the blocks; offset(blockCount()) is the number of all.
    int offset(int block) const { return offsets_[block]; }
    int unknowns() const { return offsets_.empty() ? 0 : offsets_.back(); }

    // By position.
    std::span<const Column> columns() const { return {columns_.data(), position_.size()}; }
    std::span<const Below> below(int position) const {
        const std::uint32_t first = columns_[position].firstBelow;
        return {below_.data() + first, columns_[position + 1].firstBelow - first};
    }
    // In the order in which neighbours were given.
    std::span<const Pair> pairs() const { return pairs_; }
    std::size_t valueCount() const { return valueCount_; }

private:
    void findFill(std::span<const std::pair<int, int>> neighbours);
    void layOut();
    std::uint32_t find(int row, int column) const;

    std::vector<Column> columns_;  // and one more, where the last list of blocks below ends
    std::vector<Below> below_;     // of all columns
    std::vector<Pair> pairs_;
    std::vector<int> position_, offsets_;  // by block
    std::size_t valueCount_ = 0;
};

}  // namespace sunder::linear
