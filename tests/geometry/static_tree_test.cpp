// The static tree against all boxes one by one.
#include "geometry/static_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace sunder::geometry {
namespace {

Vec3 randomPoint(core::Random& random) {
    return {Real(random.between(-1, 1)), Real(random.between(-1, 1)), Real(random.between(-1, 1))};
}

std::vector<Bounds> randomBoxes(std::size_t count, std::uint64_t seed) {
    core::Random random(seed);
    std::vector<Bounds> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 corner = randomPoint(random);
        boxes.push_back(unite(unite(Bounds{}, corner), corner + randomPoint(random) * Real(0.1)));
    }
    return boxes;
}

TEST(StaticTree, FindsEveryBoxThatOverlapsAndVisitsNoneTwice) {
    for (const std::size_t count : {std::size_t(0), std::size_t(1), std::size_t(5), std::size_t(700)}) {
        const std::vector<Bounds> boxes = randomBoxes(count, 3);
        const StaticTree tree(boxes, 4);
        for (const Bounds& box : randomBoxes(20, 4)) {
            std::vector<std::uint32_t> found, expected;
            tree.overlapping(box, [&](std::uint32_t item) {
                if (overlaps(boxes[item], box))
                    found.push_back(item);
            });
            for (std::uint32_t i = 0; i < count; ++i)
                if (overlaps(boxes[i], box))
                    expected.push_back(i);
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, expected);
        }
    }
}

TEST(StaticTree, FindsTheNearestBox) {
    const std::vector<Bounds> boxes = randomBoxes(900, 5);
    const StaticTree tree(boxes, 2);
    core::Random random(6);
    for (int i = 0; i < 50; ++i) {
        const Vec3 p = randomPoint(random) * Real(2);
        double best = 1e30, expected = 1e30;
        int visited = 0;
        tree.nearest(
            best, [&](const Bounds& box) { return double(squaredDistance(box, p)); },
            [&](std::uint32_t item) {
                ++visited;
                return best = std::min(best, double(squaredDistance(boxes[item], p)));
            });
        for (const Bounds& box : boxes)
            expected = std::min(expected, double(squaredDistance(box, p)));
        EXPECT_EQ(best, expected);
        EXPECT_LT(visited, 450);
    }
}

// Equal boxes cannot be parted by area; and each box ten times smaller than the last, at one end, makes the deepest tree.
TEST(StaticTree, StaysWithinItsStack) {
    std::vector<Bounds> boxes(3000, Bounds{{0, 0, 0}, {1, 1, 1}});
    for (int i = 0; i < 300; ++i) {
        const Real x = std::pow(Real(0.8), Real(i));
        boxes.push_back({{x, 0, 0}, {x * Real(1.1), x, x}});
    }
    const StaticTree tree(boxes, 1);
    std::size_t visited = 0;
    tree.overlapping({{-9, -9, -9}, {9, 9, 9}}, [&](std::uint32_t) { ++visited; });
    EXPECT_EQ(visited, boxes.size());
    EXPECT_EQ(tree.order().size(), boxes.size());
    EXPECT_EQ(tree.nodes().size(), 2 * boxes.size() - 1);
    EXPECT_EQ(tree.bounds().high.x, Real(1.1));
}

}  // namespace
}  // namespace sunder::geometry
