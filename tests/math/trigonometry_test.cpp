// Sine and cosine that are the same everywhere.
#include "math/trigonometry.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/quat.h"

namespace sunder {
namespace {

TEST(Trigonometry, SineAndCosineMatchTheLibrary) {
    for (int i = -4000; i <= 4000; ++i) {
        const Real angle = Real(i) * Real(0.01);
        const SinCos found = sinCos(angle);
        EXPECT_NEAR(found.sin, std::sin(double(angle)), 1e-7) << angle;
        EXPECT_NEAR(found.cos, std::cos(double(angle)), 1e-7) << angle;
    }
}

// A body may stop being finite in the middle of a step; it must get through to its end.
TEST(Trigonometry, WhatIsNotFiniteStaysSo) {
    for (const Real angle : {kInfinity, -kInfinity, std::numeric_limits<Real>::quiet_NaN()}) {
        EXPECT_TRUE(std::isnan(sinCos(angle).sin));
        EXPECT_TRUE(std::isnan(sinCos(angle).cos));
        EXPECT_FALSE(isFinite(quatFromRotationVector({angle, 0, 0})));
    }
}

}  // namespace
}  // namespace sunder
