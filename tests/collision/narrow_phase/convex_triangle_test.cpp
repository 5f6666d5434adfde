// Convex shapes against one triangle: one-sidedness, normals and the features that gave them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/narrow_phase/convex/contact_patch.h"
#include "collision/narrow_phase/mesh/convex_triangle.h"
#include "collision/narrow_phase/reference.h"
#include "collision/shapes_for_tests.h"

namespace sunder::testing {
namespace {

using collision::collideConvexTriangle;
using collision::collideConvexTriangleFace;
using collision::TriangleFeature;
using collision::TriangleManifold;

// In the plane y = 0, seen from above; edge 0 lies on the x axis.
constexpr Vec3 kTriangle[3] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 0}};

double deepest(const collision::ContactManifold& m) {
    double s = 1e300;
    for (int i = 0; i < m.count; ++i)
        s = std::min(s, double(m.points[i].separation));
    return s;
}

TEST(ConvexTriangle, EveryShapeRestsOnTheFace) {
    RandomPoints random(8);
    for (const ShapeType type : kConvexTypes)
        for (int i = 0; i < 100; ++i) {
            SCOPED_TRACE(nameOf(type));
            const SharedShape shape = randomShape(random, type, 0.1, 0.3);
            Pose pose{{1, 0, 1}, random.rotation()};
            const double lowest = ReferenceShape(*shape, pose).support({0, -1, 0}).y;
            const double gap = double(random.between(-0.02, 0.2));
            pose.position.y = Real(gap - lowest);
            const TriangleManifold m = collideConvexTriangle(*shape, pose, kTriangle, Real(0.25));
            ASSERT_GT(m.manifold.count, 0);
            EXPECT_EQ(m.feature, TriangleFeature::Face);
            EXPECT_NEAR(double(m.manifold.normal.y), 1, 1e-5);
            EXPECT_NEAR(deepest(m.manifold), gap, 1.5e-3 * std::fabs(gap) + 2e-4);
            const auto face = collideConvexTriangleFace(*shape, pose, kTriangle, Real(0.25));
            ASSERT_GT(face.count, 0);
            EXPECT_NEAR(deepest(face), gap, 1.5e-3 * std::fabs(gap) + 2e-4);
        }
}

// Polyhedra have a routine of their own; the general one is the reference. Tilted shapes hang over the triangle's edges.
TEST(ConvexTriangle, FacesOfPolyhedraAreCutAsByTheGeneralRoutine) {
    RandomPoints random(12);
    int touching = 0;
    for (const ShapeType type : {ShapeType::Box, ShapeType::Hull})
        for (int i = 0; i < 500; ++i) {
            SCOPED_TRACE(nameOf(type));
            const SharedShape shape = randomShape(random, type, 0.1, 0.5);
            const Pose pose{random.inBox(Real(0.5)) + Vec3{Real(0.3), Real(0.3), Real(0.3)}, random.rotation()};
            const Vec3 triangle[3] = {random.inBox(Real(0.2)), Vec3{0, 0, 1} + random.inBox(Real(0.2)),
                                      Vec3{1, 0, 0} + random.inBox(Real(0.2))};
            constexpr Real kMargin = Real(0.2);
            const auto found = collideConvexTriangleFace(*shape, pose, triangle, kMargin);
            const collision::ConvexCore core(*shape), coreTriangle(triangle);
            const collision::PlacedCore placed{core, collision::toPlacement(pose)};
            const auto expected = collision::buildFaceManifold({{coreTriangle, {}}, placed, {}, double(kMargin)}, 0);
            const Vec3d n = coreTriangle.polyhedron.normal(0);
            if (dot(n, placed.center() - toDouble(triangle[0])) < 0.01)  // from behind, which the general routine allows
                continue;
            ASSERT_EQ(found.count, expected.count);
            if (found.count == 0)
                continue;
            ++touching;
            EXPECT_NEAR(deepest(found), deepest(expected), 1e-5);
            EXPECT_NEAR(double(dot(found.normal, expected.normal)), 1, 1e-6);
        }
    EXPECT_GT(touching, 200);
}

TEST(ConvexTriangle, NothingComesFromBehind) {
    RandomPoints random(9);
    for (const ShapeType type : kConvexTypes)
        for (int i = 0; i < 200; ++i) {
            const SharedShape shape = randomShape(random, type, 0.1, 0.5);
            const Vec3 place = random.inBox(2) + Vec3{1, 0, 1};
            const TriangleManifold m = collideConvexTriangle(*shape, {place, random.rotation()}, kTriangle, 1);
            if (place.y < Real(-0.5)) {
                EXPECT_EQ(m.manifold.count, 0);
            }
            if (m.manifold.count > 0) {
                EXPECT_GT(double(m.manifold.normal.y), -1e-3);
            }
        }
}

