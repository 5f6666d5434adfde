// The narrow phase does not allocate once its scratch has grown.
#include <gtest/gtest.h>

#include "collision/narrow_phase/collide.h"
#include "collision/shapes_for_tests.h"
#include "support/allocation_count.h"

namespace sunder::collision {
namespace {

Mesh gridMesh(int cells, Real cell) {
    Mesh mesh;
    for (int z = 0; z <= cells; ++z)
        for (int x = 0; x <= cells; ++x)
            mesh.vertices.push_back({(Real(x) - Real(cells) / 2) * cell, 0, (Real(z) - Real(cells) / 2) * cell});
    for (int z = 0; z < cells; ++z)
        for (int x = 0; x < cells; ++x) {
            const std::uint32_t at = std::uint32_t(z * (cells + 1) + x), above = at + std::uint32_t(cells + 1);
            mesh.triangles.push_back({at, above, at + 1});
            mesh.triangles.push_back({at + 1, above, above + 1});
        }
    return mesh;
}

TEST(Allocation, NoneInCollideAfterTheFirstRound) {
    testing::RandomPoints random(3);
    std::vector<SharedShape> shapes;
    for (const ShapeType type : testing::kConvexTypes)
        shapes.push_back(testing::randomShape(random, type, 0.2, 0.4));
    shapes.push_back(buildShape(Compound{{{.shape = Box{{Real(0.3), Real(0.1), Real(0.1)}}},
                                          {.shape = Box{{Real(0.1), Real(0.3), Real(0.1)}}, .position = {0, Real(0.2), 0}}}}));
    shapes.push_back(buildShape(gridMesh(8, Real(0.25))));
    std::vector<Pose> poses;
    for (int i = 0; i < 20; ++i)
        poses.push_back({random.onSphere() * random.between(0.2, 0.6), random.rotation()});

    ManifoldList found;
    std::size_t manifolds = 0;
    const auto collideAll = [&] {
        manifolds = 0;
        for (const SharedShape& a : shapes)
            for (const SharedShape& b : shapes)
                for (const Pose& pose : poses) {
                    found.clear();
                    collide(*a, {}, *b, pose, Real(0.1), found);
                    manifolds += found.size();
                }
    };
    collideAll();
    const long before = support::allocations;
    collideAll();
    EXPECT_EQ(support::allocations - before, 0);
    EXPECT_GT(manifolds, 500u);
    // The counter works.
    found.push_back({});
    const ManifoldList copy = found;
    EXPECT_GT(support::allocations, before);
    EXPECT_EQ(copy.size(), found.size());
}

}  // namespace
}  // namespace sunder::collision
