// Level sets and drawn surfaces that are displaced, against where their solids should then be.
#include "geometry/warp/warp_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "geometry/level_set/level_set_mass.h"
#include "geometry/level_set/solid_distance.h"
#include "geometry/surface/extract_surface.h"

namespace sunder::geometry {
namespace {

LevelSet16 ballField() {
    return quantize<std::int16_t>(distanceOfShape(Sphere{Real(0.5)}, Resolution{Real(0.04), {}, 1u << 22}).field);
}

// A constant displacement moves the ball; its distances are those of the moved ball.
TEST(Warp, AMovedBall) {
    const LevelSet16 ball = ballField();
    const Vec3 move{Real(0.1), Real(-0.05), Real(0.2)};
    const auto runner = makeSerialRunner();
    const WarpedField moved = warped(
        ball, {}, [&](const Vec3&) { return move; }, length(move), *runner);
    EXPECT_TRUE(moved.cutNodes.isEmpty());
    const Grid& grid = moved.field.grid;
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x; ++x) {
                const Real wanted = length(grid.position(x, y, z) - move) - Real(0.5);
                // A twentieth of a cell near the surface, where values are interpolated; beyond, they are swept in first order.
                const Real off = wanted > Real(-0.08) && wanted < Real(0.035) ? Real(0.002) : Real(0.04);
                EXPECT_NEAR(moved.field.distance(grid.index(x, y, z)), wanted, off);
            }
    const MassProperties mass = massOfFractions(grid, solidFractions(moved.field));
    EXPECT_NEAR(mass.center[0], 0.1, 1e-3);
    EXPECT_NEAR(mass.center[2], 0.2, 1e-3);
}

// Pressed along y and widened as much, a ball becomes an ellipsoid of the same volume. The same bits for any number of threads.
TEST(Warp, APressedBallKeepsItsVolume) {
    const LevelSet16 ball = ballField();
    const Real press = Real(0.8), widen = 1 / std::sqrt(press);
    const auto displacement = [&](const Vec3& p) { return Vec3{p.x * (widen - 1), p.y * (press - 1), p.z * (widen - 1)}; };
    const auto one = makeSerialRunner(), four = makeTaskRunner(4);
    const WarpedField pressed = warped(ball, {}, displacement, Real(0.15), *one);
    EXPECT_EQ(pressed.field.values, warped(ball, {}, displacement, Real(0.15), *four).field.values);
    const MassProperties before = massOfFractions(ball.grid, solidFractions(ball));
    const MassProperties after = massOfFractions(pressed.field.grid, solidFractions(pressed.field));
    EXPECT_NEAR(after.volume, before.volume, 5e-3 * before.volume);
    // Inertia about y: 2/5 m a^2.
    EXPECT_NEAR(after.inertia[1], before.inertia[1] * double(widen * widen), 1e-2 * before.inertia[1]);
    EXPECT_LT(sample(pressed.field, {0, Real(0.41), 0}).distance * sample(pressed.field, {0, Real(0.39), 0}).distance, 0);
}

// A tetrahedron with split vertices.
SurfaceMesh tetrahedron() {
    SurfaceMesh mesh;
    const Vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (const auto& face : faces) {
        const auto first = std::uint32_t(mesh.positions.size());
        const Vec3 normal = normalizeOr(cross(corners[face[1]] - corners[face[0]], corners[face[2]] - corners[face[0]]), {});
        for (const std::uint32_t corner : face) {
            mesh.positions.push_back(corners[corner]);
            mesh.normals.push_back(normal);
            mesh.points.push_back(corner);
        }
        mesh.triangles.push_back({first, first + 1, first + 2});
        mesh.slots.push_back(0);
    }
    mesh.pointCount = 4;
    return mesh;
}

TEST(Warp, DividedSurfacesStayClosed) {
    const SurfaceMesh fine = divided(tetrahedron(), Real(0.3));
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const auto& t : fine.triangles)
        for (int i = 0; i < 3; ++i) {
            EXPECT_LE(length(fine.positions[t[i]] - fine.positions[t[(i + 1) % 3]]), Real(0.3));
            ++edges[{fine.points[t[i]], fine.points[t[(i + 1) % 3]]}];
        }
    for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(edges.contains({edge.second, edge.first}));
    }
    // Sharp edges stay sharp, and points of one number are one place.
    const SurfaceMesh moved = warped(fine, [](const Vec3& p) { return Vec3{0, Real(0.1) * p.x, 0}; });
    std::map<std::uint32_t, Vec3> places;
    for (std::size_t i = 0; i < moved.positions.size(); ++i)
        EXPECT_EQ(places.try_emplace(moved.points[i], moved.positions[i]).first->second, moved.positions[i]);
    for (const auto& t : moved.triangles) {
        const Vec3 normal = normalizeOr(
            cross(moved.positions[t[1]] - moved.positions[t[0]], moved.positions[t[2]] - moved.positions[t[0]]), {});
        for (const std::uint32_t vertex : t)
            EXPECT_GT(dot(moved.normals[vertex], normal), Real(0.999));
    }
}

}  // namespace
}  // namespace sunder::geometry
