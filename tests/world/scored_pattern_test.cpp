// Bodies of level-set pieces that a pattern scored beforehand: one rigid body until they are struck.
#include <gtest/gtest.h>

#include <cmath>

#include "sunder/sunder.h"

namespace sunder {
namespace {

// A plate of 0.8 x 0.1 x 0.4 m in bricks.
ScoredPattern plate() {
    PatternDef pattern;
    pattern.kind = BrickPattern{{Real(0.2), 1, Real(0.15)}, Real(0.5)};
    pattern.nodes = 17;
    ScoredPatternDef def;
    def.shape = Box{{Real(0.4), Real(0.05), Real(0.2)}};
    def.cell = Real(0.025);
    def.scale = 1;
    def.pattern = buildPattern(pattern);
    return scoreByPattern(def);
}

BodyDef plateBody(double strength) {
    ScoredPattern scored = plate();
    BodyDef def;
    def.shape = std::move(scored.pieces);
    def.material.density = 2000;
    BondsDef bonds;
    bonds.bonds = std::move(scored.bonds);
    bonds.strength.tension = bonds.strength.shear = bonds.strength.bending = Real(strength);
    def.bonds = std::move(bonds);
    return def;
}

TEST(ScoredBody, FallsAsOneRigidBody) {
    World world;
    BodyDef def = plateBody(1e5);
    def.angularVelocity = {0, 2, 0};
    def.position = {0, 10, 0};
    const BodyId body = world.addBody(def);
    EXPECT_NEAR(world.mass(body), 2000 * 0.8 * 0.1 * 0.4, 0.01 * 64);
    const int bonds = world.stats().bonds;
    EXPECT_GT(bonds, 6);
    for (int i = 0; i < 60; ++i)
        world.step(Real(1) / 60);
    ASSERT_TRUE(world.isValid(body));
    EXPECT_EQ(world.stats().bonds, bonds);
    EXPECT_NEAR(world.position(body).y, 10 - 9.81 / 2, 0.1);  // half a step's fall is the integrator's
    EXPECT_NEAR(world.angularVelocity(body).y, 2, 1e-3);
}

// A ball of 20 kg on a plate that lies on two posts 0.6 m apart. Its own weight and the ball's bend it by 65 N m at most:
// 0.1 MPa where it is 0.4 m wide and 0.1 m high.
World struck(int threads, double speed, BodyId* body = nullptr) {
    WorldDef settings;
    settings.threads = threads;
    World world(settings);
    world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    for (const double x : {-0.35, 0.35})
        world.addBody(
            {.shape = Box{{Real(0.05), Real(0.1), Real(0.2)}}, .motion = Motion::Static, .position = {Real(x), Real(0.1), 0}});
    BodyDef def = plateBody(3e5);
    def.position = {0, Real(0.252), 0};
    const BodyId id = world.addBody(def);
    if (body)
        *body = id;
    BodyDef ball;
    ball.shape = Sphere{Real(0.1)};
    ball.mass = 20;
    ball.position = {Real(0.03), Real(0.405 + 0.2 * speed), 0};
    ball.velocity = {0, Real(-speed), 0};
    world.addBody(ball);
    return world;
}

TEST(ScoredBody, BreaksUnderABlowAndNotUnderATap) {
    for (const double speed : {0.1, 15.0}) {
        BodyId body;
        World world = struck(1, speed, &body);
        for (int i = 0; i < 60; ++i)
            world.step(Real(1) / 60);
        EXPECT_EQ(world.isValid(body), speed < 1) << speed;
    }
}

TEST(ScoredBody, SameFutureAfterRestoreAndForAnyThreads) {
    World one = struck(1, 15), four = struck(4, 15), other;
    for (int i = 0; i < 40; ++i) {
        one.step(Real(1) / 60);
        four.step(Real(1) / 60);
        ASSERT_EQ(one.hash(), four.hash()) << i;
        if (i == 8)
            other.restore(one.snapshot());
        if (i > 8) {
            other.step(Real(1) / 60);
            ASSERT_EQ(one.hash(), other.hash()) << i;
        }
    }
    EXPECT_GT(one.stats().pieces, 1);
}

}  // namespace
}  // namespace sunder
