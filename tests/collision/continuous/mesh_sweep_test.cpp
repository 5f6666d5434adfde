// A long body past a fine mesh: what is asked is what is near it.
#include "collision/continuous/mesh_sweep.h"

#include <gtest/gtest.h>

#include "support/mesh_builder.h"

namespace sunder::collision {
namespace {

// A bough of 5 m, 12 m from the centre about which it turns, comes down on a floor at an angle to its edges.
struct Bough {
    SharedShape shape = buildShape(Capsule{Real(0.2), Real(2.5)});
    ConvexCore core{*shape};
    CoreMotion motion = withExtent({core,
                                    toPlacement({{9, Real(0.4), 8}, quatFromRotationVector({Real(1.1), 0, Real(-1.1)})}),
                                    {0, 2, 0},
                                    {3, -4, 1},
                                    {0.2, 0.3, -0.1}});
};

int trianglesAsked(const geometry::TriangleMesh& mesh, double duration) {
    const Bough bough;
    const MeshSweep sweep({bough.core, {}, {}, {}, {}}, bough.motion, duration, 1e-3);
    int asked = 0;
    mesh.nearest(
        duration, [&](const Bounds& bounds) { return sweep.entryTime(bounds); },
        [&](std::uint32_t triangle) {
            const TriangleCorners corners(mesh, triangle);
            asked += sweep.mayMeet(corners.corner, mesh.normal(triangle), duration) ? 1 : 0;
            return duration;
        });
    return asked;
}

// The ball about the centre that reaches the bough holds all of the 20,000 triangles of this floor.
TEST(MeshSweep, AsksForTheTrianglesAlongTheBody) {
    const SharedShape floor = buildShape(testing::flatGrid(100, 25));
    const int asked = trianglesAsked(*floor->mesh, 0.1);
    EXPECT_GT(asked, 0);
    EXPECT_LT(asked, 250);
}

// Whatever the body reaches on its way, the sweep lets through.
TEST(MeshSweep, LeavesOutNothingThatIsMet) {
    const SharedShape floor = buildShape(testing::flatGrid(100, 25));
    const geometry::TriangleMesh& mesh = *floor->mesh;
    const Bough bough;
    constexpr double kDuration = 0.2;
    const MeshSweep sweep({bough.core, {}, {}, {}, {}}, bough.motion, kDuration, 1e-3);
    int met = 0;
    for (std::uint32_t triangle = 0; triangle < mesh.triangles().size(); ++triangle) {
        const TriangleCorners corners(mesh, triangle);
        const ConvexCore core(corners.corner);
        const Meeting meeting = findMeeting({core, {}, {}, {}, {}}, bough.motion, kDuration, 0, 1e-3);
        if (meeting.status == Meeting::Status::Apart)
            continue;
        ++met;
        Bounds bounds;
        for (const Vec3& corner : corners.corner)
            bounds = unite(bounds, corner);
        EXPECT_LE(sweep.entryTime(bounds), meeting.time + 1e-9) << triangle;
        EXPECT_TRUE(sweep.mayMeet(corners.corner, mesh.normal(triangle), kDuration)) << triangle;
    }
    EXPECT_GT(met, 20);
}

}  // namespace
}  // namespace sunder::collision
