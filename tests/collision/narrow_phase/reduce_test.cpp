// Which four of many points a manifold gets.
#include "collision/narrow_phase/manifold/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sunder::collision {
namespace {

std::vector<int> chosenOf(const std::vector<PlanarPoint>& points) {
    int chosen[kMaxManifoldPoints];
    const int count = choosePoints(points.data(), int(points.size()), chosen);
    return {chosen, chosen + count};
}

// A box that leans on three corners of the overlap; the other three are above the face. Two of the three and the highest cover
// more area, but then the box sinks at the third.
std::vector<PlanarPoint> leaning(Real rise) {
    const auto at = [&](double x, double y) { return PlanarPoint{Real(x), Real(y), rise * Real(std::max(y, 0.0))}; };
    return {at(-0.4, 0), at(0, -0.2), at(0.4, 0), at(0.4, 0.45), at(0, 0.5), at(-0.4, 0.45)};
}

TEST(ChoosePoints, LeavesNoCornerOutThatTouches) {
    const std::vector<int> chosen = chosenOf(leaning(Real(0.08)));
    ASSERT_EQ(chosen.size(), 4u);
    EXPECT_EQ(std::vector<int>(chosen.begin(), chosen.begin() + 3), (std::vector<int>{0, 1, 2}));
}

// Points that are all at one place, and points on a line.
TEST(ChoosePoints, TakesPointsThatCoverNothing) {
    EXPECT_GE(chosenOf(std::vector<PlanarPoint>(6, {Real(1), Real(2), Real(-0.1)})).size(), 1u);
    std::vector<PlanarPoint> line;
    for (int i = 0; i < 6; ++i)
        line.push_back({Real(i), 0, 0});
    const std::vector<int> ends = chosenOf(line);
    EXPECT_TRUE(std::count(ends.begin(), ends.end(), 0) == 1 && std::count(ends.begin(), ends.end(), 5) == 1);
}

}  // namespace
}  // namespace sunder::collision
