// Deformable bodies through the public interface: they fall, rest, carry rigid bodies, and go through snapshots and replays.
#include <gtest/gtest.h>

#include <cmath>

#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr Real kStep = Real(1) / 60;

BodyDef jelly(const Vec3& position, Real young = Real(1e5), Real cell = Real(0.25)) {
    BodyDef def;
    def.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}};
    def.position = position;
    def.material.young = young;
    def.material.poisson = Real(0.3);
    def.deformable = DeformableDef{.cell = cell};
    return def;
}

BodyDef floorBody() { return {.name = "floor", .shape = Box{{10, 1, 10}}, .motion = Motion::Static, .position = {0, -1, 0}}; }

double lowest(const World& world, BodyId body) {
    double low = 1e9;
    const auto view = world.vertices(body);
    for (const Vec3& p : view->positions) {
        const Quat q = world.orientation(body);
        const Vec3 u{q.x, q.y, q.z};
        const auto cross = [](const Vec3& a, const Vec3& b) {
            return Vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
        };
        const Vec3 t = cross(u, p), s = cross(u, t);
        low = std::min(low, double(world.position(body).y + p.y + 2 * (q.w * t.y + s.y)));
    }
    return low;
}

TEST(Deformable, AJellyCubeFallsSquashesAndRests) {
    World world;
    world.addBody(floorBody());
    const BodyId cube = world.addBody(jelly({0, Real(1.5), 0}));
    ASSERT_TRUE(world.deformable(cube));
    ASSERT_TRUE(world.vertices(cube));
    double squashed = 1;
    for (int i = 0; i < 180; ++i) {
        world.step(kStep);
        squashed = std::min(squashed, double(world.centerOfMass(cube).y));
        ASSERT_GT(lowest(world, cube), -0.01) << "step " << i;
    }
    EXPECT_LT(squashed, 0.46);
    EXPECT_NEAR(world.centerOfMass(cube).y, 0.47, 0.02);
    EXPECT_NEAR(lowest(world, cube), 0, 2e-3);
    EXPECT_NEAR(double(world.velocity(cube).y), 0, 0.01);
    EXPECT_TRUE(world.errorEvents().empty());
}

// A box of twice its weight, and one on top of that, rest on the cube; a third box beside it rests on the floor.
TEST(Deformable, RigidBoxesRestOnIt) {
    World world;
    world.addBody(floorBody());
    const BodyId cube = world.addBody(jelly({0, Real(0.5), 0}, Real(1e6)));
    const auto box = [&](const Vec3& at, Real mass) {
        BodyDef def;
        def.shape = Box{{Real(0.3), Real(0.2), Real(0.3)}};
        def.position = at;
        def.mass = mass;
        return world.addBody(def);
    };
    const BodyId lower = box({0, Real(1.25), 0}, 2000), upper = box({0, Real(1.7), 0}, 500),
                 beside = box({2, Real(0.5), 0}, 100);
    for (int i = 0; i < 240; ++i)
        world.step(kStep);
    const double top = 2 * double(world.centerOfMass(cube).y);
    EXPECT_NEAR(world.position(lower).y, 1.2, 0.06);
    EXPECT_NEAR(world.position(upper).y - world.position(lower).y, 0.4, 0.01);
    EXPECT_NEAR(world.position(beside).y, 0.2, 0.01);
    EXPECT_GT(top, 0.9);
    for (const BodyId id : {lower, upper, beside, cube})
        EXPECT_NEAR(double(world.velocity(id).y), 0, 0.02);
}

TEST(Deformable, OneLiesOnAnother) {
    World world;
    world.addBody(floorBody());
    const BodyId lower = world.addBody(jelly({0, Real(0.5), 0}, Real(5e5), Real(0.34)));
    const BodyId upper = world.addBody(jelly({Real(0.2), Real(1.6), Real(0.1)}, Real(5e5), Real(0.34)));
    for (int i = 0; i < 180; ++i)
        world.step(kStep);
    EXPECT_NEAR(world.centerOfMass(upper).y, 1.47, 0.05);
    EXPECT_NEAR(world.centerOfMass(lower).y, 0.48, 0.03);
    EXPECT_NEAR(world.centerOfMass(upper).x, 0.2, 0.1);
}

TEST(Deformable, PinnedNodesStay) {
    World world;
    BodyDef beam = jelly({0, 2, 0}, Real(1e6));
    beam.shape = Box{{1, Real(0.1), Real(0.1)}};
    beam.deformable->cell = Real(0.1);
    beam.deformable->pinned = {{{Real(-1.1), -1, -1}, {Real(-0.99), 1, 1}}};
    const BodyId body = world.addBody(beam);
    for (int i = 0; i < 120; ++i)
        world.step(kStep);
    EXPECT_LT(lowest(world, body), 1.85) << "its free end sags";
    EXPECT_GT(world.centerOfMass(body).y, 1.0) << "it hangs on its pinned end";
}

// A ball's shape is filled by the mesher; its volume is that of the tetrahedra.
TEST(Deformable, RoundShapesAreFilledToo) {
    World world;
    world.addBody(floorBody());
    BodyDef ball = jelly({0, 1, 0});
    ball.shape = Sphere{Real(0.5)};
    const BodyId body = world.addBody(ball);
    EXPECT_NEAR(world.mass(body), 1000 * 4.18879 / 8, 40);
    for (int i = 0; i < 120; ++i)
        world.step(kStep);
    EXPECT_GT(lowest(world, body), -0.01);
    EXPECT_NEAR(world.centerOfMass(body).y, 0.42, 0.08);
}

TEST(Deformable, SnapshotsAndThreadsGiveTheSameBits) {
    const auto furnish = [](World& world) {
        world.addBody(floorBody());
        BodyDef soft = jelly({0, 1, 0});
        soft.material.yield = Real(5e3);
        world.addBody(soft);
        world.addBody({.shape = Sphere{Real(0.3)}, .position = {Real(0.1), 2, 0}});
    };
    World one;
    WorldDef threaded;
    threaded.threads = 3;
    World three(threaded);
    furnish(one);
    furnish(three);
    for (int i = 0; i < 30; ++i) {
        one.step(kStep);
        three.step(kStep);
    }
    EXPECT_EQ(one.hash(), three.hash());
    const std::vector<std::byte> snapshot = one.snapshot();
    World other;
    other.restore(snapshot);
    EXPECT_EQ(other.hash(), one.hash());
    for (int i = 0; i < 30; ++i) {
        one.step(kStep);
        other.step(kStep);
    }
    EXPECT_EQ(other.hash(), one.hash());
}

TEST(Deformable, WhatCannotDeformIsRefused) {
    const auto messages = [](auto&& change) {
        BodyDef def = jelly({});
        change(def);
        return validate(def);
    };
    EXPECT_TRUE(messages([](BodyDef&) {}).empty());
    EXPECT_EQ(messages([](BodyDef& d) { d.motion = Motion::Static; }).size(), 1u);
    EXPECT_EQ(messages([](BodyDef& d) { d.sensor = true; }).size(), 1u);
    EXPECT_EQ(messages([](BodyDef& d) { d.deformable->cell = -1; }).size(), 1u);
    const auto soft = messages([](BodyDef& d) { d.material.poisson = Real(0.5); });
    ASSERT_EQ(soft.size(), 1u);
    EXPECT_NE(soft[0].find("material.poisson: 0.5"), std::string::npos) << soft[0];
    World world;
    BodyDef fine = jelly({});
    fine.deformable->cell = Real(1e-4);
    try {
        world.addBody(fine);
        FAIL() << "a million million tetrahedra";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("deformable.cell"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace sunder
