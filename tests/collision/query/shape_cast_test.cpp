// Shape casts against brute force: the narrow phase at many places along the way.
#include "collision/query/shape_cast.h"

#include <gtest/gtest.h>

#include "collision/narrow_phase/collide.h"
#include "collision/query/ray.h"
#include "collision/shapes_for_tests.h"
#include "support/mesh_builder.h"

namespace sunder::collision {
namespace {

using testing::RandomPoints;

Real separationAt(const ShapeAt& a, const ShapeAt& b, const Vec3d& moved, Real far) {
    ManifoldList manifolds;
    collide(a.shape, {toReal(a.position + moved), a.orientation}, b.shape, {toReal(b.position), b.orientation}, far, manifolds);
    Real least = far;
    for (const ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            least = min(least, manifold.points[i].separation);
    return least;
}

void expectFirstTouch(const ShapeAt& moving, const Vec3d& way, const ShapeAt& target, const std::string& what, int& hits) {
    constexpr int kSamples = 200;
    constexpr Real kRounding = Real(1e-5);  // the narrow phase rounds its points to float
    const auto hit = castShape(moving, way, target, 1, false);
    const double end = hit ? hit->fraction : 1;
    for (int i = 0; i < kSamples * end; ++i)
        ASSERT_GT(separationAt(moving, target, way * (double(i) / kSamples), 1), -kRounding) << what << " missed at " << i;
    if (!hit)
        return;
    ++hits;
    if (hit->startsInside) {
        ASSERT_LT(separationAt(moving, target, {}, 1), kRounding) << what;
        ASSERT_NEAR(-separationAt(moving, target, {}, 1), hit->depth, 1e-4) << what;
        return;
    }
    ASSERT_NEAR(separationAt(moving, target, way * hit->fraction, 1), 0, kRounding) << what;
    ASSERT_LT(dot(hit->normal, way), 0) << what;
}

TEST(ShapeCast, StopsAtTheFirstTouch) {
    RandomPoints random(31);
    int hits = 0, pairs = 0;
    for (const ShapeType typeA : testing::kConvexTypes)
        for (const ShapeType typeB : testing::kConvexTypes)
            for (int i = 0; i < 12; ++i) {
                const SharedShape a = testing::randomShape(random, typeA, 0.05, 0.5);
                const SharedShape b = testing::randomShape(random, typeB, 0.05, 0.5);
                // One number after the other: compilers choose the order of operands and arguments.
                const Real distance = random.between(1, 3);
                const Vec3 start = random.onSphere() * distance;
                const Vec3d way = toDouble((random.inBox(0.8) - start) * 2);
                const Quat turnB = random.rotation(), turnA = random.rotation();
                expectFirstTouch({*a, toDouble(start), turnA}, way, {*b, {}, turnB},
                                 std::string(testing::nameOf(typeA)) + " " + testing::nameOf(typeB) + " " + std::to_string(i),
                                 hits);
                ++pairs;
            }
    EXPECT_GT(hits, pairs / 3);
    EXPECT_LT(hits, pairs);
}

TEST(ShapeCast, CompoundsAndMeshes) {
    RandomPoints random(32);
    const SharedShape mesh = buildShape(testing::gridMesh(10, 4, [](Real x, Real z) { return Real(0.2) * (x * x - z); }));
    int hits = 0;
    for (int i = 0; i < 60; ++i) {
        Compound parts;
        for (int k = 0; k < 3; ++k)
            parts.children.push_back({testing::randomShape(random, testing::kConvexTypes[random.below(5)], 0.05, 0.3),
                                      random.inBox(0.5), random.rotation()});
        const SharedShape compound = buildShape(parts);
        const SharedShape other = testing::randomShape(random, testing::kConvexTypes[i % 5], 0.1, 0.4);
        const Vec3 start = Vec3{0, 3, 0} + random.inBox(1);
        const Vec3d way = toDouble(Vec3{0, -6, 0} + random.inBox(1));
        const ShapeAt moving{*compound, toDouble(start), random.rotation()};
        expectFirstTouch(moving, way, {*mesh, {}, Quat{}}, "mesh " + std::to_string(i), hits);
        expectFirstTouch(moving, way, {*other, toDouble(random.inBox(0.5)), random.rotation()}, "convex " + std::to_string(i),
                         hits);
        expectFirstTouch({*other, toDouble(start), random.rotation()}, way, {*compound, {}, random.rotation()},
                         "compound " + std::to_string(i), hits);
    }
    EXPECT_GT(hits, 90);
}

// A very small ball is a ray.
TEST(ShapeCast, SmallBallAgreesWithRay) {
    RandomPoints random(33);
    const SharedShape point = buildShape(Sphere{Real(1e-5)});
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
        const SharedShape shape = testing::randomShape(random, testing::kConvexTypes[i % 5], 0.1, 0.6);
        const Vec3 place = random.onSphere() * 2;
        const ShapeAt target{*shape, toDouble(place), random.rotation()};
        const Vec3d way = toDouble((place + random.inBox(0.4)) * 2);
        const auto ray = castRay(target, way, 1, false), cast = castShape({*point, {}, Quat{}}, way, target, 1, false);
        if (!ray)
            continue;
        ++hits;
        ASSERT_TRUE(cast.has_value()) << i;
        // Along a slanted surface the ball touches up to radius / cos earlier.
        const double slant = -sunder::dot(ray->normal, way) / length(way);
        ASSERT_NEAR(cast->fraction, ray->fraction, (2e-5 / greater(slant, 0.05)) / length(way) + 1e-6) << i;
    }
    EXPECT_GT(hits, 60);
}

// What slides along a surface it touches, or leaves it, is not stopped by it.
TEST(ShapeCast, TouchingIsNotAnObstacle) {
    const SharedShape box = buildShape(Box{{Real(0.5), Real(0.5), Real(0.5)}});
    const ShapeAt floor{*box, {}, Quat{}}, above{*box, {0, 1, 0}, Quat{}};
    EXPECT_FALSE(castShape(above, {3, 0, 0}, floor, 1, false).has_value());
    EXPECT_FALSE(castShape(above, {0, 2, 0}, floor, 1, false).has_value());
    const auto down = castShape(above, {0, -1, 0}, floor, 1, false);
    ASSERT_TRUE(down.has_value());
    EXPECT_EQ(down->fraction, 0);
    EXPECT_FALSE(down->startsInside);
    const auto inside = castShape({*box, {0, 0.9, 0}, Quat{}}, {3, 0, 0}, floor, 1, false);
    ASSERT_TRUE(inside.has_value());
    EXPECT_TRUE(inside->startsInside);
    EXPECT_NEAR(inside->depth, 0.1, 1e-6);
    EXPECT_NEAR(inside->normal.y, 1, 1e-6);
}

TEST(Overlap, AgreesWithTheSignOfTheSeparation) {
    RandomPoints random(34);
    int overlaps = 0;
    for (int i = 0; i < 600; ++i) {
        const SharedShape a = testing::randomShape(random, testing::kConvexTypes[i % 5], 0.05, 0.5);
        const SharedShape b = testing::randomShape(random, testing::kConvexTypes[i / 5 % 5], 0.05, 0.5);
        const ShapeAt at{*a, toDouble(random.inBox(0.6)), random.rotation()}, other{*b, {}, random.rotation()};
        const Real separation = separationAt(at, other, {}, 1);
        if (std::fabs(separation) < Real(1e-5))
            continue;
        ASSERT_EQ(findOverlap(at, other), separation < 0) << i;
        overlaps += separation < 0;
    }
    EXPECT_GT(overlaps, 100);
    EXPECT_LT(overlaps, 500);
}

// A mesh is a surface: what crosses it overlaps, from either side; what lies inside a closed one does not.
TEST(Overlap, MeshIsASurface) {
    const SharedShape box = buildShape(Box{{1, 1, 1}}), ball = buildShape(Sphere{Real(0.25)});
    Mesh surface;
    surface.vertices.assign(box->polyhedron.vertices.begin(), box->polyhedron.vertices.end());
    for (const auto& triangle : geometry::triangulate(box->polyhedron))
        surface.triangles.push_back(triangle);
    const SharedShape mesh = buildShape(surface);
    const auto at = [&](double x) { return findOverlap({*ball, {x, 0.1, 0.2}, Quat{}}, {*mesh, {}, Quat{}}); };
    EXPECT_FALSE(at(0));
    EXPECT_TRUE(at(0.8));
    EXPECT_TRUE(at(1.2));
    EXPECT_FALSE(at(1.3));
}

}  // namespace
}  // namespace sunder::collision
