// Closed forms, the divergence theorem, parallel axes and brute-force integration agree.
#include "geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "geometry/convex_hull.h"
#include "math/mat3.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

using sunder::testing::RandomPoints;

constexpr double kPiDouble = 3.14159265358979323846;

void expectNear(const MassProperties& a, const MassProperties& b, double relative) {
    EXPECT_NEAR(a.volume, b.volume, relative * b.volume);
    const double moment = b.inertia[0] + b.inertia[1] + b.inertia[2];
    const double radius = std::sqrt(moment / b.volume);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(a.center[i], b.center[i], relative * (radius + std::fabs(b.center[i])));
    for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(a.inertia[i], b.inertia[i], relative * moment) << i;
}

// Sums over the cells of a fine grid, at their middles.
MassProperties integrate(const std::function<bool(double, double, double)>& inside, double half, int cells) {
    const double step = 2 * half / cells, volume = step * step * step;
    MassProperties result;
    for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < cells; ++j) {
            for (int k = 0; k < cells; ++k) {
                const double x = -half + (i + 0.5) * step, y = -half + (j + 0.5) * step, z = -half + (k + 0.5) * step;
                if (!inside(x, y, z))
                    continue;
                result.volume += volume;
                result.inertia[0] += volume * (y * y + z * z);
                result.inertia[1] += volume * (x * x + z * z);
                result.inertia[2] += volume * (x * x + y * y);
            }
        }
    }
    return result;
}

// A surface of revolution about y through (radius, height) pairs from bottom to top, closed at both ends on the axis.
void expectTessellatedMatches(const std::vector<std::pair<double, double>>& profile, const MassProperties& expected) {
    constexpr int kAround = 400;
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (const auto& [radius, height] : profile)
        for (int i = 0; i < kAround; ++i)
            vertices.push_back({Real(radius * std::cos(2 * kPiDouble * i / kAround)), Real(height),
                                Real(radius * std::sin(2 * kPiDouble * i / kAround))});
    for (std::uint32_t ring = 0; ring + 1 < profile.size(); ++ring) {
        for (std::uint32_t i = 0; i < kAround; ++i) {
            const std::uint32_t a = ring * kAround + i, b = ring * kAround + (i + 1) % kAround;
            triangles.push_back({a, a + kAround, b});
            triangles.push_back({b, a + kAround, b + kAround});
        }
    }
    // An inscribed polygon of n corners lacks (2 pi / n)^2 / 6 = 4e-5 of a circle's area, twice that of its moments.
    expectNear(meshMass(vertices, triangles), expected, 1.5e-4);
}

TEST(MassProperties, ClosedFormsMatchIntegration) {
    const double r = 0.4, h = 0.5;
    constexpr int kCells = 120;
    // The staircase of a grid of 120 cells leaves a few 1e-3.
    expectNear(integrate([&](double x, double y, double z) { return x * x + y * y + z * z < r * r; }, 1, kCells), sphereMass(r),
               3e-3);
    expectNear(integrate([&](double x, double y, double z) { return x * x + z * z < r * r && std::fabs(y) < h; }, 1, kCells),
               cylinderMass(r, h), 5e-3);
    const auto inCapsule = [&](double x, double y, double z) {
        const double past = std::max(0.0, std::fabs(y) - h);
        return x * x + past * past + z * z < r * r;
    };
    expectNear(integrate(inCapsule, 1, kCells), capsuleMass(r, h), 5e-3);
    expectNear(
        integrate([&](double x, double y, double z) { return std::fabs(x) < 0.2 && std::fabs(y) < 0.5 && std::fabs(z) < 0.4; },
                  1, kCells),
        boxMass({Real(0.2), Real(0.5), Real(0.4)}), 5e-3);
}

