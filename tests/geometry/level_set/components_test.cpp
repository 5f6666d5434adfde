// Connected components against a plain flood fill.
#include "geometry/level_set/components.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/task_runner.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

// Breadth first from every node in turn: the definition.
std::vector<std::uint32_t> floodFill(const Int3& n, std::span<const std::uint16_t> labels, Connectivity connectivity) {
    const Grid grid{{}, 1, n};
    std::vector<std::uint32_t> component(labels.size(), kNoComponent);
    std::uint32_t count = 0;
    for (std::size_t start = 0; start < labels.size(); ++start) {
        if (labels[start] == 0 || component[start] != kNoComponent)
            continue;
        std::vector<std::size_t> queue{start};
        component[start] = count;
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const int at = int(queue[head]), x = at % n.x, y = at / n.x % n.y, z = at / n.x / n.y;
            for (int i = 0; i < 27; ++i) {
                const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
                if (connectivity == Connectivity::Face && std::abs(dx) + std::abs(dy) + std::abs(dz) != 1)
                    continue;
                if (x + dx < 0 || y + dy < 0 || z + dz < 0 || x + dx >= n.x || y + dy >= n.y || z + dz >= n.z)
                    continue;
                const std::size_t other = grid.index(x + dx, y + dy, z + dz);
                if (labels[other] == labels[start] && component[other] == kNoComponent) {
                    component[other] = count;
                    queue.push_back(other);
                }
            }
        }
        ++count;
    }
    return component;
}

TEST(Components, EqualFloodFill) {
    testing::RandomPoints random(1);
    const std::unique_ptr<TaskRunner> threads = makeTaskRunner(3);
    for (int round = 0; round < 300; ++round) {
        const Int3 n{1 + int(random.below(13)), 1 + int(random.below(9)), 1 + int(random.below(20))};
        const std::uint32_t kinds = 2 + random.below(3), density = 1 + random.below(4);
        std::vector<std::uint16_t> labels(std::size_t(n.x * n.y * n.z));
        for (std::uint16_t& label : labels)
            label = random.below(4) < density ? std::uint16_t(random.below(kinds)) : std::uint16_t(0);
        for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Corner}) {
            const Components found = labelComponents(n, labels, connectivity);
            const auto rowOf = [&](int y, int z, std::uint16_t* out) {
                std::copy_n(&labels[std::size_t(n.x * (y + n.y * z))], n.x, out);
            };
            ASSERT_EQ(labelComponents(n, rowOf, connectivity, *threads).ofNode, found.ofNode) << round;
            ASSERT_EQ(found.ofNode, floodFill(n, labels, connectivity)) << round;
            std::vector<std::uint32_t> counts(found.count());
            for (std::size_t node = 0; node < labels.size(); ++node) {
                const std::uint32_t component = found.ofNode[node];
                if (component == kNoComponent)
                    continue;
                ++counts[component];
                const int x = int(node) % n.x, y = int(node) / n.x % n.y, z = int(node) / n.x / n.y;
                const GridRange& range = found.ranges[component];
                EXPECT_TRUE(x >= range.low.x && x <= range.high.x && y >= range.low.y && y <= range.high.y &&
                            z >= range.low.z && z <= range.high.z);
            }
            EXPECT_EQ(counts, found.nodeCounts);
        }
    }
}

TEST(Components, SolidsThatMeetInACornerAreTwoOrOne) {
    LevelSet8 field{{{}, 1, {4, 4, 4}}, Real(1) / 32, std::vector<std::int8_t>(64, 9)};
    field.values[field.grid.index(1, 1, 1)] = field.values[field.grid.index(2, 2, 2)] = -9;
    EXPECT_EQ(solidComponents(field, Connectivity::Face).count(), 2u);
    EXPECT_EQ(solidComponents(field, Connectivity::Corner).count(), 1u);
}

}  // namespace
}  // namespace sunder::geometry
