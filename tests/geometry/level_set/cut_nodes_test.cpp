// Marks of cut nodes: a row at once against node by node.
#include "geometry/level_set/cut_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace sunder::geometry {
namespace {

TEST(CutNodes, RowsAreTheirNodes) {
    constexpr std::size_t kNodes = 1000;
    core::Random random(3);
    for (int round = 0; round < 50; ++round) {
        CutNodes byRows(kNodes), byNodes(kNodes);
        for (std::size_t first = 0; first < kNodes;) {
            const std::size_t count = std::min(kNodes - first, std::size_t(1 + random.between(0, 90)));
            std::vector<std::uint8_t> bytes((count + 7) / 8 * 8);
            for (std::size_t i = 0; i < count; ++i)
                if (random.between(0, 1) < 0.5) {
                    bytes[i] = 1;
                    byNodes.set(first + i);
                }
            byRows.setRow(first, bytes.data(), count);
            first += count;
        }
        EXPECT_EQ(byRows.words(), byNodes.words());
    }
}

}  // namespace
}  // namespace sunder::geometry
