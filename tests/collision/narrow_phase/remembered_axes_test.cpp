// What makes searches through hulls short changes no answer: lanes against a loop, pruned axes against all, the direction of
// the last contact against none.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/narrow_phase/core/gjk.h"
#include "collision/narrow_phase/core/separating_axes.h"
#include "collision/shapes_for_tests.h"
#include "support/random_points.h"

namespace sunder::testing {
namespace {

using namespace collision;

int firstFarthest(const ConvexCore& core, const Vec3d& d) {
    int best = 0;
    for (int i = 1; i < core.polyhedron.vertexCount; ++i)
        if (dot(core.polyhedron.vertex(i), d) > dot(core.polyhedron.vertex(best), d))
            best = i;
    return best;
}

SharedShape pointsOnSphere(RandomPoints& random, int count) {
    Hull hull;
    for (int i = 0; i < count; ++i)
        hull.points.push_back(random.onSphere() * Real(0.3));
    return buildShape(hull);
}

// Among them directions along which two or more vertices reach equally far, to rounding in Real or exactly.
TEST(RememberedAxes, FarthestVertexIsThatOfALoop) {
    RandomPoints random(3);
    for (const int count : {4, 5, 12, 24, 32, 90}) {
        const SharedShape shape = pointsOnSphere(random, count);
        const ConvexCore core(*shape);
        const PolyhedronView& view = core.polyhedron;
        for (int i = 0; i < 400; ++i) {
            Vec3d d = toDouble(random.onSphere()) * (i % 3 == 0 ? 1e-9 : 1.0);
            if (i % 2 == 1) {  // across an edge, so that both of its ends are as far, but for 1e-9
                const PolyhedronView::Edge& edge = view.edges[random.below(std::uint32_t(view.edgeCount))];
                const Vec3d along = view.vertex(edge.vertex1) - view.vertex(edge.vertex0);
                d = view.normal(edge.face0) + view.normal(edge.face1);
                d = d - along * (dot(d, along) / dot(along, along)) + along * (1e-9 * (double(random.below(3)) - 1));
            }
            EXPECT_EQ(core.farthestVertex(d), firstFarthest(core, d)) << count << " points, direction " << i;
        }
    }
}

struct HullPair {
    SharedShape a, b;
    Placement place;
};

HullPair randomPair(RandomPoints& random, int points) {
    HullPair pair{pointsOnSphere(random, points), pointsOnSphere(random, points), {}};
    pair.place = toPlacement({random.onSphere() * random.between(0.2, 0.62), random.rotation()});
    return pair;
}

// Largest separation over all faces and all pairs of edges, without any pruning. Pairs of edges whose planes do not support
// both hulls give less, not more.
double bestSeparation(const PlacedCore& a, const PlacedCore& b) {
    double best = -1e300;
    const auto look = [&](const Vec3d& n) {
        best = std::fmax(best, dot(n, b.support(-n) - a.support(n)));
        best = std::fmax(best, -dot(n, b.support(n) - a.support(-n)));
    };
    for (int i = 0; i < a.core.polyhedron.faceCount; ++i)
        look(outerDirection(a.placement, a.core.polyhedron.normal(i)));
    for (int i = 0; i < b.core.polyhedron.faceCount; ++i)
        look(outerDirection(b.placement, b.core.polyhedron.normal(i)));
    const auto direction = [](const PlacedCore& core, int edge) {
        const PolyhedronView& view = core.core.polyhedron;
        return outerDirection(core.placement, view.vertex(view.edges[edge].vertex1) - view.vertex(view.edges[edge].vertex0));
    };
    for (int i = 0; i < a.core.polyhedron.edgeCount; ++i)
        for (int j = 0; j < b.core.polyhedron.edgeCount; ++j) {
            const Vec3d n = cross(direction(a, i), direction(b, j));
            if (const double size = length(n); size > 1e-9)
                look(n * (1 / size));
        }
    return best;
}

TEST(RememberedAxes, PrunedSearchFindsTheLeastOverlap) {
    RandomPoints random(5);
    int overlapping = 0;
    for (int i = 0; i < 300; ++i) {
        const HullPair pair = randomPair(random, i % 10 == 0 ? 32 : 12);
        const ConvexCore coreA(*pair.a), coreB(*pair.b);
        const PlacedCore a{coreA, {}}, b{coreB, pair.place};
        const OverlapAxis axis = findLeastOverlap(a, b);
        if (!(axis.separation < 0))
            continue;
        ++overlapping;
        // Normals of faces are kept in Real.
        EXPECT_NEAR(axis.separation, bestSeparation(a, b), 2e-7) << i;
    }
    EXPECT_GT(overlapping, 100);
}

// A hint near the answer, as the last contact's direction gives, or far from it.
TEST(RememberedAxes, HintsDoNotChangeTheAxis) {
    RandomPoints random(6);
    for (int i = 0; i < 2000; ++i) {
        const HullPair pair = randomPair(random, 12);
        const ConvexCore coreA(*pair.a), coreB(*pair.b);
        const PlacedCore a{coreA, {}}, b{coreB, pair.place};
        const OverlapAxis alone = findLeastOverlap(a, b);
        if (!(alone.separation < 0))
            continue;
        Vec3d hint = alone.normal + toDouble(random.inBox(i % 2 == 0 ? 0.01 : 1.0));
        hint = hint * (1 / length(hint));
        const double known = dot(hint, b.support(-hint) - a.support(hint));
        const OverlapAxis hinted = findLeastOverlap(a, b, 1e300, known - 1e-6 * coreA.size);
        EXPECT_EQ(alone.separation, hinted.separation) << i;
        EXPECT_EQ(alone.normal.x, hinted.normal.x) << i;
    }
}

TEST(RememberedAxes, DistanceDoesNotDependOnTheFirstDirection) {
    RandomPoints random(8);
    for (int i = 0; i < 2000; ++i) {
        const HullPair pair = randomPair(random, 12);
        const ConvexCore coreA(*pair.a), coreB(*pair.b);
        const PlacedCore a{coreA, {}}, b{coreB, pair.place};
        const Vec3d start = toDouble(random.onSphere());
        const ClosestPoints alone = findClosestPoints(a, b, 1), started = findClosestPoints(a, b, 1, &start);
        ASSERT_EQ(alone.status, started.status) << i;
        EXPECT_NEAR(alone.distance, started.distance, 1e-9) << i;
    }
}

// What the pair was before may be anything, of the other order of the shapes or long ago: the contact found is as deep.
TEST(RememberedAxes, KnownNormalsDoNotChangeTheDepth) {
    RandomPoints random(9);
    for (int i = 0; i < 1000; ++i) {
        const HullPair pair = randomPair(random, 12);
        const Pose pose{random.onSphere() * random.between(0.2, 0.62), random.rotation()};
        KnownManifold known;
        known.normal = random.onSphere();
        const ContactManifold alone = collideConvex(*pair.a, {}, *pair.b, pose, Real(0.02));
        const ContactManifold told = collideConvex(*pair.a, {}, *pair.b, pose, Real(0.02), known);
        ASSERT_EQ(alone.count, told.count) << i;
        for (int k = 0; k < alone.count; ++k)
            EXPECT_NEAR(alone.points[k].separation, told.points[k].separation, 1e-6) << i;
    }
}

}  // namespace
}  // namespace sunder::testing
