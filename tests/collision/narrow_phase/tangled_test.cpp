// Level sets that have gone through each other find the way out.
#include "collision/narrow_phase/level_set/tangled.h"

#include <gtest/gtest.h>

#include "collision/narrow_phase/collide.h"
#include "math/quat.h"
#include "support/level_sets.h"
#include "support/random_points.h"

namespace sunder::collision {
namespace {

constexpr double kCell = 0.0067;

// The way that the manifolds ask B to go: the deepest point of each.
Vec3 wayOut(const ManifoldList& manifolds, Real& deepest) {
    Vec3 way{};
    deepest = 0;
    for (const ContactManifold& manifold : manifolds) {
        Real separation = 0;
        for (int i = 0; i < manifold.count; ++i)
            separation = min(separation, manifold.points[i].separation);
        way -= manifold.normal * separation;
        deepest = min(deepest, separation);
    }
    return way;
}

// m: how deep the two are in each other after they were moved apart `rounds` times as their manifolds say.
Real depthAfter(int rounds, const BuiltShape& shape, const Pose& a, Pose b) {
    Real deepest = 0;
    ManifoldList manifolds;
    for (int i = 0; i < rounds; ++i) {
        manifolds.clear();
        collide(shape, a, shape, b, {Real(0.25 * kCell), Real(3 * kCell)}, manifolds);
        b.position += wayOut(manifolds, deepest);
    }
    return -deepest;
}

// Panes one and a half cells thick, as a pane of glass has by default, laid through each other at random.
TEST(Tangled, ShardsThatCrossComeApart) {
    const SharedShape pane = buildShape(testing::levelSetOf(Box{{Real(0.1), Real(0.08), Real(0.005)}}, kCell));
    testing::RandomPoints random(7);
    int crossing = 0, stuck = 0;
    for (int i = 0; i < 200; ++i) {
        const Pose a{{}, random.rotation()}, b{random.inBox(0.05), random.rotation()};
        crossing += depthAfter(1, *pane, a, b) > 0;
        stuck += depthAfter(30, *pane, a, b) > Real(0.5 * kCell);
    }
    EXPECT_GT(crossing, 150);
    EXPECT_EQ(stuck, 0);
}

// What is not convex, or meets from outside, keeps the contacts of its particles.
TEST(Tangled, HullsAreForConvexBodiesThatCrossAlone) {
    const auto ways = [](const Shape& solid, const Pose& b) {
        const SharedShape shape = buildShape(solid);
        const ParticleContact deep{{}, {0, 1, 0}, Real(-0.004), 0, false};
        ManifoldList out;
        return collideTangled(*shape->levelSet, {}, *shape->levelSet, b, {&deep, 1}, Real(0.001), out);
    };
    const Shape pane = testing::levelSetOf(Box{{Real(0.1), Real(0.005), Real(0.1)}}, kCell);
    const Shape ring = testing::arc(0.1, 0.01, 0, 6.2831853, kCell);
    const Pose upright{{0, Real(0.05), 0}, {Real(0.70710678), 0, 0, Real(0.70710678)}};
    EXPECT_TRUE(ways(pane, upright));
    EXPECT_FALSE(ways(pane, {{0, Real(0.006), 0}, {}}));
    EXPECT_FALSE(ways(ring, upright));
}

}  // namespace
}  // namespace sunder::collision
