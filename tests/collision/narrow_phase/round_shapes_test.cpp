// Capsules and cylinders on faces and on each other: lines, rims and caps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/shapes_for_tests.h"

namespace sunder::testing {
namespace {

using collision::collideConvex;
using collision::ContactManifold;

constexpr Real kRadius = Real(0.3), kHalf = Real(0.5);

const SharedShape& floorBox() {
    static const SharedShape box = buildShape(Box{{5, Real(0.5), 5}});
    return box;
}
const SharedShape& cylinder() {
    static const SharedShape shape = buildShape(Cylinder{kRadius, kHalf});
    return shape;
}
const SharedShape& capsule() {
    static const SharedShape shape = buildShape(Capsule{kRadius, kHalf});
    return shape;
}

Quat turn(Real x, Real y, Real z) { return quatFromRotationVector({x, y, z}); }

// On the floor, whose top is y = 0.
ContactManifold onFloor(const SharedShape& shape, const Pose& pose, Real margin) {
    return collideConvex(*floorBox(), {{0, Real(-0.5), 0}, {}}, *shape, pose, margin);
}

Real span(const ContactManifold& m) {
    Real widest = 0;
    for (int i = 0; i < m.count; ++i)
        for (int j = 0; j < i; ++j)
            widest = max(widest, length(m.points[i].onA - m.points[j].onA));
    return widest;
}

TEST(Cylinder, LyingTouchesInItsLineWhateverItsRoll) {
    for (int i = 0; i < 50; ++i) {
        const Quat lying = turn(0, Real(0.3), 0) * turn(kPi / 2, 0, 0) * turn(0, Real(i) * Real(0.37), 0);
        const ContactManifold m = onFloor(cylinder(), {{0, kRadius - Real(0.001), 0}, lying}, Real(0.01));
        ASSERT_EQ(m.count, 2);
        EXPECT_NEAR(double(m.normal.y), 1, 1e-6);
        EXPECT_NEAR(double(span(m)), 2 * double(kHalf), 1e-5);
        for (int k = 0; k < 2; ++k)
            EXPECT_NEAR(double(m.points[k].separation), -0.001, 1e-6);
    }
}

// A cap is a face of the body: the points of a standing cylinder turn with it, under the same features.
TEST(Cylinder, StandingTouchesInFourPointsThatTurnWithIt) {
    const ContactManifold still = onFloor(cylinder(), {{0, kHalf, 0}, {}}, Real(0.01));
    ASSERT_EQ(still.count, 4);
    EXPECT_NEAR(double(span(still)), 2 * double(kRadius), 1e-5);
    int kept = 0;
    for (int i = 1; i < 50; ++i) {
        const Quat spun = turn(0, Real(i) * Real(0.21), 0);
        const ContactManifold m = onFloor(cylinder(), {{0, kHalf + Real(1e-4), 0}, spun}, Real(0.01));
        ASSERT_EQ(m.count, 4);
        EXPECT_GT(double(span(m)), 1.96 * double(kRadius));
        for (int k = 0; k < 4; ++k)
            for (int j = 0; j < 4; ++j)
                if (m.points[k].feature == still.points[j].feature) {
                    ++kept;
                    EXPECT_LT(double(length(m.points[k].onA - rotate(spun, still.points[j].onA))), 2e-4);
                }
    }
    EXPECT_GT(kept, 100);
}

// Deepest in the lowest point of its rim. Where the cap lies flat that is known to the sagitta between two corners and to the
// difference at which points count as equally deep. Where it leans so far that the rest is beyond the margin, it has that point
// alone.
TEST(Cylinder, TiltedTouchesInTheLowestPointOfItsRim) {
    for (const Real tilt : {Real(0.003), Real(0.01), Real(0.05), Real(0.4), Real(0.8), Real(1.3)}) {
        const Real lowest = kHalf * std::cos(tilt) + kRadius * std::sin(tilt);
        const ContactManifold m =
            onFloor(cylinder(), {{0, lowest - Real(0.001), 0}, turn(tilt, 0, 0) * turn(0, Real(0.7), 0)}, Real(0.004));
        ASSERT_GE(m.count, 1);
        if (tilt > Real(0.3)) {
            EXPECT_EQ(m.count, 1) << tilt;
        } else {
            EXPECT_GE(m.count, 3) << tilt;
        }
        Real deepest = 1;
        for (int k = 0; k < m.count; ++k)
            deepest = min(deepest, m.points[k].separation);
        constexpr double kSagitta = 0.0193, kDepthTie = 2e-3;  // shares of the radius
        EXPECT_NEAR(double(deepest), -0.001, 2e-5 + (tilt < Real(0.017) ? (kSagitta * double(tilt) + kDepthTie) * 0.3 : 0))
            << tilt;
        EXPECT_NEAR(double(m.normal.y), 1, 1e-6);
    }
}

// On a box narrower than itself its cap rests on the box's corners; over an edge on the part that is supported.
TEST(Cylinder, CapRestsOnWhatIsUnderIt) {
    const SharedShape post = buildShape(Box{{Real(0.1), Real(0.5), Real(0.1)}});
    const ContactManifold onPost = collideConvex(*post, {}, *cylinder(), {{0, 1, 0}, {}}, Real(0.01));
    ASSERT_EQ(onPost.count, 4);
    EXPECT_NEAR(double(span(onPost)), 0.2 * std::sqrt(2.0), 1e-5);

    const ContactManifold overEdge = onFloor(cylinder(), {{Real(5.1), kHalf, 0}, {}}, Real(0.01));
    ASSERT_GE(overEdge.count, 3);
    for (int k = 0; k < overEdge.count; ++k) {
        EXPECT_LE(double(overEdge.points[k].onA.x), 5 + 1e-4);
        EXPECT_LE(double(length(overEdge.points[k].onB - Vec3{Real(5.1), 0, 0})), double(kRadius) + 1e-4);
    }
    EXPECT_GT(double(span(overEdge)), 0.5);
}

TEST(Cylinder, StackedCapsTouchInFourPoints) {
    for (const Real offset : {Real(0), Real(0.1), Real(0.4)}) {
        const ContactManifold m = collideConvex(*cylinder(), {}, *cylinder(), {{offset, 1, 0}, turn(0, 1, 0)}, Real(0.01));
        EXPECT_GE(m.count, offset > Real(0.3) ? 3 : 4) << offset;
        EXPECT_NEAR(double(m.normal.y), 1, 1e-6);
    }
}

TEST(Cylinder, ParallelSidesTouchInTwoPoints) {
    for (const SharedShape& other : {cylinder(), capsule()}) {
        const ContactManifold m = collideConvex(*cylinder(), {}, *other, {{Real(0.599), Real(0.3), 0}, {}}, Real(0.01));
        ASSERT_EQ(m.count, 2);
        EXPECT_NEAR(double(m.normal.x), 1, 1e-6);
        EXPECT_NEAR(double(span(m)), 0.7, 1e-4);
        EXPECT_NEAR(double(m.points[0].separation), -0.001, 1e-5);
    }
}

// Deep inside each other, down to a common centre and axis: any way out is right if it is the shortest.
TEST(Cylinder, ConcentricCylindersArePushedTheShortestWay) {
    const ContactManifold m = collideConvex(*cylinder(), {}, *cylinder(), {}, 0);
    ASSERT_GT(m.count, 0);
    EXPECT_NEAR(double(m.points[0].separation), -2 * double(kRadius), 1e-4);
    EXPECT_NEAR(double(m.normal.y), 0, 1e-4);
}

TEST(Capsule, LyingTouchesInTwoPointsAndStandingInOne) {
    const ContactManifold lying = onFloor(capsule(), {{0, kRadius - Real(0.001), 0}, turn(0, 0, kPi / 2)}, Real(0.01));
    ASSERT_EQ(lying.count, 2);
    EXPECT_NEAR(double(span(lying)), 2 * double(kHalf), 1e-5);
    const ContactManifold standing = onFloor(capsule(), {{0, kHalf + kRadius - Real(0.001), 0}, {}}, 2);
    ASSERT_EQ(standing.count, 1);
    EXPECT_NEAR(double(standing.points[0].separation), -0.001, 1e-6);
    EXPECT_NEAR(double(standing.points[0].onB.y), -0.001, 1e-6);
}

TEST(Capsule, ParallelCapsulesTouchInTwoPointsCrossedInOne) {
    const ContactManifold parallel = collideConvex(*capsule(), {}, *capsule(), {{Real(0.6), Real(0.4), 0}, {}}, Real(0.01));
    ASSERT_EQ(parallel.count, 2);
    EXPECT_NEAR(double(span(parallel)), 0.6, 1e-5);
    const Pose crossing{{Real(0.55), 0, 0}, turn(kPi / 2, 0, 0)};
    const ContactManifold crossed = collideConvex(*capsule(), {}, *capsule(), crossing, Real(0.01));
    ASSERT_EQ(crossed.count, 1);
    EXPECT_NEAR(double(crossed.points[0].separation), -0.05, 1e-5);
    EXPECT_EQ(collideConvex(*capsule(), {}, *capsule(), {}, 0).count, 2);  // identical: still pushed sideways
}

}  // namespace
}  // namespace sunder::testing
