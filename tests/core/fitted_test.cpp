// Vectors whose memory follows what they hold.
#include "core/fitted.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(Fitted, MemoryFollowsWhatIsHeld) {
    std::vector<double> values;
    resizeFitted(values, 100000);
    EXPECT_EQ(values.size(), 100000u);
    EXPECT_LE(values.capacity(), 106266u);
    resizeFitted(values, 20000);
    EXPECT_EQ(values.size(), 20000u);
    EXPECT_LE(values.capacity(), 21266u);
}

TEST(Fitted, SmallChangesTakeNoMemory) {
    std::vector<double> values;
    resizeFitted(values, 20000);
    const double* const memory = values.data();
    for (const std::size_t count : {20000u, 21000u, 17000u, 21250u, 20000u}) {
        resizeFitted(values, count);
        EXPECT_EQ(values.data(), memory) << count;
        reserveFitted(values, count);
        EXPECT_EQ(values.data(), memory) << count;
    }
}

TEST(Fitted, ReservedElementsStay) {
    std::vector<int> values(50000);
    for (int i = 0; i < 50000; ++i)
        values[i] = i;
    reserveFitted(values, 60000);
    ASSERT_EQ(values.size(), 50000u);
    EXPECT_EQ(values[49999], 49999);
    values.resize(3000);
    reserveFitted(values, 3000);
    EXPECT_LE(values.capacity(), 3203u);
    EXPECT_EQ(values[2999], 2999);
}

}  // namespace
}  // namespace sunder
