// Triangles that are left out because a shape in front of them can only touch them with a normal that their surroundings do not
// allow, against the contacts that the triangles have by themselves.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/narrow_phase/mesh/convex_triangle.h"
#include "collision/narrow_phase/mesh/mesh_reach.h"
#include "collision/shapes_for_tests.h"
#include "support/random_points.h"

namespace sunder::testing {
namespace {

using namespace collision;

// Hills that rise and fall by `height` within a few cells of 0.25 m, around the origin.
Mesh hills(RandomPoints& random, double height) {
    constexpr int kSide = 12;
    constexpr double kCell = 0.25;
    Mesh mesh;
    for (int j = 0; j <= kSide; ++j)
        for (int i = 0; i <= kSide; ++i)
            mesh.vertices.push_back(
                {Real((i - kSide / 2) * kCell), random.between(-height, height), Real((j - kSide / 2) * kCell)});
    for (std::uint32_t j = 0; j < kSide; ++j)
        for (std::uint32_t i = 0; i < kSide; ++i) {
            const std::uint32_t a = j * (kSide + 1) + i, b = a + 1, c = a + kSide + 1, d = c + 1;
            mesh.triangles.push_back({a, c, b});
            mesh.triangles.push_back({b, c, d});
        }
    return mesh;
}

TEST(LeaningTriangles, HaveNoContactThatTheirSurroundingsAllow) {
    RandomPoints random(11);
    int leaning = 0, others = 0;
    for (int scene = 0; scene < 60; ++scene) {
        const SharedShape ground = buildShape(hills(random, scene % 3 == 0 ? 0.05 : 0.01));
        const geometry::TriangleMesh& mesh = *ground->mesh;
        const SharedShape shape = randomShape(random, scene % 2 == 0 ? ShapeType::Hull : ShapeType::Box, 0.2, 0.5);
        const Pose pose{{random.between(-0.3, 0.3), random.between(0.2, 0.6), random.between(-0.3, 0.3)}, random.rotation()};
        const Range range(Real(0.5));
        const MeshReach reach({}, *shape, pose, pose.orientation, range);
        const ConvexOverTriangles convex(*shape, {{}, pose.orientation});
        for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
            Vec3 corners[3];
            for (int i = 0; i < 3; ++i)
                corners[i] = mesh.vertices()[mesh.triangles()[t].vertices[i]] - pose.position;
            if (!reach.reaches(mesh, t, corners))
                continue;
            if (!reach.leansAway(mesh, t, corners)) {
                ++others;
                continue;
            }
            ++leaning;
            const TriangleManifold contact = convex.collide(corners, range);
            if (contact.manifold.count == 0)
                continue;
            EXPECT_GT(contact.manifold.points[0].separation, 0);
            // Farther from the face's normal than any normal around it, and by more than the slope that is tolerated.
            const Real lean = Real(mesh.triangles()[t].lean) * geometry::TriangleMesh::kLeanUnit;
            EXPECT_GT(length(contact.manifold.normal - mesh.normal(t)), lean + Real(0.0175)) << scene << ", triangle " << t;
        }
    }
    EXPECT_GT(leaning, 500);
    EXPECT_GT(others, 500);
}

// The bound itself: no normal around a vertex of a triangle differs from its own by more, and open edges allow any.
TEST(LeaningTriangles, LeanBoundsTheNormalsAround) {
    RandomPoints random(12);
    const SharedShape ground = buildShape(hills(random, 0.05));
    const geometry::TriangleMesh& mesh = *ground->mesh;
    int bounded = 0;
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
        const std::uint8_t units = mesh.triangles()[t].lean;
        bool isAtRim = false;
        for (const std::uint32_t vertex : mesh.triangles()[t].vertices) {
            const Vec3 p = mesh.vertices()[vertex];
            isAtRim = isAtRim || std::fabs(p.x) > Real(1.49) || std::fabs(p.z) > Real(1.49);
        }
        EXPECT_EQ(units == geometry::TriangleMesh::kAnyLean, isAtRim);
        if (isAtRim)
            continue;
        ++bounded;
        for (std::uint32_t other = 0; other < mesh.triangles().size(); ++other)
            for (const std::uint32_t vertex : mesh.triangles()[other].vertices)
                for (const std::uint32_t own : mesh.triangles()[t].vertices)
                    if (vertex == own) {
                        EXPECT_LE(length(mesh.normal(other) - mesh.normal(t)), Real(units) * geometry::TriangleMesh::kLeanUnit);
                    }
    }
    EXPECT_EQ(bounded, 2 * 10 * 10);
}

}  // namespace
}  // namespace sunder::testing
