// Friction: sliding to a stop, spinning, inclines, conveyors, rolling. At 30 and at 60 Hz.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/mechanics.h"
#include "scenes/slides.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

using scenes::kGravity;
using scenes::vec;

class Friction : public AtRate {};
INSTANTIATE_TEST_SUITE_P(Rates, Friction, ::testing::Values(30.0, 60.0));

// Fact 9: stops at v^2 / (2 mu g), the same in every direction.
TEST_P(Friction, BoxStopsAfterTheSameWayInEveryDirection) {
    constexpr double kSpeed = 5, kMu = 0.5;
    const double exact = kSpeed * kSpeed / (2 * kMu * kGravity);
    for (int degrees = 0; degrees < 360; degrees += 30) {
        SCOPED_TRACE(degrees);
        const double c = std::cos(scenes::radians(degrees)), s = std::sin(scenes::radians(degrees));
        scenes::BoxScene scene = scenes::cubeOnFloor({}, kMu, vec(kSpeed * c, 0, kSpeed * s));
        run(scene.world, 2);
        const BodyId cube = scene.moving.front().id;
        const Vec3 p = scene.world.position(cube);
        EXPECT_NEAR(p.x * c + p.z * s, exact, 0.02 * exact);
        EXPECT_NEAR(p.z * c - p.x * s, 0, 1e-3 * exact);
        EXPECT_NEAR(scene.world.orientation(cube).y, 0, 1e-3);  // half the angle turned
        EXPECT_NEAR(scenes::mechanicsOf(scene).kinetic, 0, 1e-3);
    }
}

TEST_P(Friction, ContactUsesTheGeometricMean) {
    World world;
    world.addBody({.shape = Box{vec(50, 0.5, 50)},
                   .motion = Motion::Static,
                   .position = vec(0, -0.5, 0),
                   .material = {.friction = Real(0.9)}});
    const BodyId cube =
        world.addBody({.position = vec(0, 0.5, 0), .velocity = vec(4, 0, 0), .material = {.friction = Real(0.1)}});
    run(world, 3);
    const double exact = 16 / (2 * 0.3 * kGravity);
    EXPECT_NEAR(world.position(cube).x, exact, 0.02 * exact);
}

// Fact 10, where the patch is known: four small feet at a distance r from the axis brake with mu m g r.
TEST_P(Friction, SpinOnFourFeetDecaysByTheirDistance) {
    const double half = 0.5, foot = 0.1, mu = 0.5, spin = 6;
    Compound table{{{.shape = Box{vec(half, 0.1, half)}}}};
    for (const double x : {-half, half})
        for (const double z : {-half, half})
            table.children.push_back({.shape = Sphere{Real(foot)}, .position = vec(x, -0.2, z)});
    World world;
    world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    const BodyId body = world.addBody({.shape = table, .position = vec(0, 0.3, 0)});
    world.addAngularImpulse(body, vec(0, 1, 0));
    const double inertia = 1 / double(world.angularVelocity(body).y);
    run(world, 0.5);  // settle
    world.setAngularVelocity(body, vec(0, spin, 0));
    const Vec3 start = world.centerOfMass(body);
    const double braking = mu * double(world.mass(body)) * kGravity * half * std::sqrt(2.0) / inertia;
    const double time = std::floor(spin / braking * 0.6 * rate()) / rate();
    run(world, time);
    EXPECT_NEAR(world.angularVelocity(body).y, spin - braking * time, 0.03 * spin);
    run(world, 1);
    EXPECT_NEAR(world.angularVelocity(body).y, 0, 1e-3);
    EXPECT_NEAR(world.centerOfMass(body).x, start.x, 2e-3);
    EXPECT_NEAR(world.centerOfMass(body).z, start.z, 2e-3);
}

