// Levels of the contact graph [GBF03] on graphs whose order is known.
#include "dynamics/impulse/contact_graph.h"

#include <gtest/gtest.h>

namespace sunder::dynamics {
namespace {

TEST(ContactGraph, TowerLevelsCountFromTheGround) {
    const std::vector<Rest> rests{{3, 2}, {2, 1}, {1, 0}};
    const std::vector<std::uint8_t> isSupport{1, 0, 0, 0, 0};
    ContactGraph graph;
    graph.build(rests, isSupport);
    for (std::uint32_t body = 0; body < 4; ++body) {
        EXPECT_EQ(graph.level(body), int(body));
        EXPECT_TRUE(graph.isGrounded(body));
    }
    EXPECT_EQ(graph.level(4), 1);  // in the air
    EXPECT_FALSE(graph.isGrounded(4));
}

TEST(ContactGraph, ARingSharesOneLevelAndWhatLiesOnItIsHigher) {
    // 1, 2, 3 lean on each other; 1 stands on the ground; 4 lies on 3; 5 lies on 4 and on 1.
    const std::vector<Rest> rests{{1, 2}, {2, 3}, {3, 1}, {1, 0}, {4, 3}, {5, 4}, {5, 1}};
    const std::vector<std::uint8_t> isSupport{1, 0, 0, 0, 0, 0};
    ContactGraph graph;
    graph.build(rests, isSupport);
    EXPECT_EQ(graph.level(1), 1);
    EXPECT_EQ(graph.level(2), 1);
    EXPECT_EQ(graph.level(3), 1);
    EXPECT_EQ(graph.level(4), 2);
    EXPECT_EQ(graph.level(5), 3);
    EXPECT_TRUE(graph.isGrounded(2));
}

TEST(ContactGraph, ChainsInTheAirAreNotGrounded) {
    const std::vector<Rest> rests{{1, 2}, {2, 3}};
    const std::vector<std::uint8_t> isSupport{1, 0, 0, 0};
    ContactGraph graph;
    graph.build(rests, isSupport);
    EXPECT_EQ(graph.level(1), 3);
    EXPECT_FALSE(graph.isGrounded(1));
}

TEST(ContactGraph, ATowerOfManyThousandsNeedsNoDeepStack) {
    std::vector<Rest> rests;
    std::vector<std::uint8_t> isSupport(100001, 0);
    isSupport[0] = 1;
    for (std::uint32_t i = 1; i <= 100000; ++i)
        rests.push_back({i, i - 1});
    ContactGraph graph;
    graph.build(rests, isSupport);
    EXPECT_EQ(graph.level(100000), 100000);
}

}  // namespace
}  // namespace sunder::dynamics
