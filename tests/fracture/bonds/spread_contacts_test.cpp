// Loads that a rigid solver left to chance are shared as pieces would share them.
#include "fracture/bonds/spread_contacts.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace sunder::fracture {
namespace {

struct Sums {
    Vec3d force, moment;
};
Sums sumsOf(const std::vector<ContactShare>& points) {
    Sums sums;
    for (const ContactShare& point : points) {
        sums.force += point.impulse;
        sums.moment += point.torque + cross(point.point, point.impulse);
    }
    return sums;
}

std::vector<ContactShare> footOf(int pieces, core::Random& random) {
    std::vector<ContactShare> points;
    for (int i = 0; i < pieces; ++i)
        for (int corner = 0; corner < 4; ++corner) {
            ContactShare point;
            point.piece = std::uint32_t(i);
            point.point = {0.2 * i + (corner % 2 ? 0.1 : -0.1), 0, corner / 2 ? 0.06 : -0.06};
            point.normal = {0, 1, 0};
            point.impulse = {random.between(-1, 1), random.between(0, 10), random.between(-1, 1)};
            points.push_back(point);
        }
    return points;
}

TEST(SpreadContacts, KeepsForceAndMoment) {
    core::Random random(11);
    std::vector<ContactShare> points = footOf(20, random);
    const Sums before = sumsOf(points);
    ContactSpreader().spread(points);
    const Sums after = sumsOf(points);
    EXPECT_LT(length(after.force - before.force), 1e-9);
    EXPECT_LT(length(after.moment - before.moment), 1e-9);
    for (const ContactShare& point : points)
        EXPECT_GE(point.impulse.y, 0);
}

TEST(SpreadContacts, CentralLoadIsEven) {
    core::Random random(12);
    std::vector<ContactShare> points = footOf(20, random);
    for (ContactShare& point : points)
        point.impulse = {};
    for (const std::size_t middle : {38u, 39u, 40u, 41u})  // four corners about the middle bear all of it
        points[middle].impulse = {0, 20, 0};
    ContactSpreader().spread(points);
    for (const ContactShare& point : points)
        EXPECT_NEAR(point.impulse.y, 1, 1e-9);
}

// A load at the end leaves the far points without any.
TEST(SpreadContacts, NoPointPulls) {
    core::Random random(13);
    std::vector<ContactShare> points = footOf(20, random);
    for (ContactShare& point : points)
        point.impulse = {};
    for (std::size_t i = 0; i < 12; ++i)
        points[i].impulse = {0, 10, 0};
    const Sums before = sumsOf(points);
    ContactSpreader().spread(points);
    const Sums after = sumsOf(points);
    EXPECT_LT(length(after.moment - before.moment), 1e-9);
    EXPECT_LT(length(after.force - before.force), 1e-9);
    EXPECT_GT(points[0].impulse.y, points[20].impulse.y);
    EXPECT_EQ(points[79].impulse.y, 0);
}

// Other normals, and a single piece, are as they were.
TEST(SpreadContacts, LeavesTheRestAlone) {
    core::Random random(14);
    std::vector<ContactShare> points = footOf(1, random);
    ContactShare side;
    side.piece = 7;
    side.normal = {1, 0, 0};
    side.impulse = {5, 1, 0};
    points.push_back(side);
    const std::vector<ContactShare> before = points;
    ContactSpreader().spread(points);
    for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_LT(length(points[i].impulse - before[i].impulse), 1e-12);
}

}  // namespace
}  // namespace sunder::fracture