// Fact 10 for a flat face: how pressure spreads over a square of side a is not determined. Carried evenly it brakes with
// 0.3826 a mu m g, carried at the corners with 0.7071 a mu m g; no distribution lies outside.
TEST_P(Friction, SpinOnAFaceDecaysBetweenItsBounds) {
    const double mu = 0.5, spin = 8;
    scenes::BoxScene scene = scenes::cubeOnFloor({}, mu, {});
    const BodyId cube = scene.moving.front().id;
    run(scene.world, 0.5);
    scene.world.setAngularVelocity(cube, vec(0, spin, 0));
    const Vec3 start = scene.world.position(cube);
    run(scene.world, 0.2);
    const double most = 6 * mu * kGravity * std::sqrt(0.5), least = 6 * mu * kGravity * 0.3826;
    EXPECT_GE(scene.world.angularVelocity(cube).y, spin - most * 0.2 - 0.02 * spin);
    EXPECT_LE(scene.world.angularVelocity(cube).y, spin - least * 0.2 + 0.02 * spin);
    run(scene.world, 2);
    EXPECT_NEAR(scene.world.angularVelocity(cube).y, 0, 1e-3);
    EXPECT_NEAR(scene.world.position(cube).x, start.x, 1e-3);
    EXPECT_NEAR(scene.world.position(cube).z, start.z, 1e-3);
}

// Fact 11, mu above tan(angle).
TEST_P(Friction, BoxStaysOnAnIncline) {
    for (const double degrees : {10.0, 20.0, 26.0}) {  // tan(26) = 0.488
        scenes::Incline slope = scenes::incline({}, degrees, 0.5);
        run(slope.scene.world, 0.5);
        const double start = slope.travelled();
        run(slope.scene.world, 3);
        EXPECT_NEAR(slope.travelled(), start, 1e-4) << degrees << " degrees";
        EXPECT_NEAR(start, 0, 1e-2) << degrees << " degrees";
    }
}

// Fact 11, mu below tan(angle): s = g (sin a - mu cos a) t^2 / 2.
TEST_P(Friction, BoxSlidesDownAnIncline) {
    struct Case {
        double degrees, mu;
    };
    for (const Case& c : {Case{30, 0.3}, Case{20, 0.1}, Case{40, 0.5}, Case{15, 0}}) {
        const double angle = scenes::radians(c.degrees);
        const double exact = 0.5 * kGravity * (std::sin(angle) - c.mu * std::cos(angle)) * 4;
        scenes::Incline slope = scenes::incline({}, c.degrees, c.mu);
        run(slope.scene.world, 2);
        EXPECT_NEAR(slope.travelled(), exact, 0.01 * exact) << c.degrees << " degrees, mu " << c.mu;
    }
}

// [Su09] figure 3: v^2 / (2 g (mu cos a - sin a)), then no creeping.
TEST_P(Friction, BoxSlidesToAStopOnAnIncline) {
    scenes::Incline slope = scenes::incline({}, 20, 0.5, 3);
    const double angle = scenes::radians(20), exact = 9 / (2 * kGravity * (0.5 * std::cos(angle) - std::sin(angle)));
    run(slope.scene.world, 2.5);
    const double stopped = slope.travelled();
    EXPECT_NEAR(stopped, exact, 0.01 * exact);
    run(slope.scene.world, 3);
    EXPECT_NEAR(slope.travelled(), stopped, 1e-4);
}

// Fact 14, for a belt that stands and for one that is kinematic.
TEST_P(Friction, ConveyorCarriesWhatLiesOnIt) {
    for (const Motion motion : {Motion::Static, Motion::Kinematic}) {
        World world;
        const BodyId belt = world.addBody(
            {.shape = Box{vec(50, 0.5, 5)}, .motion = motion, .position = vec(0, -0.5, 0), .surfaceVelocity = vec(2, 0, 0)});
        const BodyId cube = world.addBody({.position = vec(0, 0.5, 0)});
        run(world, 2);
        EXPECT_NEAR(world.velocity(cube).x, 2, 0.005);
        EXPECT_NEAR(world.velocity(cube).z, 0, 0.005);
        // v = mu g t until it reaches the belt's speed.
        const double reached = 2 / (0.5 * kGravity);
        EXPECT_NEAR(world.position(cube).x, 2 * (2 - reached) + reached, 0.05);
        world.setSurfaceVelocity(belt, vec(0, 0, -1));
        run(world, 2);
        EXPECT_NEAR(world.velocity(cube).x, 0, 0.005);
        EXPECT_NEAR(world.velocity(cube).z, -1, 0.005);
        EXPECT_EQ(world.position(belt), vec(0, -0.5, 0));
    }
}

