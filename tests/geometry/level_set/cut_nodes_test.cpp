// Marks of cut nodes: eight at once against node by node.
#include "geometry/level_set/cut_nodes.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace sunder::geometry {
namespace {

TEST(CutNodes, EightsAreTheirNodes) {
    constexpr std::size_t kNodes = 1000;
    core::Random random(3);
    for (int round = 0; round < 50; ++round) {
        CutNodes byEights(kNodes), byNodes(kNodes);
        for (std::size_t first = 0; first + 8 <= kNodes; first += std::size_t(random.between(1, 40))) {
            const auto bits = std::uint64_t(random.between(0, 256));
            byEights.setEight(first, bits);
            for (std::size_t i = 0; i < 8; ++i)
                if ((bits >> i & 1) != 0)
                    byNodes.set(first + i);
        }
        EXPECT_EQ(byEights.words(), byNodes.words());
        for (std::size_t first = 0; first < kNodes; ++first)
            for (std::size_t i = 0; i < 8; ++i)
                ASSERT_EQ((byEights.eightAt(first) >> i & 1) != 0, byNodes.at(first + i)) << first;
    }
}

}  // namespace
}  // namespace sunder::geometry
