// The generator's stream is part of what scenes mean: it must never change.
#include "core/random.h"

#include <gtest/gtest.h>

namespace sunder::core {
namespace {

// Reference values of splitmix64 for the seed 1234567, as published with the algorithm.
TEST(Random, GivesTheReferenceStream) {
    Random random(1234567);
    EXPECT_EQ(random.bits(), 6457827717110365317u);
    EXPECT_EQ(random.bits(), 3203168211198807973u);
    EXPECT_EQ(random.bits(), 9817491932198370423u);
}

TEST(Random, NumbersStayInTheirRange) {
    Random random(1);
    double sum = 0;
    int counts[7] = {};
    constexpr int kDraws = 70000;
    for (int i = 0; i < kDraws; ++i) {
        const double x = random.between(-2, 3);
        EXPECT_GE(x, -2);
        EXPECT_LT(x, 3);
        sum += x;
        ++counts[random.below(7)];
    }
    // Standard deviation of the mean is 5 / sqrt(12 n) = 0.0055; of a count 93. Five of them.
    EXPECT_NEAR(sum / kDraws, 0.5, 0.03);
    for (const int count : counts)
        EXPECT_NEAR(count, kDraws / 7, 470);
}

}  // namespace
}  // namespace sunder::core
