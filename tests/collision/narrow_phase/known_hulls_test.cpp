// Hulls that sway by a share of a millimetre as a pile settles. Looked at alone, every such pose may give another face or other
// points; told what was there before, the answer stays the same, and is hardly worse.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/shapes_for_tests.h"
#include "support/random_points.h"

namespace sunder::testing {
namespace {

using collision::collideConvex;
using collision::ContactManifold;
using collision::KnownManifold;

SharedShape randomHull(RandomPoints& random) {
    Hull hull;
    for (int i = 0; i < 12; ++i)
        hull.points.push_back(random.onSphere() * Real(0.3));
    return buildShape(hull);
}

KnownManifold knownFrom(const ContactManifold& m) {
    KnownManifold known;
    known.count = m.count;
    for (int i = 0; i < m.count; ++i)
        known.features[i] = m.points[i].feature;
    return known;
}

Real deepest(const ContactManifold& m) {
    Real least = kInfinity;
    for (int i = 0; i < m.count; ++i)
        least = min(least, m.points[i].separation);
    return least;
}

bool turns(const ContactManifold& before, const ContactManifold& after) {
    return length(after.normal - before.normal) > Real(5e-3);
}

TEST(KnownHulls, FaceIsKeptWhereAnotherIsHardlyBetter) {
    RandomPoints random(7);
    int looked = 0, turnsAlone = 0, turnsKnown = 0;
    for (int i = 0; i < 12000; ++i) {
        const SharedShape a = randomHull(random), b = randomHull(random);
        const Quat turn = random.rotation();
        const Vec3 along = random.onSphere();
        // Where they just overlap along that line.
        Real near = 0, far = Real(0.7);
        for (int k = 0; k < 12; ++k) {
            const Real middle = (near + far) / 2;
            const ContactManifold m = collideConvex(*a, {}, *b, {along * middle, turn}, Real(0.02));
            (m.count > 0 && deepest(m) < Real(-1e-2) ? near : far) = middle;
        }
        const ContactManifold first = collideConvex(*a, {}, *b, {along * near, turn}, Real(0.02));
        if (first.count < 3 || first.points[0].feature >> 31 != 0)  // not over a face
            continue;
        ++looked;
        const Pose later{along * near + random.inBox(5e-4), quatFromRotationVector(random.inBox(2e-3)) * turn};
        const ContactManifold alone = collideConvex(*a, {}, *b, later, Real(0.02));
        const ContactManifold again = collideConvex(*a, {}, *b, later, Real(0.02), knownFrom(first));
        turnsAlone += turns(first, alone);
        turnsKnown += turns(first, again);
        ASSERT_GT(again.count, 0);
        // 5e-3 of the size is what an axis may be worse, 1e-2 a point.
        EXPECT_NEAR(double(deepest(again)), double(deepest(alone)), 0.02 * 0.3);
    }
    EXPECT_GT(looked, 300);
    EXPECT_GT(turnsAlone, 10);
    EXPECT_LT(4 * turnsKnown, turnsAlone) << turnsKnown << " of " << turnsAlone << " in " << looked;
}

// What is known is no reason to keep a face that has become wrong.
TEST(KnownHulls, FaceIsDroppedWhereAnotherIsBetter) {
    Hull cube;
    for (int i = 0; i < 8; ++i)
        cube.points.push_back({i & 1 ? Real(0.5) : Real(-0.5), i & 2 ? Real(0.5) : Real(-0.5), i & 4 ? Real(0.5) : Real(-0.5)});
    const SharedShape shape = buildShape(cube);
    const ContactManifold onTop = collideConvex(*shape, {}, *shape, {{0, Real(0.99), 0}, {}}, Real(0.02));
    ASSERT_EQ(onTop.count, 4);
    const ContactManifold beside =
        collideConvex(*shape, {}, *shape, {{Real(0.99), Real(0.3), 0}, {}}, Real(0.02), knownFrom(onTop));
    EXPECT_NEAR(beside.normal.x, 1, 1e-6);
}

}  // namespace
}  // namespace sunder::testing
