// The sparse block solver against Gaussian elimination on the same matrix.
#include "dynamics/joints/block_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sunder::dynamics {

namespace {

std::vector<double> solveDense(std::vector<std::vector<double>> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k + 1; i < n; ++i) {
            const double f = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
    return b;
}

void compare(const std::vector<int>& capacities, const std::vector<int>& rows, const std::vector<std::pair<int, int>>& pairs) {
    BlockCholesky matrix;
    ASSERT_TRUE(matrix.plan(capacities, pairs, 1e9));
    matrix.clear(rows);
    std::vector<int> first(rows.size() + 1, 0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        first[i + 1] = first[i] + rows[i];
    std::vector<std::vector<double>> dense(first.back(), std::vector<double>(first.back(), 0));
    std::uint64_t seed = 7;
    const auto random = [&] {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        return double(seed >> 40) / double(1 << 24) - 0.5;
    };
    for (int i = 0; i < int(rows.size()); ++i)
        for (int r = 0; r < rows[i]; ++r)
            for (int c = 0; c <= r; ++c) {
                const double value = r == c ? 20 : random();  // diagonally dominant: positive
                matrix.diagonal(i)[r * matrix.stride(i) + c] = value;
                dense[first[i] + r][first[i] + c] = dense[first[i] + c][first[i] + r] = value;
            }
    for (int p = 0; p < int(pairs.size()); ++p) {
        const BlockCholesky::Pair pair = matrix.pair(p);
        for (int r = 0; r < rows[pair.row]; ++r)
            for (int c = 0; c < rows[pair.column]; ++c) {
                const double value = random();
                pair.values[r * pair.stride + c] = value;
                dense[first[pair.row] + r][first[pair.column] + c] = dense[first[pair.column] + c][first[pair.row] + r] = value;
            }
    }
    std::vector<double> x(matrix.unknowns(), 0), b(first.back());
    for (int i = 0; i < int(rows.size()); ++i)
        for (int r = 0; r < rows[i]; ++r)
            x[matrix.offset(i) + r] = b[first[i] + r] = random();
    matrix.factor();
    matrix.solve(x);
    const std::vector<double> expected = solveDense(dense, b);
    for (int i = 0; i < int(rows.size()); ++i)
        for (int r = 0; r < rows[i]; ++r)
            EXPECT_NEAR(x[matrix.offset(i) + r], expected[first[i] + r], 1e-13);
}

}  // namespace

TEST(BlockCholesky, SolvesChainsStarsAndLoops) {
    compare({3, 3, 3, 3}, {3, 3, 3, 3}, {{0, 1}, {1, 2}, {2, 3}});
    compare({6, 3, 5, 1}, {5, 3, 4, 1}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
    compare({3, 6, 3, 6, 3}, {3, 6, 0, 5, 3}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}});
}

TEST(BlockCholesky, RefusesWhatIsTooDear) {
    std::vector<std::pair<int, int>> all;
    for (int i = 0; i < 40; ++i)
        for (int j = i + 1; j < 40; ++j)
            all.push_back({i, j});
    BlockCholesky matrix;
    EXPECT_FALSE(matrix.plan(std::vector<int>(40, 6), all, 1e5));
    EXPECT_TRUE(matrix.plan(std::vector<int>(40, 6), all, 1e8));
}

}  // namespace sunder::dynamics
