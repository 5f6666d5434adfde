// A = V diag(values) V^T with V a rotation.
#include "math/eigen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace sunder {
namespace {

double determinant(const std::array<std::array<double, 3>, 3>& m) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

void expectDecomposes(const std::array<double, 6>& m) {
    const SymmetricEigen eigen = symmetricEigen(m);
    const double full[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    double scale = 0;
    for (const double entry : m)
        scale = std::max(scale, std::fabs(entry));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double product = 0, orthogonal = 0;
            for (int k = 0; k < 3; ++k) {
                product += eigen.vectors[i][k] * eigen.values[k] * eigen.vectors[j][k];
                orthogonal += eigen.vectors[i][k] * eigen.vectors[j][k];
            }
            // A few dozen roundings of double.
            EXPECT_NEAR(product, full[i][j], 2e-15 * scale * 10);
            EXPECT_NEAR(orthogonal, i == j ? 1 : 0, 1e-14);
        }
    }
    EXPECT_NEAR(determinant(eigen.vectors), 1, 1e-14);
}

TEST(Eigen, RandomMatricesDecompose) {
    core::Random random(1);
    for (int i = 0; i < 2000; ++i) {
        std::array<double, 6> m;
        const double scale = std::pow(10.0, random.between(-12, 12));
        for (double& entry : m)
            entry = scale * random.between(-1, 1);
        expectDecomposes(m);
    }
}

TEST(Eigen, SpecialMatricesDecompose) {
    expectDecomposes({1, 1, 1, 1, 1, 1});        // rank one
    expectDecomposes({0, 0, 0, 1, 0, 0});        // zero diagonal
    expectDecomposes({1, 1, 1, 1e-9, 0, 1e-9});  // nearly a multiple of the identity
    expectDecomposes({1e12, 1, 1e-12, 1e-3, 0, 1e-14});
    expectDecomposes({0, 0, 0, 0, 0, 0});
}

TEST(Eigen, DiagonalKeepsItsAxes) {
    const SymmetricEigen eigen = symmetricEigen({3, 1, 2, 0, 0, 0});
    EXPECT_EQ(eigen.values, (std::array<double, 3>{3, 1, 2}));
    EXPECT_EQ(eigen.vectors, SymmetricEigen{}.vectors);
}

TEST(Eigen, NonFiniteInputEnds) {
    const double nan = std::nan("");
    const SymmetricEigen eigen = symmetricEigen({1, nan, 1, nan, 1, 1});
    EXPECT_TRUE(std::isnan(eigen.values[1]));
}

}  // namespace
}  // namespace sunder
