// Points beside a contact: where the surfaces are, seen along the normal.
#include "collision/narrow_phase/convex/rocking_points.h"

#include <gtest/gtest.h>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/narrow_phase/reference.h"
#include "collision/shapes_for_tests.h"

namespace sunder::collision {
namespace {

using testing::RandomPoints;
using testing::randomShape;
using testing::ReferenceShape;

constexpr std::uint32_t kRockingFeature = 0xc0000000u;

// Every point lies on both surfaces and the gap between is its separation: 1e-4 of sizes of about 0.3 m is what float and the
// reference's residual near edges leave.
TEST(RockingPoints, LieOnBothSurfacesAlongTheNormal) {
    RandomPoints random(11);
    const ShapeType types[] = {ShapeType::Cylinder, ShapeType::Hull, ShapeType::Capsule};
    int found = 0;
    for (int i = 0; i < 3000; ++i) {
        const SharedShape a = randomShape(random, types[random.below(3)], 0.2, 0.4);
        const SharedShape b = randomShape(random, types[random.below(3)], 0.2, 0.4);
        const Pose poseA{{}, random.rotation()}, poseB{random.onSphere() * random.between(0.4, 0.8), random.rotation()};
        const ContactManifold manifold = collideConvex(*a, poseA, *b, poseB, Real(0.2));
        const ReferenceShape referenceA(*a, poseA), referenceB(*b, poseB);
        for (int k = 0; k < manifold.count; ++k) {
            const ContactPoint& point = manifold.points[k];
            if ((point.feature & kRockingFeature) != kRockingFeature)
                continue;
            ++found;
            EXPECT_NEAR(referenceA.surfaceResidual(point.onA), 0, 1e-4);
            EXPECT_NEAR(referenceB.surfaceResidual(point.onB), 0, 1e-4);
            EXPECT_LE(point.separation, Real(0.2));
            EXPECT_LT(length(point.onB - point.onA - manifold.normal * point.separation), 1e-5);
        }
    }
    EXPECT_GT(found, 1000);
}

TEST(RockingPoints, TheTouchingPointStays) {
    // A cylinder on its rim, 20 degrees from upright, 10 mm above the face of a box.
    const SharedShape floor = buildShape(Box{{2, Real(0.5), 2}}), cylinder = buildShape(Cylinder{Real(0.2), Real(0.18)});
    const Quat tilt = quatFromRotationVector({0, 0, Real(0.349066)});
    const Real lowest = Real(0.18 * 0.9396926 + 0.2 * 0.3420201);
    const ContactManifold manifold =
        collideConvex(*floor, {{0, Real(-0.5), 0}, {}}, *cylinder, {{0, lowest + Real(0.01), 0}, tilt}, Real(0.2));
    ASSERT_GE(manifold.count, 3);
    EXPECT_NEAR(manifold.points[0].separation, 0.01, 1e-5);
    // The far rim is 0.4 sin(20 degrees) higher; a point must come near to it to stop the cylinder as it comes down.
    Real farthest = 0;
    for (int i = 1; i < manifold.count; ++i)
        farthest = max(farthest, length(manifold.points[i].onA - manifold.points[0].onA));
    EXPECT_GT(farthest, 0.25);
}

}  // namespace
}  // namespace sunder::collision
