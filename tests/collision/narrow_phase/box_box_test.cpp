// Boxes on boxes: patches, features and their persistence.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/shapes_for_tests.h"

namespace sunder::testing {
namespace {

using collision::collideConvex;
using collision::ContactManifold;

const SharedShape& unitBox() {
    static const SharedShape box = buildShape(Box{{Real(0.5), Real(0.5), Real(0.5)}});
    return box;
}

ContactManifold onUnitBox(const Pose& upper, Real margin) { return collideConvex(*unitBox(), {}, *unitBox(), upper, margin); }

std::set<std::uint32_t> features(const ContactManifold& m) {
    std::set<std::uint32_t> set;
    for (int i = 0; i < m.count; ++i)
        set.insert(m.points[i].feature);
    return set;
}

TEST(BoxBox, StackedExactlyTouchesInFourCorners) {
    const ContactManifold m = onUnitBox({{0, 1, 0}, {}}, 0);
    ASSERT_EQ(m.count, 4);
    EXPECT_EQ(m.normal, (Vec3{0, 1, 0}));
    for (const auto& p : m.points) {
        EXPECT_NEAR(double(p.separation), 0, 1e-6);
        EXPECT_NEAR(std::fabs(double(p.onA.x)), 0.5, 1e-6);
        EXPECT_NEAR(std::fabs(double(p.onA.z)), 0.5, 1e-6);
    }
}

// A box that will land flat must be caught by its four corners, not by one.
TEST(BoxBox, FallingFlatGivesFourPointsAhead) {
    const ContactManifold m = onUnitBox({{Real(0.2), Real(1.3), Real(-0.1)}, {}}, Real(0.5));
    ASSERT_EQ(m.count, 4);
    for (const auto& p : m.points)
        EXPECT_NEAR(double(p.separation), 0.3, 1e-6);
}

// The jitter of a resting stack (micrometres, microradians) must change neither the features nor the face's normal.
TEST(BoxBox, RestingStackKeepsItsFeatures) {
    RandomPoints random(3);
    const auto reference = features(onUnitBox({{0, Real(0.9995), 0}, {}}, Real(0.01)));
    for (int i = 0; i < 300; ++i) {
        const Vec3 shake = random.inBox(2e-6) + Vec3{0, Real(0.9995), 0}, tilt = random.inBox(2e-6);
        const ContactManifold m = onUnitBox({shake, quatFromRotationVector(tilt)}, Real(0.01));
        ASSERT_EQ(features(m), reference);
        EXPECT_GT(double(m.normal.y), 1 - 1e-6);
    }
}

// Tilts of up to a milliradian, with overhang, touching or nearly so: still a patch and not one edge.
TEST(BoxBox, SlightlyTiltedOverhangKeepsAPatch) {
    RandomPoints random(4);
    for (int i = 0; i < 500; ++i) {
        const Vec3 tilt = random.inBox(5e-4);
        const Real x = random.between(-0.7, 0.7), z = random.between(-0.7, 0.7), y = random.between(0.998, 1.001);
        const ContactManifold m = onUnitBox({{x, y, z}, quatFromRotationVector(tilt)}, Real(0.01));
        ASSERT_EQ(m.count, 4) << i;
        EXPECT_GT(double(m.normal.y), 0.99999);
    }
}

// Sliding a box over another changes its features only when a corner crosses a side.
TEST(BoxBox, SlidingKeepsFeaturesBetweenCrossings) {
    int changes = 0;
    std::set<std::uint32_t> before;
    for (int i = 0; i < 1000; ++i) {
        const Real x = Real(-0.8) + Real(i) * Real(0.0016);
        const ContactManifold m = onUnitBox({{x, Real(0.999), Real(0.15)}, {}}, Real(0.01));
        ASSERT_EQ(m.count, 4);
        const auto now = features(m);
        changes += i > 0 && now != before;
        before = now;
    }
    EXPECT_LE(changes, 2);  // the box passes the place where both sides are flush once
}

// Two edges that cross at right angles, overlapping by 0.1: one point, normal along their common perpendicular.
TEST(BoxBox, CrossedEdgesTouchInOnePoint) {
    const Real s = std::sqrt(Real(2)) / 2;
    const Quat aboutZ = normalize(Quat{0, 0, Real(0.41421356), 1}), aboutX = normalize(Quat{Real(0.41421356), 0, 0, 1});
    for (const Real depth : {Real(0.1), Real(-0.1)}) {
        const ContactManifold m = collideConvex(*unitBox(), {{}, aboutZ}, *unitBox(), {{0, 2 * s - depth, 0}, aboutX}, 1);
        ASSERT_EQ(m.count, 1);
        EXPECT_NEAR(double(m.normal.y), 1, 1e-5);
        EXPECT_NEAR(double(m.points[0].separation), -double(depth), 1e-5);
        EXPECT_NEAR(double(m.points[0].onA.y), double(s), 1e-5);
    }
}

// Apart diagonally: the distance is between edges or corners, which no face or edge axis measures.
TEST(BoxBox, DiagonalGapsAreMeasuredBetweenEdgesAndCorners) {
    const ContactManifold edges = onUnitBox({{Real(1.3), Real(1.4), 0}, {}}, 1);
    ASSERT_EQ(edges.count, 2);
    EXPECT_NEAR(double(edges.points[0].separation), 0.5, 1e-5);
    EXPECT_NEAR(double(edges.points[1].separation), 0.5, 1e-5);
    EXPECT_NEAR(double(edges.normal.x), 0.6, 1e-5);
    EXPECT_NEAR(std::fabs(double(edges.points[0].onA.z - edges.points[1].onA.z)), 1, 1e-5);

    const ContactManifold corners = onUnitBox({{Real(1.2), Real(1.4), Real(1.4)}, {}}, 1);
    ASSERT_EQ(corners.count, 1);
    EXPECT_NEAR(double(corners.points[0].separation), 0.6, 1e-5);
    EXPECT_EQ(onUnitBox({{Real(1.2), Real(1.4), Real(1.4)}, {}}, Real(0.59)).count, 0);
}

// Two equal squares at 45 degrees overlap in an octagon; four of its corners are kept that span most of it.
TEST(BoxBox, OctagonIsReducedToAWidePatch) {
    const ContactManifold m = onUnitBox({{0, Real(0.99), 0}, normalize(Quat{0, Real(0.41421356), 0, 1})}, 0);
    ASSERT_EQ(m.count, 4);
    Real area = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            for (int k = j + 1; k < 4; ++k)
                area += length(cross(m.points[j].onA - m.points[i].onA, m.points[k].onA - m.points[i].onA)) / 4;
    EXPECT_GT(double(area), 0.55);  // of the octagon's 0.83; no four of its corners span more than 0.59
}

collision::KnownManifold known(const ContactManifold& m) {
    collision::KnownManifold k;
    k.count = m.count;
    for (int i = 0; i < m.count; ++i)
        k.features[i] = m.points[i].feature;
    return k;
}

// Whether the normal turned, or a point went, much further than the boxes moved.
bool hops(const ContactManifold& before, const ContactManifold& after) {
    if (length(after.normal - before.normal) > Real(5e-3))
        return true;
    for (int i = 0; i < before.count; ++i) {
        Real nearest = kInfinity;
        for (int k = 0; k < after.count; ++k)
            nearest = min(nearest, length(after.points[k].onA - before.points[i].onA));
        if (nearest > Real(0.02))
            return true;
    }
    return false;
}

// Boxes that lie across each other's edges sway by a millimetre and a milliradian as a pile settles. Looked at alone, every
// such pose may give another axis or other points; told what was there before, the answer stays the same.
TEST(BoxBox, KnownManifoldIsGivenAgainWhereAnotherIsHardlyBetter) {
    RandomPoints random(11);
    int hopsAlone = 0, hopsKnown = 0;
    for (int i = 0; i < 20000; ++i) {
        const Quat turn =
            quatFromRotationVector({Real(0.03) * random.inBox(1).x, 3 * random.inBox(1).y, Real(0.03) * random.inBox(1).z});
        Vec3 place = Vec3{Real(0.5), 0, Real(0.5)} + random.inBox(0.3);
        place.y = Real(0.985) + Real(0.01) * random.inBox(1).y;  // touching, and every point of the patch within the margin
        const ContactManifold first = onUnitBox({place, turn}, Real(0.1));
        const Pose later{place + random.inBox(5e-4), quatFromRotationVector(random.inBox(5e-4)) * turn};
        const ContactManifold alone = onUnitBox(later, Real(0.1));
        const ContactManifold again = collideConvex(*unitBox(), {}, *unitBox(), later, Real(0.1), known(first));
        hopsAlone += hops(first, alone);
        hopsKnown += hops(first, again);
        // Kept or not, it holds the bodies as far apart: 5e-3 of the size is what an axis may be worse, 1e-2 a point.
        const auto deepest = [](const ContactManifold& m) {
            Real least = kInfinity;
            for (int k = 0; k < m.count; ++k)
                least = min(least, m.points[k].separation);
            return double(least);
        };
        EXPECT_NEAR(deepest(again), deepest(alone), 2e-2);
    }
    EXPECT_LT(5 * hopsKnown, hopsAlone) << hopsKnown << " of " << hopsAlone;
    EXPECT_GT(hopsAlone, 20);
}

// What is known is no reason to keep an axis that has become wrong.
TEST(BoxBox, KnownManifoldIsDroppedWhereAnotherIsBetter) {
    const ContactManifold onTop = onUnitBox({{0, Real(0.99), 0}, {}}, Real(0.02));
    const Pose beside{{Real(0.99), Real(0.3), 0}, {}};
    const ContactManifold m = collideConvex(*unitBox(), {}, *unitBox(), beside, Real(0.02), known(onTop));
    EXPECT_EQ(m.normal, (Vec3{1, 0, 0}));
}

// Where two edges cross is a corner of the region in which the faces lie over each other too. As two points the place bore
// twice its load, and heaps of planks never came to rest.
TEST(BoxBox, NoTwoPointsOfAManifoldAreOnePlace) {
    RandomPoints random(3);
    int doubled = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vec3 half{random.between(0.1, 1), random.between(0.02, 0.1), random.between(0.1, 1)};
        const SharedShape a = buildShape(Box{half}), b = buildShape(Box{half});
        const Quat turn = quatFromRotationVector(random.inBox(0.2)) * quatFromRotationVector({0, random.between(-2, 2), 0});
        const Pose above{Vec3{random.between(-1, 1) * half.x, Real(1.9) * half.y, random.between(-1, 1) * half.z}, turn};
        const ContactManifold m = collideConvex(*a, {}, *b, above, Real(0.02));
        for (int k = 0; k < m.count; ++k)
            for (int other = 0; other < k; ++other)
                doubled += length(m.points[k].onA - m.points[other].onA) < Real(1e-3) * length(half);
    }
    EXPECT_LE(doubled, 5);  // where a corner of one face lies on an edge of the other
}

}  // namespace
}  // namespace sunder::testing
