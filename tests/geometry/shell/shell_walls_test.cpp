// Mass, centre and inertia of thin shells against closed forms, and their walls.
#include "geometry/shell/shell_walls.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/edge_report.h"
#include "geometry/shell/plane_outline.h"
#include "geometry/shell/wall_patches.h"

namespace sunder::geometry {
namespace {

// A sphere of radius 1 by latitude from the north pole down to an angle (rad), with n steps of latitude for a half circle.
Shell cap(int n, double end, double thickness) {
    Shell shell;
    shell.thickness = Real(thickness);
    const double pi = std::acos(-1.0);
    const int rows = int(std::lround(end / pi * n)), columns = 2 * n;
    shell.vertices.push_back({0, 1, 0});
    for (int i = 1; i <= rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const double a = pi * i / n, b = 2 * pi * j / columns;
            if (i == n)
                continue;
            shell.vertices.push_back({Real(std::sin(a) * std::cos(b)), Real(std::cos(a)), Real(std::sin(a) * std::sin(b))});
        }
    const auto at = [&](int i, int j) { return std::uint32_t(1 + (i - 1) * columns + j % columns); };
    const bool isClosed = rows == n;
    if (isClosed)
        shell.vertices.push_back({0, -1, 0});
    const auto last = std::uint32_t(shell.vertices.size() - 1);
    for (int j = 0; j < columns; ++j) {
        shell.triangles.push_back({0, at(1, j + 1), at(1, j)});
        for (int i = 1; i < (isClosed ? n - 1 : rows); ++i) {
            shell.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            shell.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
        if (isClosed)
            shell.triangles.push_back({at(n - 1, j), at(n - 1, j + 1), last});
    }
    return shell;
}

MassProperties massOf(const Shell& shell) { return shellMass(shell.vertices, shell.triangles, double(shell.thickness)); }

const double kPi = std::acos(-1.0);
// Facets of 64 steps lie inside the sphere by (pi / 64)^2 / 6 of its radius on the mean: areas and inertias are less by some
// thousandths.
constexpr double kFacets = 5e-3;

TEST(ShellWalls, ASphereHasTwoThirdsOfItsMass) {
    const MassProperties mass = massOf(cap(64, kPi, 0.01));
    EXPECT_NEAR(mass.volume, 4 * kPi * 0.01, kFacets * 4 * kPi * 0.01);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(mass.center[std::size_t(axis)], 0, 1e-6);
        EXPECT_NEAR(mass.inertia[std::size_t(axis)] / mass.volume, 2.0 / 3, kFacets);
    }
}

// An open half sphere: centre at half its radius, 2/3 about its axis, 5/12 across it.
TEST(ShellWalls, AnOpenHemisphere) {
    const MassProperties mass = massOf(cap(64, kPi / 2, 0.01));
    EXPECT_NEAR(mass.volume, 2 * kPi * 0.01, kFacets * 2 * kPi * 0.01);
    EXPECT_NEAR(mass.center[1], 0.5, kFacets);
    EXPECT_NEAR(mass.inertia[1] / mass.volume, 2.0 / 3, kFacets);
    EXPECT_NEAR(mass.inertia[0] / mass.volume, 5.0 / 12, kFacets);
}

// A plate is a box, exactly.
TEST(ShellWalls, APlateIsABox) {
    Shell plate;
    plate.vertices = {{-1, 0, -2}, {1, 0, -2}, {1, 0, 2}, {-1, 0, 2}};
    plate.triangles = {{0, 2, 1}, {0, 3, 2}};
    plate.thickness = Real(0.25);
    const MassProperties mass = massOf(plate), box = boxMass({1, Real(0.125), 2});
    EXPECT_NEAR(mass.volume, box.volume, 1e-12);
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(mass.inertia[i], box.inertia[i], 1e-12);
}

// What is drawn is closed, has the volume of the walls but for their corners, and sides that do not agree are no fault.
TEST(ShellWalls, WhatIsDrawnIsClosed) {
    for (Shell shell : {cap(16, kPi, 0.02), cap(16, kPi / 2, 0.02)}) {
        const Mesh drawn = meshOf(shell);
        EXPECT_TRUE(reportEdges(drawn.triangles).isClosed());
        const MassProperties walls = massOf(shell);
        EXPECT_NEAR(meshMass(drawn.vertices, drawn.triangles).volume, walls.volume, 0.02 * walls.volume);
        std::swap(shell.triangles[3][1], shell.triangles[3][2]);
        const Mesh turned = meshOf(shell);
        EXPECT_TRUE(reportEdges(turned.triangles).isClosed());
        EXPECT_NEAR(meshMass(turned.vertices, turned.triangles).volume, walls.volume, 1e-4 * walls.volume);
        EXPECT_NEAR(massOf(shell).inertia[1], walls.inertia[1], 1e-12);
    }
}

// A grid of squares with diagonals in the plane y = 0, without those squares that are left out.
Shell grid(int n, Real thickness, int firstHole = 0, int endHole = 0) {
    Shell shell;
    shell.thickness = thickness;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            shell.vertices.push_back({Real(i), 0, Real(j)});
    const auto at = [&](int i, int j) { return std::uint32_t(i * (n + 1) + j); };
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            if (i >= firstHole && i < endHole && j >= firstHole && j < endHole)
                continue;
            shell.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            shell.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    return shell;
}

// m: how far the farthest vertex of a wall's triangles lies from the surface of its wall, negative outside of it.
Real leastDepth(const Shell& shell) {
    Real least = kInfinity;
    const std::vector<std::vector<std::uint32_t>> patches = wallPatches(shell);
    const std::vector<Wall> walls = wallsOf(shell);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        Real half = 0;
        std::vector<PlanePoint> points;
        for (const Vec3& corner : walls[w].corners) {
            half = max(half, corner.z);
            points.push_back({double(corner.x), double(corner.y)});
        }
        const std::vector<PlanePoint> outline = convexOutline(points, 0);
        for (const std::uint32_t t : patches[w])
            for (const std::uint32_t vertex : shell.triangles[t]) {
                const Vec3 p = inverseTransformPoint(walls[w].pose, shell.vertices[vertex]);
                least = min(least, half - std::fabs(p.z));
                least = min(least, Real(depthInside(outline, {double(p.x), double(p.y)})));
            }
    }
    return least;
}

// A wall per triangle would do as well, and cost its square in contacts.
TEST(ShellWalls, AFlatSquareIsOneWall) {
    const Shell plate = grid(8, Real(0.1));
    const std::vector<Wall> walls = wallsOf(plate);
    ASSERT_EQ(walls.size(), 1u);
    EXPECT_EQ(walls[0].corners.size(), 8u);  // right angles have one corner each, above and below
}

// What a wall covered beyond its triangles nothing could enter.
TEST(ShellWalls, HolesAndNotchesStayOpen) {
    for (const Shell& shell : {grid(6, Real(0.1), 2, 4), grid(6, Real(0.1), 0, 3)}) {
        double area = 0;
        for (const Wall& wall : wallsOf(shell)) {
            Vec3 high{};
            for (const Vec3& corner : wall.corners)
                high = max(high, corner);
            area += 4 * double(high.x - shell.thickness / 2) * double(high.y - shell.thickness / 2);
        }
        // Right-angled parts are covered by rectangles, each triangle once.
        EXPECT_NEAR(area, double(shell.triangles.size()) / 2, 1e-4);
    }
}

// Half of the thickness, less the corners of the outline that are left out.
TEST(ShellWalls, TrianglesLieHalfAThicknessInsideTheirWalls) {
    const double leftOut = kOutlineTolerance;
    for (const Shell& shell : {cap(16, kPi, 0.02), cap(16, kPi / 2, 0.05), cap(24, kPi / 3, 0.1), grid(6, Real(0.1), 2, 4)})
        EXPECT_GT(double(leastDepth(shell)), (0.5 - leftOut) * double(shell.thickness) - 1e-6);
    const Shell ball = cap(24, kPi, 0.05);
    EXPECT_LT(wallsOf(ball).size(), ball.triangles.size() / 3);
}

}  // namespace
}  // namespace sunder::geometry
