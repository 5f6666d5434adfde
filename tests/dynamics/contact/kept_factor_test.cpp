// Systems of some rows of a matrix, with a factor that is kept: the solution meets the equations, whatever was kept before.
#include "dynamics/contact/heavy/kept_factor.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sunder::dynamics {
namespace {

// Symmetric and positive definite: large on the diagonal.
std::vector<double> matrixOf(std::size_t n, double phase) {
    std::vector<double> matrix(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            matrix[i * n + j] = std::cos(phase + double(i * j)) + (i == j ? 2.0 * double(n) : 0.0);
    return matrix;
}

double worstError(KeptFactor& factor, const std::vector<double>& matrix, std::size_t n, std::vector<std::uint32_t> rows) {
    std::vector<double> x(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        x[i] = 1 + double(i);
    EXPECT_TRUE(factor.solve(matrix, n, rows, x));
    double worst = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double sum = -(1 + double(i));
        for (std::size_t j = 0; j < rows.size(); ++j)
            sum += matrix[rows[i] * n + rows[j]] * x[j];
        worst = std::fmax(worst, std::fabs(sum));
    }
    return worst;
}

TEST(KeptFactor, SolvesTheRowsItIsGiven) {
    const std::size_t n = 9;
    const std::vector<double> matrix = matrixOf(n, 0);
    KeptFactor factor;
    for (int repeat = 0; repeat < 2; ++repeat) {
        EXPECT_LT(worstError(factor, matrix, n, {0, 2, 3, 8}), 1e-12);
        EXPECT_LT(worstError(factor, matrix, n, {0, 2, 3, 8}), 1e-12);
        EXPECT_LT(worstError(factor, matrix, n, {0, 2, 4, 8}), 1e-12);
        EXPECT_LT(worstError(factor, matrix, n, {5}), 1e-12);
        EXPECT_LT(worstError(factor, matrix, n, {}), 1e-12);
    }
}

TEST(KeptFactor, ForgetsAMatrixThatChanged) {
    const std::size_t n = 6;
    KeptFactor factor;
    worstError(factor, matrixOf(n, 0), n, {1, 2, 5});
    factor.forget();
    EXPECT_LT(worstError(factor, matrixOf(n, 1), n, {1, 2, 5}), 1e-12);
}

TEST(KeptFactor, SaysWhereTheMatrixIsNotPositiveDefinite) {
    const std::vector<double> matrix{1, 2, 2, 1};
    const std::vector<std::uint32_t> rows{0, 1};
    std::vector<double> x{1, 1};
    KeptFactor factor;
    EXPECT_FALSE(factor.solve(matrix, 2, rows, x));
    EXPECT_FALSE(factor.solve(matrix, 2, rows, x));
}

}  // namespace
}  // namespace sunder::dynamics