// Apart, the normal is the direction between the closest points, and the feature the one that the point lies on.
TEST(ConvexTriangle, GapsNameTheClosestFeature) {
    const SharedShape ball = buildShape(Sphere{Real(0.1)});
    const auto at = [&](Real x, Real y, Real z) { return collideConvexTriangle(*ball, {{x, y, z}, {}}, kTriangle, 1); };
    EXPECT_EQ(at(1, Real(0.3), 1).feature, TriangleFeature::Face);
    EXPECT_EQ(at(Real(-0.3), Real(0.3), 1).feature, TriangleFeature::Edge0);
    EXPECT_EQ(at(Real(2.3), Real(0.3), Real(2.3)).feature, TriangleFeature::Edge1);
    EXPECT_EQ(at(1, Real(0.3), Real(-0.3)).feature, TriangleFeature::Edge2);
    EXPECT_EQ(at(Real(-0.2), Real(0.2), Real(-0.2)).feature, TriangleFeature::Vertex0);
    EXPECT_EQ(at(Real(-0.1), Real(0.2), Real(4.3)).feature, TriangleFeature::Vertex1);
    EXPECT_EQ(at(Real(4.3), Real(0.2), Real(-0.1)).feature, TriangleFeature::Vertex2);
    const TriangleManifold edge = at(Real(-0.3), Real(0.4), 1);
    ASSERT_EQ(edge.manifold.count, 1);
    EXPECT_NEAR(deepest(edge.manifold), 0.4, 1e-5);
    EXPECT_NEAR(double(edge.manifold.normal.x), -0.6, 1e-5);
}

TEST(ConvexTriangle, DegenerateTrianglesGiveNothing) {
    const SharedShape box = buildShape(Box{{Real(0.5), Real(0.5), Real(0.5)}});
    const Vec3 flat[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const Vec3 point[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    EXPECT_EQ(collideConvexTriangle(*box, {}, flat, 1).manifold.count, 0);
    EXPECT_EQ(collideConvexTriangle(*box, {}, point, 1).manifold.count, 0);
}

// Against the largest separation over a dense sample of all directions.
TEST(ConvexTriangle, AgreesWithExhaustiveSearchOverDirections) {
    RandomPoints random(10);
    int contacts = 0, shallow = 0;
    for (int i = 0; i < 1500 && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const SharedShape shape = randomShape(random, kConvexTypes[i % 5], 0.2, 0.6);
        const Pose pose{random.inBox(1), random.rotation()};
        const Vec3 triangle[3] = {random.inBox(1), random.inBox(1), random.inBox(1)};
        const TriangleManifold m = collideConvexTriangle(*shape, pose, triangle, Real(0.5));
        if (m.manifold.count == 0)
            continue;
        ++contacts;
        const ReferenceShape reference(*shape, pose);
        const Vec3d front = toDouble(normalizeOr(cross(triangle[1] - triangle[0], triangle[2] - triangle[0]), {0, 1, 0}));
        const auto separation = [&](const Vec3d& n) {
            double highest = -1e300;
            for (const Vec3& v : triangle)
                highest = std::max(highest, dot(n, toDouble(v)));
            return dot(n, reference.support(n * -1)) - highest;
        };
        double best = -1e300, behind = -1e300;
        for (int k = 0; k < 4000; ++k) {
            const Vec3d n = k == 0 ? front : toDouble(random.onSphere());
            double& largest = dot(n, front) >= 0 ? best : behind;
            largest = std::max(largest, separation(n));
        }
        const Vec3d normal = toDouble(m.manifold.normal);
        const double along = separation(normal), tolerance = 0.005 * std::fabs(along) + 1e-3;
        EXPECT_GE(dot(normal, front), -1e-3);
        // Where the shortest way out is through the back, one that is not the very shortest towards the front will do.
        if (best > behind) {
            EXPECT_GE(along, best - tolerance);
        }
        EXPECT_GE(deepest(m.manifold), along - tolerance);
        shallow += deepest(m.manifold) > along + 2 * tolerance;
        for (int k = 0; k < m.manifold.count; ++k)
            EXPECT_NEAR(reference.surfaceResidual(m.manifold.points[k].onB), 0, 1e-4);
    }
    EXPECT_GT(contacts, 300);
    EXPECT_LT(shallow, contacts / 20);
}

}  // namespace
}  // namespace sunder::testing
