// Dense solvers: what they return meets the equations, and what they cannot solve is told.
#include <gtest/gtest.h>

#include "core/random.h"
#include "math/linear/conjugate_gradients.h"
#include "math/linear/cramer.h"
#include "math/linear/dense_cholesky.h"
#include "math/linear/pivoted_elimination.h"
#include "math/vec3d.h"

namespace sunder::linear {
namespace {

template <class Scalar>
std::vector<Scalar> randomMatrix(int size, std::uint64_t seed, bool isSymmetric) {
    core::Random random(seed);
    std::vector<Scalar> matrix(std::size_t(size * size));
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            matrix[i * size + j] = Scalar(random.between(-1, 1)) + Scalar(isSymmetric && i == j ? size : 0);
            if (isSymmetric && j < i)
                matrix[i * size + j] = matrix[j * size + i];
        }
    return matrix;
}

// max |A x - b| with b_i = 1 + i.
template <class Scalar>
double worstResidual(const std::vector<Scalar>& matrix, const std::vector<Scalar>& x) {
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double sum = -1 - double(i);
        for (std::size_t j = 0; j < x.size(); ++j)
            sum += double(matrix[i * x.size() + j]) * double(x[j]);
        worst = std::fmax(worst, std::fabs(sum));
    }
    return worst;
}

template <class Scalar>
std::vector<Scalar> rightSide(int size) {
    std::vector<Scalar> b;
    for (int i = 0; i < size; ++i)
        b.push_back(Scalar(1 + i));
    return b;
}

template <class Pivot, class Scalar>
void expectSolved(int size, double tolerance) {
    const std::vector<Scalar> matrix = randomMatrix<Scalar>(size, std::uint64_t(size), true);
    std::vector<Scalar> factor = matrix, x = rightSide<Scalar>(size), y = x;
    ASSERT_TRUE((choleskyFactor<Pivot>(factor.data(), size, size, Scalar(1e-6))));
    choleskySolve<Pivot>(factor.data(), x.data(), size, size);
    EXPECT_LT(worstResidual(matrix, x), tolerance * size);
    choleskyForward<Pivot>(factor.data(), y.data(), size, size);
    choleskyBackwardByRows<Pivot>(factor.data(), y.data(), size, size);
    EXPECT_LT(worstResidual(matrix, y), tolerance * size);
}

TEST(DenseCholesky, MeetsTheEquations) {
    for (const int size : {1, 2, 3, 6, 10, 40}) {
        expectSolved<SkippingPivot, double>(size, 1e-14);
        expectSolved<InvertedPivot, double>(size, 1e-14);
        expectSolved<SkippingPivot, float>(size, 1e-5);
        expectSolved<InvertedPivot, float>(size, 1e-5);
    }
}

TEST(DenseCholesky, TouchesNothingAboveTheDiagonal) {
    double matrix[2][3] = {{4, -7, -8}, {2, 5, -9}};
    EXPECT_TRUE(choleskyFactor(&matrix[0][0], 2, 3, 0.0));
    EXPECT_EQ(matrix[0][1], -7);
    EXPECT_EQ(matrix[1][2], -9);
    EXPECT_EQ(matrix[1][1], 2);
}

TEST(DenseCholesky, RowsWithoutAPivotAreLeftOutOrRefused) {
    const double nearly[4] = {1, 1, 1, 1 + 1e-14};
    double factor[4], x[2] = {3, 5};
    std::copy(nearly, nearly + 4, factor);
    EXPECT_FALSE(choleskyFactor<SkippingPivot>(factor, 2, 2, 1e-12));
    choleskySolve<SkippingPivot>(factor, x, 2, 2);
    EXPECT_EQ(x[0], 3);
    EXPECT_EQ(x[1], 0);
    std::copy(nearly, nearly + 4, factor);
    EXPECT_FALSE(choleskyFactor<InvertedPivot>(factor, 2, 2, 1e-12));
    std::copy(nearly, nearly + 4, factor);
    EXPECT_TRUE(choleskyFactor<InvertedPivot>(factor, 2, 2, 0.0));
}

TEST(PivotedElimination, MeetsTheEquations) {
    for (const int size : {1, 2, 3, 10, 40}) {
        const std::vector<double> matrix = randomMatrix<double>(size, std::uint64_t(100 + size), false);
        std::vector<double> rest = matrix, x = rightSide<double>(size);
        ASSERT_TRUE(solvePivoted<double>(rest, x));
        EXPECT_LT(worstResidual(matrix, x), 1e-11 * size);  // random matrices lose a digit or two
    }
}

TEST(PivotedElimination, NeedsNoDiagonal) {
    std::vector<double> matrix{0, 2, 3, 0}, x{4, 6};
    ASSERT_TRUE(solvePivoted<double>(matrix, x));
    EXPECT_EQ(x, (std::vector<double>{2, 2}));
}

TEST(PivotedElimination, SaysWhereThereIsNoAnswer) {
    std::vector<double> matrix{1, 2, 2, 4}, x{1, 1};
    EXPECT_FALSE(solvePivoted<double>(matrix, x));
}

TEST(ConjugateGradients, AgreesWithADirectSolver) {
    constexpr int kSize = 60;
    const std::vector<double> matrix = randomMatrix<double>(kSize, 3, true);
    std::vector<double> x = rightSide<double>(kSize);
    const auto multiply = [&](std::span<const double> u, std::span<double> image) {
        for (int i = 0; i < kSize; ++i) {
            image[i] = 0;
            for (int j = 0; j < kSize; ++j)
                image[i] += matrix[i * kSize + j] * u[j];
        }
    };
    const auto byDiagonal = [&](std::span<double> z) {
        for (int i = 0; i < kSize; ++i)
            z[i] /= matrix[i * kSize + i];
    };
    const int made = conjugateGradients<double>(x, {500, 1e-13}, multiply, byDiagonal);
    EXPECT_LE(made, kSize);
    EXPECT_LT(worstResidual(matrix, x), 1e-10);
}

TEST(ConjugateGradients, NothingAnswersToNothing) {
    std::vector<double> x(3, 0);
    const auto never = [](std::span<const double>, std::span<double>) { FAIL(); };
    EXPECT_EQ(conjugateGradients<double>(x, {}, never, [](std::span<double>) {}), 0);
    EXPECT_EQ(x, std::vector<double>(3, 0));
}

TEST(Cramer, SolvesThreeEquations) {
    const Vec3d c0{2, 1, 0}, c1{-1, 3, 1}, c2{0, 0.5, 4}, x{3, -2, 0.25};
    const Vec3d b = c0 * x.x + c1 * x.y + c2 * x.z;
    const auto [numerators, determinant] = cramer(c0, c1, c2, b);
    EXPECT_NEAR(determinant, 27, 1e-13);
    EXPECT_LT(length(numerators * (1 / determinant) - x), 1e-14);
    EXPECT_EQ(cramer(c0, c1, c0, b).determinant, 0);
}

}  // namespace
}  // namespace sunder::linear
