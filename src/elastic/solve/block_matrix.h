// Sparse symmetric matrices of 3 x 3 blocks, by rows, with all of the rows' blocks on both sides of the diagonal: a row is then
// the business of one thread, and its sum has one order.
//
// A block is 9 numbers, column by column. It is read as three columns of four, the fourth belonging to whatever comes next, so
// that every list of blocks has kSpare numbers at its end.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "elastic/solve/node_graph.h"

namespace sunder::elastic {

inline constexpr std::size_t kBlockSize = 9;
inline constexpr std::size_t kSpare = 3;
inline constexpr std::size_t kRowsPerBlock = 1024;  // that one task takes

struct BlockPattern {
    std::vector<std::uint32_t> first;    // per row, and the end; in columns
    std::vector<std::uint32_t> middle;   // per row its first column above the row's own number
    std::vector<std::uint32_t> columns;  // ascending, without the row's own
    std::vector<std::uint32_t> colour;   // the first row of every colour, and the end

    std::size_t rows() const { return middle.size(); }
    std::size_t blocks() const { return columns.size(); }
};

// from: per block of the pattern, its number in graph.neighbours.
BlockPattern patternOf(const NodeGraph& graph, const ColourOrder& order, std::vector<std::uint32_t>* from, TaskRunner& runner);

template <class Scalar>
struct BlockMatrix {
    std::vector<Scalar> diagonal, values;

    void resize(const BlockPattern& pattern) {
        diagonal.assign(kBlockSize * pattern.rows() + kSpare, Scalar(0));
        values.assign(kBlockSize * pattern.blocks() + kSpare, Scalar(0));
    }
};

typedef float FourFloats __attribute__((vector_size(16)));
typedef double FourDoubles __attribute__((vector_size(32)));

inline FourFloats loadFour(const float* from) {
    FourFloats four;
    std::memcpy(&four, from, sizeof four);
    return four;
}
inline FourDoubles loadFour(const double* from) {
    FourDoubles four;
    std::memcpy(&four, from, sizeof four);
    return four;
}

// The image of blocks under a vector, column by column, so that additions need not wait for each other.
struct ImageSum {
    FourFloats column[3] = {};

    void add(const float* block, FourFloats x) {
        column[0] += loadFour(block) * __builtin_shufflevector(x, x, 0, 0, 0, 0);
        column[1] += loadFour(block + 3) * __builtin_shufflevector(x, x, 1, 1, 1, 1);
        column[2] += loadFour(block + 6) * __builtin_shufflevector(x, x, 2, 2, 2, 2);
    }
    FourFloats sum() const { return column[0] + column[1] + column[2]; }
};

// image = A x at a row; three numbers per row in both.
inline void multiplyRow(const BlockPattern& pattern, const BlockMatrix<double>& A, const double* x, std::size_t row,
                        double* image) {
    FourDoubles column[3] = {};
    const auto add = [&](const double* block, const double* at) {
        column[0] += loadFour(block) * FourDoubles{at[0], at[0], at[0], at[0]};
        column[1] += loadFour(block + 3) * FourDoubles{at[1], at[1], at[1], at[1]};
        column[2] += loadFour(block + 6) * FourDoubles{at[2], at[2], at[2], at[2]};
    };
    add(A.diagonal.data() + kBlockSize * row, x + 3 * row);
    const double* block = A.values.data() + kBlockSize * pattern.first[row];
    for (std::uint32_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k, block += kBlockSize)
        add(block, x + 3 * std::size_t(pattern.columns[k]));
    const FourDoubles sum = column[0] + column[1] + column[2];
    for (int a = 0; a < 3; ++a)
        image[a] = sum[a];
}

// The inverse of a symmetric positive block.
void invertBlock(const double* block, double* inverse);

}  // namespace sunder::elastic