// The surface velocity is in the body's axes: a belt turned by 90 degrees about y carries x to -z.
TEST_P(Friction, ConveyorTurnsWithItsBody) {
    World world;
    world.addBody({.shape = Box{vec(50, 0.5, 50)},
                   .motion = Motion::Static,
                   .position = vec(0, -0.5, 0),
                   .orientation = scenes::turnAbout(0, 1, 0, scenes::kPi / 2),
                   .surfaceVelocity = vec(2, 0, 0)});
    const BodyId cube = world.addBody({.position = vec(0, 0.5, 0)});
    run(world, 2);
    EXPECT_NEAR(world.velocity(cube).z, -2, 0.005);
    EXPECT_NEAR(world.velocity(cube).x, 0, 0.005);
}

// A ball pushed along a rough floor slides until it rolls, at 5/7 of its speed.
TEST_P(Friction, SlidingBallEndsUpRolling) {
    World world;
    world.addBody({.shape = Box{vec(100, 0.5, 50)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    BodyDef def{.shape = Sphere{}, .position = vec(0, 0.5, 0), .velocity = vec(7, 0, 0)};
    def.material.rollingFriction = Real(0);
    const BodyId ball = world.addBody(def);
    run(world, 2);
    EXPECT_NEAR(world.velocity(ball).x, 5, 0.01 * 5);
    EXPECT_NEAR(world.angularVelocity(ball).z, -5 / 0.5, 0.01 * 10);
}

// Rolling friction c (m) brakes a rolling ball with the torque c N: a = -c g / (r (1 + 2/5)).
TEST_P(Friction, RollingFrictionStopsABall) {
    World world;
    const Material material{.rollingFriction = Real(0.05)};
    world.addBody(
        {.shape = Box{vec(100, 0.5, 50)}, .motion = Motion::Static, .position = vec(0, -0.5, 0), .material = material});
    const BodyId ball = world.addBody({.shape = Sphere{},
                                       .position = vec(0, 0.5, 0),
                                       .velocity = vec(2, 0, 0),
                                       .angularVelocity = vec(0, 0, -4),
                                       .material = material});
    const double braking = 0.05 * kGravity / (0.5 * 1.4), way = 4 / (2 * braking);
    run(world, 2 / braking + 0.5);
    EXPECT_NEAR(world.position(ball).x, way, 0.03 * way);
    EXPECT_NEAR(world.velocity(ball).x, 0, 1e-3);
}

// Spinning friction c (m) brakes a ball that spins on one point: alpha = c m g / (2/5 m r^2).
TEST_P(Friction, SpinningFrictionStopsATop) {
    World world;
    const Material material{.spinningFriction = Real(0.02)};
    world.addBody(
        {.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0), .material = material});
    const BodyId ball =
        world.addBody({.shape = Sphere{}, .position = vec(0, 0.5, 0), .angularVelocity = vec(0, 5, 0), .material = material});
    const double braking = 0.02 * kGravity / (0.4 * 0.25);
    run(world, 1);
    EXPECT_NEAR(world.angularVelocity(ball).y, 5 - braking, 0.03 * 5);
    run(world, 3);
    EXPECT_NEAR(world.angularVelocity(ball).y, 0, 1e-3);
}

// Nothing is frozen in secret: 5 mm/s on a frictionless floor.
TEST_P(Friction, SlowCubeKeepsGoingWithoutFriction) {
    scenes::BoxScene scene = scenes::cubeOnFloor({}, 0, vec(0.005, 0, 0));
    run(scene.world, 10);
    EXPECT_NEAR(scene.world.velocity(scene.moving.front().id).x, 0.005, 5e-6);
    EXPECT_NEAR(scene.world.position(scene.moving.front().id).x, 0.05, 5e-5);
}

}  // namespace
}  // namespace sunder
