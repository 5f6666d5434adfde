// A sparse symmetric positive system of small dense blocks, factored directly: L L^T with the blocks in an order that keeps
// the factor sparse. One block row per joint, two joints are neighbours where they share a body; along a tree of joints the
// factor has no more blocks than the matrix, so that a chain costs as much as its length.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder::dynamics {

class BlockCholesky {
public:
    // Where the blocks are. sizes: the most rows of each block. neighbours: pairs (i, j), i != j, each once. False where the
    // factorization would take more than `budget` multiplications; then nothing is planned.
    bool plan(std::span<const int> sizes, std::span<const std::pair<int, int>> neighbours, double budget);

    int blockCount() const { return static_cast<int>(columns_.size()); }
    // Clears the matrix; block i has rows[i] rows this time.
    void clear(std::span<const int> rows);
    double* diagonal(int i) { return values_.data() + columns_[position_[i]].diagonal; }
    int stride(int i) const { return columns_[position_[i]].stride; }
    // The block of a pair of `neighbours`: its rows belong to first, its columns to second (of the elimination order).
    struct Pair {
        int row, column;
        double* values;
        int stride;
    };
    Pair pair(int neighbour) {
        const PairPlace& place = pairs_[neighbour];
        return {place.row, place.column, values_.data() + place.offset, stride(place.column)};
    }

    void factor();
    // x: blockCount() pieces, piece i at offset(i).
    void solve(std::span<double> x) const;
    int offset(int i) const { return offsets_[i]; }
    int unknowns() const { return offsets_.empty() ? 0 : offsets_.back(); }

private:
    struct Block {
        int row;  // elimination position
        std::uint32_t offset;
    };
    struct Column {
        int joint = 0, stride = 0, rows = 0;
        std::uint32_t diagonal = 0;
        std::vector<Block> below;
        std::vector<std::uint32_t> targets;  // where below[a] below[b]^T is taken from, for all a >= b
    };
    struct PairPlace {
        int row, column;
        std::uint32_t offset;
    };

    std::vector<Column> columns_;  // by elimination position
    std::vector<int> position_;    // of each joint
    std::vector<PairPlace> pairs_;
    std::vector<int> offsets_;  // of each joint's unknowns, by capacity
    std::vector<double> values_;
};

}  // namespace sunder::dynamics
