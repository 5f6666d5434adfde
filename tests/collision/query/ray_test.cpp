// Rays and closest points against brute force: the ray sampled finely by the shape's own distance, and the other way round.
#include "collision/query/ray.h"

#include <gtest/gtest.h>

#include "collision/query/point_distance.h"
#include "collision/shapes_for_tests.h"
#include "support/mesh_builder.h"

namespace sunder::collision {
namespace {

using testing::RandomPoints;

double distanceAt(const ShapeAt& shape, const Vec3d& point) {
    return findDistance({shape.shape, shape.position - point, shape.orientation}, 1e30)->distance;
}

// A ray may not hit before the shape's distance first falls to zero, and the hit lies on the surface.
void expectFirstTouch(const ShapeAt& shape, const Vec3d& way, const std::string& what, int& hits) {
    constexpr int kSamples = 300;
    const auto hit = castRay(shape, way, 1, false);
    const double end = hit ? hit->fraction : 1;
    for (int i = 0; i < kSamples * end; ++i)
        ASSERT_GT(distanceAt(shape, way * (double(i) / kSamples)), -1e-6) << what << " missed at " << i;
    if (!hit)
        return;
    ++hits;
    if (hit->startsInside) {
        ASSERT_LE(distanceAt(shape, {}), 1e-6) << what;
        return;
    }
    ASSERT_NEAR(distanceAt(shape, hit->point), 0, 1e-6) << what;  // face planes are floats
    ASSERT_LT(dot(hit->normal, way), 0) << what;
    // The normal leads out: the distance grows at unit rate.
    ASSERT_NEAR(distanceAt(shape, hit->point + hit->normal * 1e-3), 1e-3, 1e-4) << what;
}

TEST(RayCast, HitsWhereTheDistanceFallsToZero) {
    RandomPoints random(21);
    for (const ShapeType type : testing::kConvexTypes) {
        int hits = 0;
        for (int i = 0; i < 60; ++i) {
            const SharedShape shape = testing::randomShape(random, type, 0.05, 0.6);
            const Vec3 place = random.onSphere() * random.between(0.2, 2);
            const Vec3 way = (place + random.inBox(0.7)) * 2;
            expectFirstTouch({*shape, toDouble(place), random.rotation()}, toDouble(way),
                             std::string(testing::nameOf(type)) + " " + std::to_string(i), hits);
        }
        EXPECT_GT(hits, 8) << testing::nameOf(type);
        EXPECT_LT(hits, 60) << testing::nameOf(type);
    }
}

TEST(RayCast, HitsTheFirstChildOfACompound) {
    RandomPoints random(22);
    int hits = 0;
    for (int i = 0; i < 60; ++i) {
        const SharedShape shape = testing::randomCompound(random);
        const Vec3 place = random.onSphere() * 2;
        const ShapeAt at{*shape, toDouble(place), random.rotation()};
        const Vec3d way = toDouble((place + random.inBox(0.4)) * 2);
        expectFirstTouch(at, way, std::to_string(i), hits);
        const auto whole = castRay(at, way, 1, false);
        double first = 2;
        for (std::uint32_t c = 0; c < shape->children.size(); ++c) {
            const BuiltShape::Child& child = shape->children[c];
            const ShapeAt alone{*child.shape, at.position + toDouble(rotate(at.orientation, child.parentFromChild.position)),
                                at.orientation * child.parentFromChild.orientation};
            if (const auto hit = castRay(alone, way, 1, false); hit && hit->fraction < first) {
                first = hit->fraction;
                ASSERT_TRUE(whole.has_value());
                if (whole->child == c) {
                    ASSERT_NEAR(whole->fraction, first, 1e-6);
                }
            }
        }
        ASSERT_EQ(whole.has_value(), first < 2);
        if (whole) {
            ASSERT_NEAR(whole->fraction, first, 1e-6);
        }
    }
    EXPECT_GT(hits, 8);
}

// A mesh is hit from the front only, unless asked otherwise, and no ray slips through a seam: rays at the very vertices and
// along the edges of a closed surface all hit.
TEST(RayCast, NoRaySlipsThroughAMesh) {
    const SharedShape mesh = buildShape(testing::irregularGrid(8, 4, 5));
    const ShapeAt at{*mesh, {0.3, -2, 0.1}, Quat{}};
    RandomPoints random(23);
    for (std::size_t i = 0; i < mesh->mesh->vertices().size(); ++i) {
        const Vec3 vertex = mesh->mesh->vertices()[i];
        if (max(std::fabs(vertex.x), std::fabs(vertex.z)) > Real(1.9))
            continue;
        const Vec3d target = at.position + toDouble(vertex);
        const auto hit = castRay(at, target * 2, 1, false);
        ASSERT_TRUE(hit.has_value()) << i;
        ASSERT_NEAR(hit->fraction, 0.5, 1e-9);
        ASSERT_NEAR(hit->normal.y, 1, 1e-6);
    }
    const ShapeAt above{*mesh, {0.3, 2, 0.1}, Quat{}};
    EXPECT_FALSE(castRay(above, {0, 4, 0}, 1, false).has_value());
    const auto behind = castRay(above, {0, 4, 0}, 1, true);
    ASSERT_TRUE(behind.has_value());
    EXPECT_NEAR(behind->normal.y, -1, 1e-6);
}

// Against all triangles, one by one.
TEST(RayCast, FindsTheFirstTriangle) {
    const SharedShape mesh = buildShape(testing::gridMesh(20, 4, [](Real x, Real z) { return Real(0.5) * x * z; }));
    RandomPoints random(24);
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec3 start = random.inBox(2) + Vec3{0, 2, 0}, end = random.inBox(2) - Vec3{0, 1, 0};
        const Quat turn = random.rotation();
        const ShapeAt at{*mesh, -toDouble(rotate(turn, start)), turn};
        const Vec3d way = toDouble(rotate(turn, end - start));
        double first = 2;
        std::uint32_t index = 0;
        for (std::uint32_t t = 0; t < mesh->mesh->triangles().size(); ++t) {
            Mesh single;
            const auto corner = [&](int k) { return mesh->mesh->vertices()[mesh->mesh->triangles()[t].vertices[k]]; };
            testing::addTriangle(single, corner(0), corner(1), corner(2));
            const geometry::TriangleMesh one(single.vertices, single.triangles);
            // Plane and side tests of the textbook.
            const Vec3d a = toDouble(corner(0)), n = toDouble(one.normal(0)), d = toDouble(end) - toDouble(start);
            const double fraction = dot(n, a - toDouble(start)) / dot(n, d);
            const Vec3d p = toDouble(start) + d * fraction;
            bool inside = dot(n, d) < 0 && fraction >= 0 && fraction <= 1;
            for (int k = 0; k < 3; ++k) {
                const Vec3d u = toDouble(corner(k)), v = toDouble(corner((k + 1) % 3));
                inside = inside && dot(cross(v - u, p - u), n) > -1e-9;
            }
            if (inside && fraction < first) {
                first = fraction;
                index = t;
            }
        }
        const auto hit = castRay(at, way, 1, false);
        ASSERT_EQ(hit.has_value(), first < 2) << i;
        if (!hit)
            continue;
        ++hits;
        ASSERT_NEAR(hit->fraction, first, 1e-5) << i;
        ASSERT_EQ(hit->triangle, index) << i;
    }
    EXPECT_GT(hits, 50);
}

// The index is that of the caller's list, although degenerate triangles are left out.
TEST(RayCast, CountsTrianglesAsTheyWereGiven) {
    Mesh mesh;
    testing::addTriangle(mesh, {0, 0, 0}, {0, 0, 0}, {1, 0, 0});
    testing::addQuad(mesh, {-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1});
    const SharedShape built = buildShape(mesh);
    const auto triangleAt = [&](double x, double z) {
        const auto hit = castRay({*built, {-x, -1, -z}, Quat{}}, {0, -2, 0}, 1, false);
        return hit ? hit->triangle : kNoIndex;
    };
    EXPECT_EQ(triangleAt(0.5, 0.6), 1u);
    EXPECT_EQ(triangleAt(0.5, 0.4), 2u);
}

// Textbook values.
TEST(RayCast, KnownHits) {
    const auto fraction = [](const Shape& shape, Vec3d from, Vec3d way) {
        const SharedShape built = buildShape(shape);
        const auto hit = castRay({*built, -from, Quat{}}, way, 1, false);
        return hit ? hit->fraction : -1;
    };
    EXPECT_NEAR(fraction(Sphere{1}, {-3, 0, 0}, {4, 0, 0}), 0.5, 1e-12);
    EXPECT_NEAR(fraction(Sphere{1}, {-3, 1.001, 0}, {4, 0, 0}), -1, 0);
    EXPECT_NEAR(fraction(Box{{1, 2, 3}}, {0, 0, 7}, {0, 0, -8}), 0.5, 1e-12);
    EXPECT_NEAR(fraction(Capsule{1, 1}, {0, 5, 0}, {0, -6, 0}), 0.5, 1e-12);
    EXPECT_NEAR(fraction(Capsule{1, 1}, {5, 0.5, 0}, {-8, 0, 0}), 0.5, 1e-12);
    EXPECT_NEAR(fraction(Cylinder{1, 1}, {0.5, 5, 0}, {0, -8, 0}), 0.5, 1e-12);
    EXPECT_NEAR(fraction(Cylinder{1, 1}, {0, 0.5, 3}, {0, 0, -4}), 0.5, 1e-12);
    // From 100 km away the foot of the perpendicular keeps the radius: error below a micrometre.
    EXPECT_NEAR(fraction(Sphere{1}, {-1e5, 0.6, 0}, {2e5, 0, 0}) * 2e5, 1e5 - 0.8, 1e-6);
    // Inside: at once. Leaving from the surface: not at all.
    EXPECT_EQ(fraction(Box{{1, 1, 1}}, {0, 0, 0}, {5, 0, 0}), 0);
    EXPECT_EQ(fraction(Box{{1, 1, 1}}, {1, 0, 0}, {5, 0, 0}), -1);
}

// Distances are 1-Lipschitz, zero on the surface, and lead to a point of the surface at that distance.
TEST(PointDistance, LeadsToThePointOfTheSurface) {
    RandomPoints random(25);
    for (const ShapeType type : testing::kConvexTypes)
        for (int i = 0; i < 200; ++i) {
            const SharedShape shape = testing::randomShape(random, type, 0.05, 0.6);
            const ShapeAt at{*shape, toDouble(random.inBox(0.8)), random.rotation()};
            const DistanceHit hit = *findDistance(at, 1e30);
            const std::string what = std::string(testing::nameOf(type)) + " " + std::to_string(i);
            ASSERT_NEAR(length(hit.normal), 1, 1e-6) << what;
            ASSERT_NEAR(length(hit.point), std::fabs(hit.distance), 1e-6) << what;
            ASSERT_NEAR(distanceAt(at, hit.point), 0, 1e-6) << what;
            ASSERT_NEAR(dot(-hit.point, hit.normal), hit.distance, 1e-5) << what;
            // No point of the surface is closer: a ball of that radius about the point meets no surface.
            for (int k = 0; k < 10; ++k) {
                const Vec3d other = toDouble(random.onSphere()) * (0.99 * std::fabs(hit.distance));
                ASSERT_GT(distanceAt(at, other) * hit.distance, 0) << what;
            }
        }
}

// A closed mesh is a solid: the same distances as the box it is the surface of, inside and out, edges and corners included.
TEST(PointDistance, ClosedMeshAgreesWithItsBox) {
    const Box box{{Real(0.5), Real(0.75), 1}};
    const SharedShape solid = buildShape(box);
    Mesh surface;
    surface.vertices.assign(solid->polyhedron.vertices.begin(), solid->polyhedron.vertices.end());
    for (const auto& triangle : geometry::triangulate(solid->polyhedron))
        surface.triangles.push_back(triangle);
    const SharedShape mesh = buildShape(surface);
    RandomPoints random(26);
    for (int i = 0; i < 500; ++i) {
        const Vec3d place = toDouble(random.inBox(1.5));
        const Quat turn = random.rotation();
        const DistanceHit a = *findDistance({*solid, place, turn}, 1e30), b = *findDistance({*mesh, place, turn}, 1e30);
        ASSERT_NEAR(a.distance, b.distance, 1e-6) << i;
        ASSERT_NEAR(length(a.normal - b.normal), 0, 1e-4) << i;
    }
}

TEST(PointDistance, OpenMeshHasNoInside) {
    const SharedShape mesh = buildShape(testing::flatGrid(4, 2));
    EXPECT_NEAR(findDistance({*mesh, {0, 0.5, 0}, Quat{}}, 1)->distance, 0.5, 1e-9);
    EXPECT_NEAR(findDistance({*mesh, {0, -0.5, 0}, Quat{}}, 1)->distance, 0.5, 1e-9);
    EXPECT_FALSE(findDistance({*mesh, {0, -0.5, 0}, Quat{}}, 0.4).has_value());
}

}  // namespace
}  // namespace sunder::collision
