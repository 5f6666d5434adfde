// Welding: who represents whom, and that uneven places cost no more than even ones.
#include "geometry/vertex_weld.h"

#include <gtest/gtest.h>

namespace sunder::geometry {
namespace {

TEST(VertexWeld, LowestVertexWithinTheToleranceRepresents) {
    const Vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {Real(1e-4), 0, 0}, {-Real(0.9e-4), 0, 0}, {1, Real(2e-3), 0}};
    const std::vector<std::uint32_t> found = weldVertices(vertices, Real(1e-3));
    EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 1, 0, 0, 4}));
}

TEST(VertexWeld, ZeroToleranceWeldsEqualOnes) {
    const Vec3 vertices[] = {{0, 1, 2}, {-Real(0), 1, 2}, {Real(1e-7), 1, 2}, {0, 1, 2}};
    const std::vector<std::uint32_t> found = weldVertices(vertices, 0);
    EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 0, 2, 0}));
}

// One vertex 10,000 km away made all others share one cell: 125,000 vertices then take minutes instead of milliseconds.
TEST(VertexWeld, FarVertexDoesNotMakeItQuadratic) {
    constexpr int kSide = 50;
    std::vector<Vec3> vertices;
    for (int copy = 0; copy < 2; ++copy)
        for (int x = 0; x < kSide; ++x)
            for (int y = 0; y < kSide; ++y)
                for (int z = 0; z < kSide; ++z)
                    vertices.push_back({Real(x) / kSide, Real(y) / kSide, Real(z) / kSide});
    vertices.push_back({Real(1e7), Real(1e7), Real(1e7)});
    const std::vector<std::uint32_t> found = weldVertices(vertices, Real(1e-5));
    const std::uint32_t half = kSide * kSide * kSide;
    for (std::uint32_t i = 0; i < half; ++i) {
        ASSERT_EQ(found[i], i);
        ASSERT_EQ(found[half + i], i);
    }
    EXPECT_EQ(found.back(), 2 * half);
}

}  // namespace
}  // namespace sunder::geometry
