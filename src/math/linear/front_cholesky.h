// A sparse symmetric positive system of blocks of six, solved directly by fronts (front_tree.h): A = L L^T.
//
// A front of s own blocks and b boundary blocks is a dense matrix of s + b block rows. Added up in it are the rows of A of its
// own blocks and what its children hand up; once its own blocks are eliminated, its boundary rows are what it hands up in turn:
//     own       P_ij = (F_ij - sum over p < j of P_ip P_jp^T) D_j^-T      D_j D_j^T = F_jj - sum over p < j of P_jp P_jp^T
//     boundary  U_ij =  F_ij - sum over all own p of P_ip P_jp^T
//
// Where a few blocks or entries of A are gone since an earlier factorisation, all fronts without a change below them are taken
// from it: they hold the same numbers, to the bit, as if they were computed anew. What is left is the way from the changes up
// to the last front, a fifth of the whole for a wall of 2000 bricks.
//
// Rows that say nothing new are left out, see SkippingPivot in dense_cholesky.h.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "math/linear/front_tree.h"

namespace sunder::linear {

class FrontCholesky {
public:
    static constexpr int kSize = 6;
    static constexpr int kBlock = kSize * kSize;
    using Block = std::array<double, kBlock>;  // row by row
    static constexpr int kGone = -1;

    // The matrix: its diagonal blocks, and those of pairs of neighbours i < j with the rows of i and the columns of j.
    struct Matrix {
        std::vector<Block> diagonals;
        std::vector<std::pair<int, int>> neighbours;  // ascending
        std::vector<Block> pairs;
    };

    FrontCholesky() = default;
    // earlier: a factor to take fronts from, or null; sameAs: of each block its number there, or kGone. Relative order is kept.
    FrontCholesky(FrontTree tree, Matrix matrix, const FrontCholesky* earlier, std::span<const int> sameAs);

    // x: the right-hand side, replaced by the solution; kSize numbers of each block.
    void solve(std::span<double> x) const;
    // Two right-hand sides at once, number by number beside each other; takes little longer than one.
    void solveTwo(std::span<double> x) const;

    int frontCount() const { return static_cast<int>(numbers_.size()); }
    int keptFronts() const { return kept_; }

private:
    // Block rows: row i of the own blocks has i + 1 blocks, the last one D_i^-1; a boundary row has as many as own blocks. What
    // is handed up: lower triangle, row by row.
    struct Numbers {
        std::vector<double> rows, up;
    };
    static std::size_t rowOf(int row, int own) {
        return kBlock * std::size_t(row < own ? row * (row + 1) / 2 : own * (own + 1) / 2 + (row - own) * own);
    }
    static std::size_t upOf(int row, int column) { return kBlock * std::size_t(row * (row + 1) / 2 + column); }

    template <class Value>
    void solveAs(Value* x) const;
    void listPairs();
    int earlierFront(int front, const FrontCholesky& earlier, std::span<const int> sameAs, std::span<const int> keptFrom) const;
    bool hasSameEntries(int block, const FrontCholesky& earlier, std::span<const int> sameAs) const;
    void assemble(int front, std::vector<int>& local, Numbers& numbers) const;
    void eliminate(int front, std::vector<double>& turned, Numbers& numbers) const;

    FrontTree tree_;
    Matrix matrix_;
    std::vector<int> firstPair_, pairsOf_;  // of each block, ascending by the other block
    std::vector<std::shared_ptr<const Numbers>> numbers_;
    int kept_ = 0;
};

}  // namespace sunder::linear
