// Features that are said to hold the closest points of two hulls do so, and those of the last look mostly are.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/narrow_phase/convex/contact_patch.h"
#include "collision/narrow_phase/core/gjk.h"
#include "collision/shapes_for_tests.h"
#include "support/random_points.h"

namespace sunder::testing {
namespace {

using namespace collision;

SharedShape randomHull(RandomPoints& random, int count) {
    Hull hull;
    for (int i = 0; i < count; ++i)
        hull.points.push_back(random.onSphere() * Real(0.3));
    return buildShape(hull);
}

// No pair of features says that it is closest unless it is, and then the other core's points are no nearer than that.
TEST(ClosestFeatures, AreTheClosestPoints) {
    RandomPoints random(3);
    int faces = 0, edges = 0;
    for (int i = 0; i < 300; ++i) {
        const SharedShape shapeA = randomHull(random, 12), shapeB = randomHull(random, 12);
        const ConvexCore coreA(*shapeA), coreB(*shapeB);
        const PlacedCore a{coreA, {}},
            b{coreB, toPlacement({random.onSphere() * random.between(0.35, 0.8), random.rotation()})};
        const ClosestPoints closest = findClosestPoints(a, b, 1);
        const auto check = [&](const FeatureAxis& found, int& count) {
            if (found.isSeparation) {
                EXPECT_LE(found.axis.separation, closest.distance + 1e-6) << i;
            }
            if (!found.isClosest)
                return;
            ++count;
            ASSERT_EQ(closest.status, ClosestPoints::Status::Apart) << i;
            EXPECT_NEAR(found.axis.separation, closest.distance, 1e-6) << i;
            EXPECT_NEAR(length(found.axis.onB - found.axis.onA), closest.distance, 1e-6) << i;
            EXPECT_LT(length(found.axis.normal - closest.normal) * closest.distance, 1e-5) << i;
        };
        for (int face = 0; face < coreA.polyhedron.faceCount; ++face)
            check(axisOfFace(a, b, false, face), faces);
        for (int face = 0; face < coreB.polyhedron.faceCount; ++face)
            check(axisOfFace(a, b, true, face), faces);
        for (int k = 0; k < coreA.polyhedron.edgeCount; ++k)
            for (int m = 0; m < coreB.polyhedron.edgeCount; ++m)
                check(axisOfEdges(a, b, k, m), edges);
    }
    EXPECT_GT(faces, 50);
    EXPECT_GT(edges, 50);
}

struct Looks {
    int all = 0, known = 0, proved = 0;
};

// Two hulls that come nearer by a millimetre a look, turning by a hundredth, as in a heap that lands.
Looks approach(RandomPoints& random, int points) {
    Looks looks;
    const SharedShape shapeA = randomHull(random, points), shapeB = randomHull(random, points);
    const ConvexCore coreA(*shapeA), coreB(*shapeB);
    const Vec3 along = random.onSphere(), turn = random.onSphere();
    const Quat start = random.rotation();
    KnownManifold known;
    for (int i = 0; i < 200; ++i) {
        const Pose pose{along * Real(0.62 - 1e-3 * i), quatFromRotationVector(turn * Real(0.01 * i)) * start};
        const PlacedCore a{coreA, {}}, b{coreB, toPlacement(pose)};
        if (findClosestPoints(a, b, 1).status != ClosestPoints::Status::Apart)
            break;
        const FeatureAxis axis = knownAxis({a, b, {}, 0.05, known});
        const ContactManifold m = collideConvex(*shapeA, {}, *shapeB, pose, Real(0.05), known);
        ++looks.all;
        looks.known += known.count > 0;
        looks.proved += axis.isClosest;
        known = {};
        known.normal = m.normal;
        known.count = m.count;
        for (int k = 0; k < m.count; ++k)
            known.features[k] = m.points[k].feature;
    }
    return looks;
}

TEST(ClosestFeatures, OfTheLastLookMostlyStillAre) {
    RandomPoints random(4);
    for (const int points : {12, 32}) {
        int known = 0, proved = 0;
        for (int i = 0; i < 60; ++i) {
            const Looks looks = approach(random, points);
            known += looks.known;
            proved += looks.proved;
        }
        EXPECT_GT(known, 500) << points;
        EXPECT_GT(proved, known / 2) << points << " points: " << proved << " of " << known;
    }
}

}  // namespace
}  // namespace sunder::testing
