// Cylinders and capsules whose axes say how near they are: each answer is proved, by the planes that part them or by all
// directions that there are.
#include "collision/narrow_phase/core/crossing_axes.h"

#include <gtest/gtest.h>

#include "collision/narrow_phase/core/gjk.h"
#include "collision/narrow_phase/core/round_overlap.h"
#include "collision/shapes_for_tests.h"
#include "support/random_points.h"

namespace sunder::testing {
namespace {

using collision::AxesContact;
using collision::ClosestPoints;
using collision::ConvexCore;
using collision::PlacedCore;

double separationAlong(const PlacedCore& a, const PlacedCore& b, const Vec3d& n) {
    return dot(n, b.support(-n) - a.support(n));
}

struct Crossing {
    ConvexCore coreA, coreB;
    PlacedCore a, b;
    Crossing(const BuiltShape& shapeA, const BuiltShape& shapeB, const Pose& poseB)
        : coreA(shapeA), coreB(shapeB), a{coreA, {}}, b{coreB, collision::toPlacement(poseB)} {}
};

// Calls visit(crossing) for pairs of rods, logs and coins about each other, a cylinder at least.
template <class Visit>
void forEachPair(int count, Visit&& visit) {
    RandomPoints random(5);
    for (int i = 0; i < count; ++i) {
        const Real long1 = random.between(0.05, 1), long2 = random.between(0.05, 1);
        const SharedShape cylinder = buildShape(Cylinder{random.between(0.02, 0.3), long1});
        const SharedShape other = i % 3 == 0 ? buildShape(Capsule{random.between(0.02, 0.3), long2})
                                             : buildShape(Cylinder{random.between(0.02, 0.3), long2});
        visit(Crossing(*cylinder, *other, {random.inBall() * Real(0.9), random.rotation()}));
    }
}

// No two points are nearer than the planes across the normal through those that were found.
TEST(CrossingAxes, DistancesAreProvedByTheirPlanes) {
    int apart = 0;
    forEachPair(4000, [&](const Crossing& pair) {
        const AxesContact found = compareAxes(pair.a, pair.b);
        const ClosestPoints closest = findClosestPoints(pair.a, pair.b, 1e300);
        if (closest.status == ClosestPoints::Status::Apart) {
            EXPECT_LE(found.axis.separation, closest.distance + 1e-9);
        }
        if (!found.isClosest || found.axis.separation < 0)
            return;
        ++apart;
        EXPECT_NEAR(separationAlong(pair.a, pair.b, found.axis.normal), found.axis.separation, 1e-9);
        EXPECT_NEAR(length(found.axis.onB - found.axis.onA), found.axis.separation, 1e-9);
        EXPECT_NEAR(closest.distance, found.axis.separation, 1e-9);
    });
    EXPECT_GT(apart, 500);
}

TEST(CrossingAxes, NoDirectionPartsThemSooner) {
    int overlapping = 0;
    RandomPoints random(7);
    forEachPair(4000, [&](const Crossing& pair) {
        const AxesContact found = compareAxes(pair.a, pair.b);
        if (!found.isClosest || found.axis.separation >= 0)
            return;
        ++overlapping;
        EXPECT_NEAR(separationAlong(pair.a, pair.b, found.axis.normal), found.axis.separation, 1e-9);
        EXPECT_EQ(findLeastOverlapRound(pair.a, pair.b).separation, found.axis.separation);
        for (int i = 0; i < 2000; ++i) {
            const Vec3d n = normalizeOr(toDouble(random.inBall()), {1, 0, 0});
            EXPECT_LE(separationAlong(pair.a, pair.b, n), found.axis.separation + 1e-9);
        }
        for (const Vec3d& n :
             {pair.a.placement.axisY, -pair.a.placement.axisY, pair.b.placement.axisY, -pair.b.placement.axisY})
            EXPECT_LE(separationAlong(pair.a, pair.b, n), found.axis.separation + 1e-9);
    });
    EXPECT_GT(overlapping, 200);
}

}  // namespace
}  // namespace sunder::testing