TEST(MassProperties, TessellatedSolidsMatchClosedForms) {
    const double r = 0.3, h = 0.7;
    expectTessellatedMatches({{0, -h}, {r, -h}, {r, h}, {0, h}}, cylinderMass(r, h));
    std::vector<std::pair<double, double>> sphere, capsule;
    for (int i = 0; i <= 400; ++i) {
        const double angle = kPiDouble * (i / 400.0 - 0.5);
        sphere.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    for (int i = 0; i <= 200; ++i)
        capsule.push_back({sphere[i].first, sphere[i].second - h});
    for (int i = 200; i <= 400; ++i)
        capsule.push_back({sphere[i].first, sphere[i].second + h});
    expectTessellatedMatches(sphere, sphereMass(r));
    expectTessellatedMatches(capsule, capsuleMass(r, h));
}

TEST(MassProperties, ShortCapsuleTendsToSphere) { expectNear(capsuleMass(0.5, 1e-9), sphereMass(0.5), 1e-8); }

TEST(MassProperties, BoxHullAnywhereMatchesMovedBox) {
    RandomPoints random(1);
    for (int i = 0; i < 200; ++i) {
        const Vec3 half{random.between(0.1, 1), random.between(0.1, 1), random.between(0.1, 1)};
        const Pose pose{random.inBox(5), random.rotation()};
        std::vector<Vec3> vertices;
        for (int k = 0; k < 8; ++k)
            vertices.push_back(
                transformPoint(pose, {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z}));
        const HullResult hull = buildConvexHull(vertices);
        ASSERT_EQ(hull.error, "");
        // Float corners at up to 5 m are rounded to 2.4e-7 m, up to 2.4e-6 of the thinnest box.
        expectNear(meshMass(hull.hull.vertices, triangulate(hull.hull)), transformed(boxMass(half), pose), 1e-5);
    }
}

TEST(MassProperties, MeshFarFromTheOriginLosesNothing) {
    const Vec3 half{Real(0.5), 1, 2};
    std::vector<Vec3> vertices;
    for (int k = 0; k < 8; ++k)
        vertices.push_back(
            {1024 + (k & 1 ? half.x : -half.x), 2048 + (k & 2 ? half.y : -half.y), -512 + (k & 4 ? half.z : -half.z)});
    const MassProperties moved = transformed(boxMass(half), {{1024, 2048, -512}, {}});
    expectNear(meshMass(vertices, triangulate(boxPolyhedron(half))), moved, 1e-12);
}

TEST(MassProperties, PartsAddUpToTheWhole) {
    // Eight octants of a turned box are the box.
    RandomPoints random(2);
    const Vec3 half{Real(0.5), 1, Real(0.25)};
    const Pose pose{{1, 2, 3}, random.rotation()};
    std::vector<MassProperties> parts;
    for (int k = 0; k < 8; ++k) {
        const Vec3 offset =
            multiply(half * Real(0.5), {k & 1 ? Real(1) : Real(-1), k & 2 ? Real(1) : Real(-1), k & 4 ? Real(1) : Real(-1)});
        parts.push_back(transformed(boxMass(half * Real(0.5)), pose * Pose{offset, {}}));
    }
    expectNear(combined(parts), transformed(boxMass(half), pose), double(kEpsilon) * 4);
    EXPECT_EQ(combined({}).volume, 0);
}

TEST(MassProperties, SignAndEmptyMeshes) {
    const Polyhedron box = boxPolyhedron({1, 1, 1});
    std::vector<std::array<std::uint32_t, 3>> inverted = triangulate(box);
    for (auto& triangle : inverted)
        std::swap(triangle[0], triangle[1]);
    EXPECT_NEAR(meshMass(box.vertices, inverted).volume, -8, 1e-12);
    EXPECT_EQ(meshMass({}, {}).volume, 0);
    const std::vector<std::array<std::uint32_t, 3>> flat{{0, 1, 3}, {0, 3, 1}};
    const MassProperties mass = meshMass(box.vertices, flat);
    EXPECT_EQ(mass.volume, 0);
    EXPECT_EQ(mass.inertia, (std::array<double, 6>{}));
}

TEST(PrincipalAxes, DiagonalInertiaKeepsItsFrame) {
    for (const MassProperties& mass : {sphereMass(0.5), boxMass({3, 1, 2}), cylinderMass(1, 0.1), capsuleMass(0.1, 3)}) {
        const PrincipalAxes axes = principalAxes(mass.inertia);
        EXPECT_EQ(axes.bodyFromPrincipal, Quat{});
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(axes.moments[i], mass.inertia[i]);
    }
    // Products of inertia from the rounding of coordinates are no reason to turn.
    const double noise = double(kEpsilon);
    EXPECT_EQ(principalAxes({1, 1, 1, noise, -noise, noise}).bodyFromPrincipal, Quat{});
}

TEST(PrincipalAxes, TurnedBodiesAreDiagonalised) {
    RandomPoints random(3);
    for (int i = 0; i < 500; ++i) {
        const Vec3 half{random.between(0.01, 1), random.between(0.01, 1), random.between(0.01, 1)};
        const MassProperties mass = transformed(boxMass(half), {{}, random.rotation()});
        const PrincipalAxes axes = principalAxes(mass.inertia);
        EXPECT_NEAR(dot(axes.bodyFromPrincipal, axes.bodyFromPrincipal), 1, 1e-6);
        const Sym3 rebuilt = rotateDiagonal(toMatrix(axes.bodyFromPrincipal),
                                            {Real(axes.moments[0]), Real(axes.moments[1]), Real(axes.moments[2])});
        const double trace = mass.inertia[0] + mass.inertia[1] + mass.inertia[2];
        // Float rounding of the quaternion and of the products.
        const double tolerance = 16 * double(kEpsilon) * trace;
        EXPECT_NEAR(rebuilt.xx, mass.inertia[0], tolerance);
        EXPECT_NEAR(rebuilt.yy, mass.inertia[1], tolerance);
        EXPECT_NEAR(rebuilt.zz, mass.inertia[2], tolerance);
        EXPECT_NEAR(rebuilt.xy, mass.inertia[3], tolerance);
        EXPECT_NEAR(rebuilt.xz, mass.inertia[4], tolerance);
        EXPECT_NEAR(rebuilt.yz, mass.inertia[5], tolerance);
    }
}

}  // namespace
}  // namespace sunder::geometry
