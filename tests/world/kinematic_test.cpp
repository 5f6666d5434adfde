// Kinematic bodies: they go where they are told, exactly, and take along what stands on them. At 30 and at 60 Hz.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/parts.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

using scenes::vec;

class Kinematic : public AtRate {};
INSTANTIATE_TEST_SUITE_P(Rates, Kinematic, ::testing::Values(30.0, 60.0));

// Fact 15. Exactly: to the bit for the position; the orientation is normalised once.
TEST_P(Kinematic, ArrivesExactlyAndThenStops) {
    World world;
    const BodyId body = world.addBody({.motion = Motion::Kinematic, .position = vec(1, 2, 3)});
    scenes::Random random(8);
    for (int i = 0; i < 20; ++i) {
        const Vec3 target = random.inBox(5);
        const Quat turn = random.rotation();
        world.moveTo(body, target, turn);
        world.step(dt());
        EXPECT_EQ(world.position(body), target);
        const Quat q = world.orientation(body);
        EXPECT_NEAR(std::abs(q.x * turn.x + q.y * turn.y + q.z * turn.z + q.w * turn.w), 1, 1e-6);
        world.step(dt());
        EXPECT_EQ(world.position(body), target);
    }
}

TEST_P(Kinematic, LiftsWhatStandsOnIt) {
    for (const bool clamp : {true, false}) {
        WorldDef def;
        def.impulseClamp = clamp;
        World world(def);
        const BodyId lift =
            world.addBody({.shape = Box{vec(2, 0.5, 2)}, .motion = Motion::Kinematic, .position = vec(0, -0.5, 0)});
        const BodyId low = world.addBody({.position = vec(0, 0.5, 0)});
        const BodyId high = world.addBody({.position = vec(0.1, 1.5, 0)});
        const double speed = 1.5;
        for (int i = 1; i <= int(2 * rate()); ++i) {
            world.moveTo(lift, vec(0, -0.5 + speed * i / rate(), 0), {});
            world.step(dt());
            const double surface = speed * i / rate();
            EXPECT_NEAR(world.position(low).y, surface + 0.5, 0.02);
            EXPECT_NEAR(world.position(high).y, surface + 1.5, 0.03);
        }
        EXPECT_NEAR(world.velocity(high).y, speed, 0.01);
        EXPECT_NEAR(world.position(low).x, 0, 2e-3);
    }
}

// A platform that moves sideways with less than mu g drags its load along.
TEST_P(Kinematic, CarriesItsLoadSideways) {
    World world;
    const BodyId sled = world.addBody({.shape = Box{vec(2, 0.5, 2)}, .motion = Motion::Kinematic, .position = vec(0, -0.5, 0)});
    const BodyId cube = world.addBody({.position = vec(0, 0.5, 0)});
    const double acceleration = 2;  // below mu g = 4.9
    for (int i = 1; i <= int(2 * rate()); ++i) {
        const double time = i / rate();
        world.moveTo(sled, vec(0.5 * acceleration * time * time, -0.5, 0), {});
        world.step(dt());
        EXPECT_NEAR(world.position(cube).x, 0.5 * acceleration * time * time, 0.1);  // it slips a little within each step
    }
}

TEST_P(Kinematic, MovesWithItsGivenVelocity) {
    World world;
    const BodyId body =
        world.addBody({.motion = Motion::Kinematic, .velocity = vec(1, -2, 0), .angularVelocity = vec(0, scenes::kPi / 2, 0)});
    const BodyId obstacle = world.addBody({.position = vec(3, -2, 0), .gravityFactor = 0});
    for (int i = 0; i < int(rate()); ++i)
        world.step(dt());
    EXPECT_NEAR(world.position(body).x, 1, 1e-4);
    EXPECT_NEAR(world.position(body).y, -2, 1e-4);
    EXPECT_NEAR(world.orientation(body).y, std::sin(scenes::kPi / 4), 1e-4);
    for (int i = 0; i < int(2 * rate()); ++i)
        world.step(dt());
    EXPECT_NEAR(world.position(body).x, 3, 1e-3);  // nothing stops it
    EXPECT_TRUE(world.isValid(obstacle));
    EXPECT_EQ(world.velocity(body), vec(1, -2, 0));
}

TEST_P(Kinematic, FollowsItsKeyframes) {
    World world;
    const Quat quarter = scenes::turnAbout(0, 1, 0, scenes::kPi / 2);
    BodyDef def{.motion = Motion::Kinematic};
    def.keyframes = {{.time = 0, .position = vec(0, 0, 0), .orientation = {}},
                     {.time = 1, .position = vec(2, 0, 0), .orientation = {}},
                     {.time = 2, .position = vec(2, 4, 0), .orientation = quarter}};
    const BodyId body = world.addBody(def);
    for (int i = 1; i <= int(3 * rate()); ++i) {
        world.step(dt());
        const double t = std::min(i / rate(), 2.0);
        const Vec3 p = world.position(body);
        EXPECT_NEAR(p.x, std::min(2.0, 2 * t), 1e-4);
        EXPECT_NEAR(p.y, std::max(0.0, 4 * (t - 1)), 1e-4);
        EXPECT_NEAR(world.orientation(body).y, std::sin(std::max(0.0, t - 1) * scenes::kPi / 4), 1e-4);
    }
}

TEST(KinematicTargets, AreForKinematicBodiesOnly) {
    World world;
    const BodyId body = world.addBody({});
    EXPECT_THROW(world.moveTo(body, {}, {}), Error);
    const BodyId kinematic = world.addBody({.motion = Motion::Kinematic, .position = vec(5, 0, 0)});
    EXPECT_THROW(world.moveTo(kinematic, {}, {0, 0, 0, 0}), Error);
}

}  // namespace
}  // namespace sunder
