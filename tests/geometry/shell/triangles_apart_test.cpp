// Triangles that are apart, against exact signs.
#include "geometry/shell/triangles_apart.h"

#include <gtest/gtest.h>

#include "geometry/cutting/exact.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

using sunder::testing::RandomPoints;

bool crosses(const ExactPoint& p, const ExactPoint& q, const ExactPoint (&t)[3]) {
    if (sideOfCutter(t, p) == sideOfCutter(t, q))
        return false;
    const int a = sideOfEdge(t[0], t[1], p, q), b = sideOfEdge(t[1], t[2], p, q), c = sideOfEdge(t[2], t[0], p, q);
    return a == b && b == c;
}

// By whole numbers: an edge of one passes through the other.
bool crossExactly(const TriangleCorners& a, const TriangleCorners& b) {
    const GridOfPoints grid({-4, -4, -4}, {4, 4, 4});
    const ExactPoint p[3] = {grid(a[0]), grid(a[1]), grid(a[2])}, q[3] = {grid(b[0]), grid(b[1]), grid(b[2])};
    for (int i = 0; i < 3; ++i)
        if (crosses(p[i], p[(i + 1) % 3], q) || crosses(q[i], q[(i + 1) % 3], p))
            return true;
    return false;
}

TriangleCorners randomTriangle(RandomPoints& random, double size) {
    const auto point = [&](double most) {
        return Vec3d{double(random.between(-most, most)), double(random.between(-most, most)),
                     double(random.between(-most, most))};
    };
    const Vec3d center = point(1);
    return {center + point(size), center + point(size), center + point(size)};
}

// Triangles called apart never cross, and without a gap all that do not cross are called apart: against exact signs, 20,000
// pairs, one in fourteen of which crosses. Pairs within rounding of each other do not come up.
TEST(TrianglesApart, AgreeWithExactSigns) {
    RandomPoints random(3);
    int crossing = 0;
    for (int i = 0; i < 20000; ++i) {
        const TriangleCorners a = randomTriangle(random, 1.5), b = randomTriangle(random, i % 2 == 0 ? 1.5 : 0.3);
        const bool cross = crossExactly(a, b);
        crossing += cross ? 1 : 0;
        EXPECT_EQ(areApart(a, b, 0), !cross) << i;
        EXPECT_FALSE(cross && areApart(a, b, 1e-3)) << i;
    }
    EXPECT_GT(crossing, 1000);
}

TEST(TrianglesApart, TheGapCounts) {
    const TriangleCorners a{Vec3d{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, b{Vec3d{0, 0.01, 0}, {1, 0.01, 0.2}, {0, 0.01, 1}};
    EXPECT_TRUE(areApart(a, b, 0.009));
    EXPECT_FALSE(areApart(a, b, 0.011));
    // In one plane, beside each other.
    const TriangleCorners c{Vec3d{1.01, 0, 0}, {2, 0, 0}, {1.01, 0, 1}};
    EXPECT_TRUE(areApart(a, c, 0.009));
    EXPECT_FALSE(areApart(a, c, 0.011));
}

}  // namespace
}  // namespace sunder::geometry
