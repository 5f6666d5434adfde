// Contacts of level sets against the exact shapes they were sampled from.
#include <gtest/gtest.h>

#include <algorithm>

#include "collision/narrow_phase/collide.h"
#include "collision/narrow_phase/level_set/particle_probe.h"
#include "collision/narrow_phase/manifold/rest_depth.h"
#include "collision/query/point_distance.h"
#include "collision/query/ray.h"
#include "collision/query/shape_cast.h"
#include "support/level_sets.h"
#include "support/random_points.h"

namespace sunder::collision {
namespace {

using testing::levelSetOf;

struct Deepest {
    Real separation = kInfinity;
    Vec3 normal;
};

Deepest deepestOf(const ManifoldList& manifolds) {
    Deepest deepest;
    for (const ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            if (manifold.points[i].separation < deepest.separation)
                deepest = {manifold.points[i].separation, manifold.normal};
    return deepest;
}

// Two spheres of radius 0.2 that overlap by 5 mm, one or both as level sets: depth and normal are known. Particles lie on the
// surface, one per cell, so the deepest misses the contact by at most a cell and a half across, which is
// s^2 / 2R on each curved side.
TEST(LevelSetContact, SphereDepthAndNormalConverge) {
    testing::RandomPoints random(3);
    const double radius = 0.2, overlap = 0.005;
    const SharedShape exact = buildShape(Sphere{Real(radius)});
    double lastDepthError = 1;
    for (const double cell : {0.04, 0.028, 0.02}) {
        const SharedShape sampled = buildShape(levelSetOf(Sphere{Real(radius)}, cell));
        double worstDepth = 0, worstNormal = 0;
        for (int i = 0; i < 40; ++i) {
            const Vec3 direction = random.onSphere();
            const Pose a{{}, random.rotation()}, b{direction * Real(2 * radius - overlap), random.rotation()};
            for (const SharedShape& other : {exact, sampled}) {
                ManifoldList manifolds;
                EXPECT_EQ(collide(*sampled, a, *other, b, Real(0.002), manifolds), 0);
                const Deepest deepest = deepestOf(manifolds);
                worstDepth = std::max(worstDepth, std::fabs(double(deepest.separation) + overlap));
                worstNormal = std::max(worstNormal, double(length(deepest.normal - direction)));
            }
        }
        const double miss = 1.5 * cell;
        EXPECT_LT(worstDepth, miss * miss / radius + 0.05 * cell) << cell;
        EXPECT_LT(worstNormal, miss / radius) << cell;
        EXPECT_LT(worstDepth, lastDepthError);
        lastDepthError = worstDepth;
    }
}

// A cube flat on the face of another, each as a box or a level set: the normal is the face's and four points carry it.
TEST(LevelSetContact, FlatBoxesHaveTheFacesNormal) {
    const double cell = 0.02;
    const Shape small = Box{{Real(0.2), Real(0.2), Real(0.2)}}, large = Box{{1, Real(0.2), 1}};
    const SharedShape shapes[2][2] = {{buildShape(small), buildShape(levelSetOf(small, cell))},
                                      {buildShape(large), buildShape(levelSetOf(large, 2 * cell))}};
    for (int upper = 0; upper < 2; ++upper)
        for (int lower = upper == 0 ? 1 : 0; lower < 2; ++lower) {
            ManifoldList manifolds;
            collide(*shapes[1][lower], {}, *shapes[0][upper], {{Real(0.013), Real(0.399), Real(0.007)}, {}}, Real(0.004),
                    manifolds);
            ASSERT_FALSE(manifolds.empty());
            EXPECT_EQ(manifolds[0].count, 4);
            EXPECT_GT(manifolds[0].normal.y, 0.9999) << upper << lower;
            for (int i = 0; i < manifolds[0].count; ++i) {
                const ContactPoint& point = manifolds[0].points[i];
                EXPECT_NEAR(point.separation, -0.001, 0.02 * cell);
                EXPECT_LT(length(point.onB - point.onA - manifolds[0].normal * point.separation), 1e-6);
            }
            // The points span nearly the whole face.
            Bounds span;
            for (int i = 0; i < 4; ++i)
                span = unite(span, manifolds[0].points[i].onA);
            EXPECT_GT((span.high.x - span.low.x) * (span.high.z - span.low.z), 0.25 * 0.16);
        }
}

// The same contacts with the pair exchanged, normals reversed.
TEST(LevelSetContact, ExchangingThePairReversesNormals) {
    const SharedShape levelSet = buildShape(levelSetOf(Box{{Real(0.2), Real(0.1), Real(0.15)}}, 0.02));
    const SharedShape ball = buildShape(Sphere{Real(0.1)});
    const Pose pose{{Real(0.05), Real(0.195), Real(0.02)}, {}};
    ManifoldList one, other;
    collide(*levelSet, {}, *ball, pose, Real(0.01), one);
    collide(*ball, pose, *levelSet, {}, Real(0.01), other);
    ASSERT_EQ(one.size(), other.size());
    const Deepest first = deepestOf(one), second = deepestOf(other);
    EXPECT_EQ(first.separation, second.separation);
    EXPECT_LT(length(first.normal + second.normal), 1e-6);
    EXPECT_NEAR(first.separation, -0.005, 1e-4);
}

// What collide returns for shapes apart is a bound: moving by less than it finds nothing either. Recycling relies on it.
TEST(LevelSetContact, ReturnedDistanceIsALowerBound) {
    testing::RandomPoints random(5);
    const SharedShape shape = buildShape(testing::arc(0.3, 0.07, 0, 5, 0.03));
    int apart = 0;
    for (int i = 0; i < 200; ++i) {
        const Pose a{{}, random.rotation()};
        Pose b{random.onSphere() * random.between(Real(0.3), Real(1.2)), random.rotation()};
        ManifoldList manifolds;
        const Real distance = collide(*shape, a, *shape, b, Real(0.01), manifolds);
        if (!manifolds.empty())
            continue;
        ++apart;
        b.position += random.onSphere() * (distance * Real(0.999) - Real(1e-5));
        collide(*shape, a, *shape, b, 0, manifolds);
        EXPECT_TRUE(manifolds.empty());
    }
    EXPECT_GT(apart, 50);
}

// With a spread only what is little farther than the nearest is looked for: the nearest is the same, and the search sees no
// more than that cap of the two balls.
TEST(LevelSetContact, SpreadKeepsTheNearest) {
    testing::RandomPoints random(17);
    const Real radius = Real(0.2), spread = Real(0.02);
    const SharedShape ball = buildShape(levelSetOf(Sphere{radius}, 0.02));
    for (int i = 0; i < 40; ++i) {
        const Pose a{{}, random.rotation()}, b{random.onSphere() * random.between(Real(0.39), Real(0.45)), random.rotation()};
        ManifoldList all, few;
        EXPECT_EQ(collide(*ball, a, *ball, b, Real(0.2), all), 0);
        EXPECT_EQ(collide(*ball, a, *ball, b, Range{Real(0.2), spread}, few), 0);
        const Deepest nearest = deepestOf(few);
        EXPECT_EQ(nearest.separation, deepestOf(all).separation);
        EXPECT_GT(dot(nearest.normal, deepestOf(all).normal), 0.9999);
        for (const ContactManifold& manifold : few)
            for (int k = 0; k < manifold.count; ++k)
                EXPECT_LE(manifold.points[k].separation, nearest.separation + spread);
    }
}

// The round face of a piece of a ball has particles so near to each other that it does not rise between them; a flat one has
// few.
TEST(PieceParticles, AreDenserWhereASurfaceIsCurved) {
    const Real cell = Real(0.01), radius = Real(0.26);
    const auto particlesOf = [&](const Shape& shape, Real above) {
        const SharedShape built = buildShape(levelSetOf(shape, double(cell)));
        const geometry::LevelSet16& field = built->levelSet->field();
        std::vector<geometry::SurfaceVertex> vertices = geometry::surfaceVertices(field);
        std::erase_if(vertices, [&](const geometry::SurfaceVertex& vertex) { return vertex.position.x < above; });
        return fewOfPiece(geometry::makeParticles(field.grid, vertices), field, {});
    };
    const Real above = Real(0.2);
    const geometry::SurfaceParticles cap = particlesOf(Sphere{radius}, above);
    EXPECT_LE(cap.size(), kMostOfSmallPiece);
    testing::RandomPoints random(5);
    Real farthest = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vec3 point = random.onSphere() * radius;
        Real least = kInfinity;
        for (const Vec3& position : cap.positions)
            least = min(least, length(position - point));
        farthest = max(farthest, point.x > above ? least : Real(0));
    }
    EXPECT_LT(farthest, 2 * cell);  // 2.8 with one per 4^3 cells
    const geometry::SurfaceParticles box = particlesOf(Box{{Real(0.1), Real(0.1), Real(0.1)}}, -1);
    const auto smooth = std::count(box.features.begin(), box.features.end(), geometry::SurfaceFeature::Smooth);
    EXPECT_LT(smooth, 6 * 20 * 20 / 8);  // of one per cell
}

// A spike of less than a cell's width on the floor of a cup, where the convex hull does not need it, keeps the particle of its
// tip; a small piece keeps all of its own.
TEST(PieceParticles, KeepTips) {
    const Real cell = Real(0.01), half = Real(0.25), height = 3 * cell;
    LevelSet cup;
    cup.cell = cell;
    cup.parts.push_back({Box{{half, height, half}}, {0, -height, 0}, {}});
    for (const Real side : {half, -half}) {
        cup.parts.push_back({Box{{height, 3 * height, half}}, {side, 0, 0}, {}});
        cup.parts.push_back({Box{{half, 3 * height, height}}, {0, 0, side}, {}});
    }
    // Along a line of nodes, so that the grid sees it; it does not change the grid.
    const geometry::Grid grid = buildShape(cup)->levelSet->field().grid;
    const Vec3 foot = grid.position(grid.nodes.x / 2, grid.nodes.y / 2, grid.nodes.z / 2);
    cup.parts.push_back({Capsule{Real(0.3) * cell, 2 * cell}, {foot.x, 0, foot.z}, {}});
    const geometry::LevelSet16 field = buildShape(cup)->levelSet->field();
    const std::vector<geometry::SurfaceVertex> vertices = geometry::surfaceVertices(field);
    Vec3 tip{0, -1, 0};
    for (const geometry::SurfaceVertex& vertex : vertices)
        if (length(Vec3{vertex.position.x - foot.x, 0, vertex.position.z - foot.z}) < 2 * cell && vertex.position.y > tip.y)
            tip = vertex.position;
    ASSERT_GT(tip.y, cell);
    const geometry::SurfaceParticles few = fewOfPiece(geometry::makeParticles(field.grid, vertices), field, {});
    EXPECT_LT(few.size(), vertices.size() / 4);
    Real nearest = kInfinity;
    for (const Vec3& position : few.positions)
        nearest = min(nearest, length(position - tip));
    EXPECT_LT(nearest, Real(0.1) * cell);

    const geometry::LevelSet16 small =
        buildShape(levelSetOf(Box{{Real(0.06), Real(0.06), Real(0.06)}}, double(cell)))->levelSet->field();
    const std::vector<geometry::SurfaceVertex> all = geometry::surfaceVertices(small);
    EXPECT_EQ(fewOfPiece(geometry::makeParticles(small.grid, all), small, {}).size(), all.size());
}

// A cube that has come to lie in a larger one is pushed out on one side: nothing holds it from the other.
TEST(LevelSetContact, WhatIsInsideIsPushedOneWay) {
    const SharedShape small = buildShape(levelSetOf(Box{{Real(0.06), Real(0.06), Real(0.06)}}, 0.01));
    const SharedShape large = buildShape(levelSetOf(Box{{Real(0.2), Real(0.2), Real(0.2)}}, 0.01));
    testing::RandomPoints random(29);
    for (int i = 0; i < 50; ++i) {
        ManifoldList manifolds;
        collide(*small, {random.onSphere() * Real(0.12), random.rotation()}, *large, {{}, {}}, Real(0.01), manifolds);
        ASSERT_FALSE(manifolds.empty());
        for (const ContactManifold& manifold : manifolds)
            EXPECT_GT(dot(manifold.normal, manifolds[0].normal), -0.01) << i;
    }
}

// A ring passes through a ring without touching where there is room: the hole is a hole.
TEST(LevelSetContact, HolesAreEmpty) {
    const SharedShape ring = buildShape(testing::arc(0.3, 0.05, 0, 2 * 3.14159265, 0.02));
    const SharedShape ball = buildShape(Sphere{Real(0.2)}), large = buildShape(Sphere{Real(0.28)});
    EXPECT_FALSE(findOverlap({*ball, {}, {}}, {*ring, {}, {}}));
    EXPECT_TRUE(findOverlap({*large, {}, {}}, {*ring, {}, {}}));
}

TEST(LevelSetQuery, RaysDistancesAndCastsOfASphere) {
    testing::RandomPoints random(11);
    const double radius = 0.3, cell = 0.02, tolerance = 0.05 * cell;
    const SharedShape sphere = buildShape(levelSetOf(Sphere{Real(radius)}, cell)), ball = buildShape(Sphere{Real(0.1)});
    for (int i = 0; i < 50; ++i) {
        const Vec3d out = toDouble(random.onSphere());
        const Quat turn = random.rotation();
        const auto ray = castRay({*sphere, out * -1.5, turn}, out * -2.0, 1, false);
        ASSERT_TRUE(ray);
        EXPECT_NEAR(ray->fraction * 2, 1.5 - radius, tolerance);
        EXPECT_GT(dot(ray->normal, out), 0.99);
        const double away = random.between(Real(-0.2), Real(1));
        const auto near = findDistance({*sphere, out * -(radius + away), turn}, 10);
        ASSERT_TRUE(near);
        EXPECT_NEAR(near->distance, away, 3 * tolerance);
        const auto cast = castShape({*ball, out, {}}, out * -1.0, {*sphere, {}, turn}, 1, false);
        ASSERT_TRUE(cast);
        EXPECT_NEAR(cast->fraction, 1 - radius - 0.1, 0.1 * cell);
    }
    EXPECT_FALSE(castRay({*sphere, {0.31, 0, 1}, {}}, {0, 0, 2}, 1, false));
}

// Overlap at birth counts as none, what comes on top of it does, and what was once given up does not come back.
TEST(RestDepth, IsMeasuredOnceAndOnlyShrinks) {
    const auto manifoldWith = [](Real separation) {
        ContactManifold manifold;
        manifold.normal = {0, 1, 0};
        manifold.count = 1;
        manifold.points[0] = {{}, {0, separation, 0}, separation, 7};
        return ManifoldList{manifold};
    };
    Real rest = kMeasureRestDepth;
    const auto seen = [&](Real separation) {
        ManifoldList manifolds = manifoldWith(separation);
        tolerateOverlap(manifolds, rest);
        EXPECT_EQ(manifolds[0].points[0].onB.y, manifolds[0].points[0].separation);
        return manifolds[0].points[0].separation;
    };
    EXPECT_EQ(seen(Real(-0.25)), 0);           // born 0.25 deep
    EXPECT_EQ(seen(Real(-0.5)), Real(-0.25));  // pressed on
    EXPECT_EQ(seen(Real(-0.125)), 0);          // half way out
    EXPECT_EQ(rest, Real(0.125));
    EXPECT_EQ(seen(Real(-0.25)), Real(-0.125));  // and back
    EXPECT_EQ(seen(Real(0.5)), Real(0.5));       // apart
    EXPECT_EQ(seen(Real(-0.25)), Real(-0.25));
}

// The mean normal of a thin wedge may point along the surface it lies in: it is held where it cannot have come through from the
// far side, and let go where it can.
TEST(LevelSetContact, ThinWedgesAreHeld) {
    const Vec3 up{0, 1, 0}, aside = normalizeOr(Vec3{1, Real(0.2), 0}, up);
    Vec3 normal;
    using geometry::SurfaceFeature;
    EXPECT_TRUE(chooseNormal(up, {aside, up, SurfaceFeature::Edge, Reading::Shallow, false}, normal));
    EXPECT_EQ(normal, up);
    EXPECT_FALSE(chooseNormal(up, {aside, up, SurfaceFeature::Edge, Reading::Touching, false}, normal));
    EXPECT_FALSE(chooseNormal(up, {up, up, SurfaceFeature::Edge, Reading::Shallow, false}, normal));
    EXPECT_FALSE(chooseNormal(up, {aside, up, SurfaceFeature::Smooth, Reading::Shallow, false}, normal));
}

// The normal of a sliver's tip is as good as any. One that is inside is pushed out where the rest of its body is; not from
// outside, and not where the body lies on the other side.
TEST(LevelSetContact, TipsArePushedTowardsTheirBodies) {
    const Vec3 up{0, 1, 0};
    Vec3 normal;
    using geometry::SurfaceFeature;
    for (const SurfaceFeature feature : {SurfaceFeature::Smooth, SurfaceFeature::Edge, SurfaceFeature::Corner})
        for (const Reading reading : {Reading::Shallow, Reading::Deep}) {
            EXPECT_TRUE(chooseNormal(up, {up, -up, feature, reading, false}, normal));
            EXPECT_EQ(normal, up);
            EXPECT_FALSE(chooseNormal(up, {up, up, feature, reading, false}, normal));
            EXPECT_FALSE(chooseNormal(up, {up, -up, feature, Reading::Touching, false}, normal));
            EXPECT_FALSE(chooseNormal(up, {up, -up, feature, Reading::Apart, false}, normal));
        }
}

// Whatever the slope of what lies in it, flat ground pushes straight up: slanting normals wedged shards between them.
TEST(LevelSetContact, FlatGroundPushesUp) {
    const Real half = Real(0.06);
    const SharedShape cube = buildShape(levelSetOf(Box{{half, half, half}}, 0.01));
    const SharedShape ground = buildShape(Box{{2, Real(0.5), 2}});
    testing::RandomPoints random(31);
    for (int i = 0; i < 100; ++i) {
        const Quat turn = random.rotation();
        const Mat3 axes = toMatrix(turn);
        const Real reach = half * (std::fabs(axes.row1.x) + std::fabs(axes.row1.y) + std::fabs(axes.row1.z));
        ManifoldList manifolds;
        collide(*cube, {{0, Real(0.5) + reach - Real(0.015), 0}, turn}, *ground, {{}, {}}, Real(0.002), manifolds);
        ASSERT_FALSE(manifolds.empty());
        for (const ContactManifold& manifold : manifolds)
            EXPECT_LT(manifold.normal.y, -0.9999) << i;
    }
}

// A box whose sides are near is looked at with all of its faces, one whose sides are far by the face alone: the same contacts.
TEST(LevelSetContact, OneFaceOfABoxIsAsGoodAsAll) {
    const Real half = Real(0.06), margin = Real(0.004);
    const SharedShape cube = buildShape(levelSetOf(Box{{half, half, half}}, 0.01));
    const SharedShape wide = buildShape(Box{{2, Real(0.5), 2}}), narrow = buildShape(Box{{Real(0.16), Real(0.5), Real(0.16)}});
    testing::RandomPoints random(32);
    for (int i = 0; i < 100; ++i) {
        const Quat turn = random.rotation();
        const Mat3 axes = toMatrix(turn);
        const Real reach = half * (std::fabs(axes.row1.x) + std::fabs(axes.row1.y) + std::fabs(axes.row1.z));
        const Pose pose{{0, Real(0.5) + reach + random.between(-0.003, 0.003), 0}, turn};
        ManifoldList ofFace, ofBox;
        collide(*cube, pose, *wide, {{}, {}}, margin, ofFace);
        collide(*cube, pose, *narrow, {{}, {}}, margin, ofBox);
        ASSERT_EQ(ofFace.size(), ofBox.size()) << i;
        for (std::size_t m = 0; m < ofFace.size(); ++m) {
            ASSERT_EQ(ofFace[m].count, ofBox[m].count);
            EXPECT_EQ(ofFace[m].key, ofBox[m].key);
            EXPECT_LT(length(ofFace[m].normal - ofBox[m].normal), Real(1e-5));
            EXPECT_NEAR(deepestOf({ofFace[m]}).separation, deepestOf({ofBox[m]}).separation, 1e-6);
        }
    }
}

}  // namespace
}  // namespace sunder::collision
