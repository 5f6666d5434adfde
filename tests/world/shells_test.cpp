// Thin shells as rigid bodies: they rest, hold what is in them, and never end up in each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/cutting/exact.h"
#include "math/quat.h"
#include "sunder/world.h"

namespace sunder {
namespace {

using geometry::ExactPoint;

// An open tray without a lid: a square floor of this half side and four walls that lean out, each of two triangles.
Shell tray(Real half, Real height, Real thickness) {
    Shell shell;
    shell.thickness = thickness;
    const Real wide = half * Real(1.3);
    shell.vertices = {{-half, 0, -half},      {half, 0, -half},      {half, 0, half},      {-half, 0, half},
                      {-wide, height, -wide}, {wide, height, -wide}, {wide, height, wide}, {-wide, height, wide}};
    shell.triangles = {{0, 1, 2}, {0, 2, 3}};
    for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t j = (i + 1) % 4;
        shell.triangles.push_back({i, i + 4, j});
        shell.triangles.push_back({j, i + 4, j + 4});
    }
    return shell;
}

// The corners of its triangles in the world, on a grid of integers: steps of 40 m / 2^26.
std::vector<ExactPoint> cornersOf(const World& world, BodyId body, const Shell& shell) {
    const geometry::GridOfPoints grid({-20, -20, -20}, {20, 20, 20});
    std::vector<ExactPoint> corners;
    for (const Vec3& vertex : shell.vertices)
        corners.push_back(grid(toDouble(world.position(body)) + toDouble(rotate(world.orientation(body), vertex))));
    return corners;
}

bool crosses(const ExactPoint& p, const ExactPoint& q, const ExactPoint (&t)[3]) {
    if (geometry::sideOfCutter(t, p) == geometry::sideOfCutter(t, q))
        return false;
    const int a = geometry::sideOfEdge(t[0], t[1], p, q), b = geometry::sideOfEdge(t[1], t[2], p, q),
              c = geometry::sideOfEdge(t[2], t[0], p, q);
    return a == b && b == c;
}

bool areApart(const ExactPoint (&p)[3], const ExactPoint (&q)[3], std::int32_t ExactPoint::*axis) {
    const auto [lowP, highP] = std::minmax({p[0].*axis, p[1].*axis, p[2].*axis});
    const auto [lowQ, highQ] = std::minmax({q[0].*axis, q[1].*axis, q[2].*axis});
    return highP < lowQ || highQ < lowP;
}

// Pairs of triangles, one of each shell, that cross; in exact arithmetic.
int crossings(const World& world, BodyId a, const Shell& shellA, BodyId b, const Shell& shellB) {
    const std::vector<ExactPoint> inA = cornersOf(world, a, shellA), inB = cornersOf(world, b, shellB);
    int count = 0;
    for (const auto& s : shellA.triangles)
        for (const auto& t : shellB.triangles) {
            const ExactPoint p[3] = {inA[s[0]], inA[s[1]], inA[s[2]]}, q[3] = {inB[t[0]], inB[t[1]], inB[t[2]]};
            if (areApart(p, q, &ExactPoint::x) || areApart(p, q, &ExactPoint::y) || areApart(p, q, &ExactPoint::z))
                continue;
            bool cross = false;
            for (int i = 0; i < 3; ++i)
                cross = cross || crosses(p[i], p[(i + 1) % 3], q) || crosses(q[i], q[(i + 1) % 3], p);
            count += cross;
        }
    return count;
}

BodyId addGround(World& world) {
    return world.addBody({.shape = Box{{10, Real(0.5), 10}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
}

// Eight of them above each other, upside down and askew.
std::vector<BodyId> addFallingTrays(World& world, const Shell& shell) {
    std::vector<BodyId> trays;
    for (int i = 0; i < 8; ++i) {
        const Real angle = Real(0.7) * Real(i) + (i % 2 == 1 ? Real(3) : Real(0));
        trays.push_back(world.addBody(
            {.shape = shell,
             .position = {Real(0.05) * Real(i % 3), Real(0.8) + Real(1.5) * Real(i), 0},
             .orientation = normalize(Quat{std::sin(angle / 2), Real(0.1) * Real(i % 4), Real(0.05), std::cos(angle / 2)}),
             .angularVelocity = {Real(0.5), Real(0.2) * Real(i), Real(-0.3)}}));
    }
    return trays;
}

TEST(Shells, MassIsThatOfTheWalls) {
    World world;
    Material material;
    material.density = 1000;
    const Shell shell = tray(Real(0.5), Real(0.4), Real(0.01));
    const BodyId body = world.addBody({.shape = shell, .material = material});
    // A floor of 1 m^2 and four trapezia between sides of 1 and 1.3 m, of slant height sqrt(0.4^2 + 0.15^2).
    const double area = 1 + 4 * 0.5 * (1 + 1.3) * std::sqrt(0.4 * 0.4 + 0.15 * 0.15);
    EXPECT_NEAR(double(world.mass(body)), 1000 * 0.01 * area, 1e-4 * 10 * area);
    EXPECT_TRUE(std::holds_alternative<Shell>(world.shape(body)));
}

// On the ground by half its thickness, and what falls into it stays in it: a ball, a box, a level set.
TEST(Shells, HoldWhatFallsIntoThem) {
    World world;
    addGround(world);
    const Real thickness = Real(0.02);
    const BodyId bowl = world.addBody({.shape = tray(Real(0.5), Real(0.4), thickness), .position = {0, Real(0.1), 0}});
    LevelSet ring;
    ring.parts.push_back({Cylinder{Real(0.12), Real(0.05)}, {}, {}});
    ring.cell = Real(0.02);
    const std::vector<BodyId> inside = {
        world.addBody({.shape = Sphere{Real(0.1)}, .position = {Real(-0.2), Real(0.6), 0}}),
        world.addBody({.shape = Box{{Real(0.1), Real(0.1), Real(0.1)}}, .position = {Real(0.2), Real(0.8), Real(0.1)}}),
        world.addBody({.shape = ring, .position = {0, Real(1.1), Real(-0.2)}})};
    for (int i = 0; i < 180; ++i)
        world.step(Real(1) / 60);
    // It stands on its floor; a body rests within the tolerance of contacts.
    EXPECT_NEAR(world.position(bowl).y, thickness / 2, Real(0.004));
    for (const BodyId body : inside) {
        const Vec3 at = world.position(body);
        EXPECT_GT(at.y, Real(0.02));
        EXPECT_LT(std::max(std::fabs(at.x - world.position(bowl).x), std::fabs(at.z - world.position(bowl).z)), Real(0.6));
    }
    for (const BodyId body : inside)
        EXPECT_LT(length(world.velocity(body)), Real(0.05));
}

// A thrown ball does not pass through a wall of 4 mm.
TEST(Shells, FastBodiesDoNotPass) {
    World world;
    world.setGravity({});
    const Shell shell = tray(Real(0.5), Real(0.4), Real(0.004));
    Material heavy;
    heavy.density = 50000;
    const BodyId bowl = world.addBody({.shape = shell, .material = heavy});
    const BodyId ball =
        world.addBody({.shape = Sphere{Real(0.03)}, .position = {Real(0.1), 3, Real(0.1)}, .velocity = {0, -60, 0}});
    for (int i = 0; i < 30; ++i)
        world.step(Real(1) / 60);
    const Pose pose{world.position(bowl), world.orientation(bowl)};
    EXPECT_GT(inverseTransformPoint(pose, world.position(ball)).y, 0);
}

// Trays fall onto each other, upside down and askew, edges on edges, and come to rest: then no two triangles cross.
TEST(Shells, DoNotRestInEachOther) {
    World world;
    addGround(world);
    const Shell shell = tray(Real(0.4), Real(0.3), Real(0.02));
    const std::vector<BodyId> trays = addFallingTrays(world, shell);
    for (int i = 0; i < 400; ++i)
        world.step(Real(1) / 60);
    for (std::size_t a = 0; a < trays.size(); ++a) {
        EXPECT_LT(length(world.velocity(trays[a])), Real(0.05));
        for (std::size_t b = 0; b < a; ++b)
            EXPECT_EQ(crossings(world, trays[a], shell, trays[b], shell), 0) << a << " " << b;
    }
}

// Contacts alone let some of these trays sink through each other: their triangles crossed in 8 of 400 frames with walls of 20
// mm and in 356 with walls of 4 mm, of which most were at rest.
TEST(Shells, NeverCrossHoweverHardTheyLand) {
    for (const Stepper stepper : {Stepper::FrameRate, Stepper::Impulse, Stepper::Damped}) {
        WorldDef def;
        def.stepper = stepper;
        World world(def);
        addGround(world);
        const Shell shell = tray(Real(0.4), Real(0.3), Real(0.004));
        const std::vector<BodyId> trays = addFallingTrays(world, shell);
        for (int i = 0; i < 110; ++i) {
            world.step(Real(1) / 60);
            for (std::size_t a = 0; a < trays.size(); ++a)
                for (std::size_t b = 0; b < a; ++b)
                    ASSERT_EQ(crossings(world, trays[a], shell, trays[b], shell), 0)
                        << "stepper " << int(stepper) << ", frame " << i << ": " << a << " " << b;
        }
    }
}

// Two trays that meet in the air at 24 m/s, rim on rim, and would end a step in each other: what they had of momentum they
// keep, and they gain no energy.
TEST(Shells, WhatKeepsThemApartKeepsMomentum) {
    World world;
    world.setGravity({});
    const Shell shell = tray(Real(0.4), Real(0.3), Real(0.004));
    const BodyId a = world.addBody({.shape = shell, .velocity = {0, 12, 0}, .angularVelocity = {1, 0, Real(0.5)}});
    const BodyId b = world.addBody({.shape = shell,
                                    .position = {Real(0.25), Real(1.7), Real(0.1)},
                                    .orientation = {Real(0.966), 0, 0, Real(0.259)},
                                    .velocity = {0, -12, 0}});
    const WorldStats before = world.stats();
    double energy = before.kineticEnergy;
    for (int i = 0; i < 30; ++i) {
        world.step(Real(1) / 60);
        ASSERT_EQ(crossings(world, a, shell, b, shell), 0) << i;
        const WorldStats now = world.stats();
        // Of momenta of 30 kg m/s and 20 kg m^2/s each, to the rounding of float.
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(now.linearMomentum[k], before.linearMomentum[k], 3e-4) << i;
            EXPECT_NEAR(now.angularMomentum[k], before.angularMomentum[k], 3e-3) << i;
        }
        EXPECT_LT(now.kineticEnergy, energy * (1 + 1e-4)) << i;
        energy = now.kineticEnergy;
    }
}

// The check itself sees what crosses.
TEST(Shells, TheCheckSeesCrossings) {
    World world;
    world.setGravity({});
    const Shell shell = tray(Real(0.4), Real(0.3), Real(0.02));
    const BodyId a = world.addBody({.shape = shell});
    const BodyId b = world.addBody({.shape = shell, .position = {Real(0.2), Real(0.1), Real(0.05)}});
    EXPECT_GT(crossings(world, a, shell, b, shell), 0);
}

TEST(Shells, TheSameBitsForAnyNumberOfThreadsAndAfterARestore) {
    const auto build = [](int threads) {
        WorldDef def;
        def.threads = threads;
        auto world = std::make_unique<World>(def);
        addGround(*world);
        for (int i = 0; i < 3; ++i)
            world->addBody({.shape = tray(Real(0.4), Real(0.3), Real(0.02)),
                            .position = {Real(0.1) * Real(i), Real(0.5) + Real(0.5) * Real(i), 0},
                            .angularVelocity = {1, 0, Real(0.5)}});
        return world;
    };
    const auto one = build(1), four = build(4);
    for (int i = 0; i < 30; ++i) {
        one->step(Real(1) / 60);
        four->step(Real(1) / 60);
    }
    EXPECT_EQ(one->hash(), four->hash());
    World restored;
    restored.restore(one->snapshot());
    for (int i = 0; i < 30; ++i) {
        one->step(Real(1) / 60);
        restored.step(Real(1) / 60);
    }
    EXPECT_EQ(restored.hash(), one->hash());
}

TEST(Shells, BadOnesAreRefused) {
    const auto messageOf = [](const Shell& shell) {
        const std::vector<std::string> messages = validate(Shape(shell));
        return messages.empty() ? std::string() : messages[0];
    };
    Shell shell = tray(Real(0.4), Real(0.3), Real(0.02));
    EXPECT_EQ(messageOf(shell), "");
    shell.thickness = 0;
    EXPECT_EQ(messageOf(shell).find("thickness: 0 is not allowed"), 0u) << messageOf(shell);
    shell = tray(Real(0.4), Real(0.3), Real(0.02));
    shell.triangles[2] = {0, 1, 9};
    EXPECT_EQ(messageOf(shell).find("triangles[2]: vertex 9 is not allowed"), 0u) << messageOf(shell);
    shell.triangles[2] = {0, 1, 1};
    EXPECT_EQ(messageOf(shell).find("triangles[2]: a triangle 0 m high"), 0u) << messageOf(shell);
    shell.triangles.clear();
    EXPECT_EQ(messageOf(shell).find("triangles: 0 triangles"), 0u) << messageOf(shell);
}

}  // namespace
}  // namespace sunder
