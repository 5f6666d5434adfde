// Triangles of a polygon cover its area exactly once and turn as it does.
#include "geometry/polygon.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_points.h"

namespace sunder::geometry {
namespace {

Vec3 areaOf(const std::vector<Vec3>& p) {
    Vec3 sum;
    for (std::size_t i = 1; i + 1 < p.size(); ++i)
        sum += cross(p[i] - p[0], p[i + 1] - p[0]);
    return sum * Real(0.5);
}

void expectCovered(const std::vector<Vec3>& polygon) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    triangulatePolygon(polygon, triangles);
    ASSERT_EQ(triangles.size(), polygon.size() - 2);
    const Vec3 whole = areaOf(polygon), normal = normalizeOr(whole, {});
    Real sum = 0;
    for (const auto& [a, b, c] : triangles) {
        const Real area = dot(areaOf({polygon[a], polygon[b], polygon[c]}), normal);
        EXPECT_GE(area, -1e-6 * length(whole)) << "a triangle turns the wrong way";
        sum += area;
    }
    // With no triangle turned, the sum is right only if nothing is covered twice.
    EXPECT_NEAR(sum, length(whole), 1e-5 * length(whole));
}

TEST(Polygon, QuadWithAnyCornerDentedIn) {
    for (int dent = 0; dent < 4; ++dent) {
        std::vector<Vec3> quad{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
        quad[dent] = Vec3{Real(0.5), Real(0.5), 0} * Real(0.6) + quad[(dent + 2) % 4] * Real(0.4);
        expectCovered(quad);
    }
}

TEST(Polygon, StarsInAnyPlane) {
    sunder::testing::RandomPoints random(1);
    for (int i = 0; i < 300; ++i) {
        const int corners = 3 + int(random.below(40));
        const Quat turn = random.rotation();
        std::vector<Vec3> star;
        for (int k = 0; k < corners; ++k) {
            const double angle = 2 * 3.14159265358979 * k / corners;
            const Real r = random.between(0.2, 1);
            star.push_back(rotate(turn, {r * Real(std::cos(angle)), r * Real(std::sin(angle)), 0}) + Vec3{1, 2, 3});
        }
        expectCovered(star);
    }
}

TEST(Polygon, CombWithCollinearCorners) {
    std::vector<Vec3> comb;
    for (int i = 0; i < 20; ++i) {
        comb.push_back({Real(i), 0, 0});
        comb.push_back({Real(i) + Real(0.5), 0, 0});
    }
    for (int i = 19; i >= 0; --i) {
        comb.push_back({Real(i) + Real(0.5), 3, 0});
        comb.push_back({Real(i), Real(0.5), 0});
    }
    expectCovered(comb);
}

TEST(Polygon, CrossedAndFlatOnesEnd) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    triangulatePolygon(std::vector<Vec3>{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {2, 2, 0}}, triangles);
    EXPECT_EQ(triangles.size(), 3u);
    triangulatePolygon(std::vector<Vec3>(6), triangles);
    EXPECT_EQ(triangles.size(), 7u);
    triangulatePolygon(std::vector<Vec3>(2), triangles);
    EXPECT_EQ(triangles.size(), 7u);
}

// A cut along an edge of a mesh leaves a fin without width: corners on one line, there and back, apart by rounding.
TEST(Polygon, FinWithoutWidth) {
    const Real y = Real(-0.005748);
    expectCovered({{Real(-0.074963), y, 0},
                   {Real(-0.07404), Real(0.01306), 0},
                   {Real(-0.082102), Real(0.011884), 0},
                   {Real(-0.082967), y + Real(4e-9), 0},
                   {Real(-0.190448), y + Real(2e-9), 0},
                   {Real(-0.190448), y - Real(3e-9), 0}});
}

// An L of area 3, counter-clockwise.
TEST(PlanePolygon, KnowsItsAreaAndWhatLiesInIt) {
    const std::vector<PlanePoint> corner = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    EXPECT_EQ(twiceArea(corner), 6);
    EXPECT_EQ(twiceArea(std::vector<PlanePoint>(corner.rbegin(), corner.rend())), -6);
    EXPECT_EQ(twiceArea(corner[0], corner[1], corner[2]), 2);
    EXPECT_TRUE(contains(corner, {0.5, 1.5}));
    EXPECT_TRUE(contains(corner, {1.5, 0.5}));
    EXPECT_FALSE(contains(corner, {1.5, 1.5}));
    EXPECT_FALSE(contains(corner, {-0.5, 0.5}));
}

TEST(PlanePolygon, SegmentsCrossOrDoNot) {
    EXPECT_TRUE(doCross({0, 0}, {2, 2}, {0, 2}, {2, 0}));
    EXPECT_FALSE(doCross({0, 0}, {2, 2}, {2, 0}, {3, 2}));
    EXPECT_FALSE(doCross({0, 0}, {1, 1}, {0, 4}, {4, 0}));
}

}  // namespace
}  // namespace sunder::geometry
