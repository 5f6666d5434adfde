// Bodies that touch nothing: gravity, forces, torques, impulses, damping. At 30 and at 60 Hz.
#include <gtest/gtest.h>

#include "scenes/parts.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

using scenes::vec;

class FreeMotion : public AtRate {};
INSTANTIATE_TEST_SUITE_P(Rates, FreeMotion, ::testing::Values(30.0, 60.0));

constexpr double kRelative = 1e-4;
WorldDef weightless() { return {.gravity = {}}; }

// v = g t. A scheme that moves with the velocity of the end of each substep is g t h / 2 below the parabola, one that
// uses its start as much above, better ones in between.
TEST_P(FreeMotion, FallsWithGravity) {
    World world;
    const BodyId ball = world.addBody({.shape = Sphere{}, .position = vec(1, 100, 2)});
    constexpr double kTime = 2, g = scenes::kGravity;
    run(world, kTime);
    EXPECT_NEAR(world.velocity(ball).y, -g * kTime, g * kTime * kRelative);
    const double substep = 1 / rate() / std::ceil(double(world.settings().frameRate.substepRate) / rate() - 0.01);
    EXPECT_NEAR(world.position(ball).y, 100 - 0.5 * g * kTime * kTime, g * kTime * substep / 2 + 1e-3);
    EXPECT_EQ(world.position(ball).x, 1);
    EXPECT_EQ(world.position(ball).z, 2);
}

TEST_P(FreeMotion, GravityFactorMultipliesGravity) {
    World world;
    const BodyId balloon = world.addBody({.shape = Sphere{}, .gravityFactor = Real(-0.5)});
    const BodyId late = world.addBody({.shape = Sphere{}, .position = vec(5, 0, 0)});
    world.setGravityFactor(late, 2);
    run(world, 1);
    EXPECT_NEAR(world.velocity(balloon).y, 0.5 * scenes::kGravity, kRelative * scenes::kGravity);
    EXPECT_NEAR(world.velocity(late).y, -2 * scenes::kGravity, 2 * kRelative * scenes::kGravity);
}

TEST_P(FreeMotion, ConstantForceGivesConstantAcceleration) {
    World world(weightless());
    const BodyId box = world.addBody({.shape = Box{}, .mass = Real(4)});
    for (int i = 0; i < int(2 * rate()); ++i) {
        world.addForce(box, vec(3, -1, 0.5));
        world.step(dt());
    }
    EXPECT_NEAR(world.velocity(box).x, 3.0 * 2 / 4, 1.5 * kRelative);
    EXPECT_NEAR(world.velocity(box).y, -1.0 * 2 / 4, 0.5 * kRelative);
    EXPECT_NEAR(world.velocity(box).z, 0.5 * 2 / 4, 0.25 * kRelative);
    const Vec3 before = world.velocity(box);
    world.step(dt());  // a force acts during one step only
    EXPECT_EQ(world.velocity(box), before);
}

TEST_P(FreeMotion, ConstantTorqueGivesConstantAngularAcceleration) {
    World world(weightless());
    const BodyId box = world.addBody({.shape = Box{}, .mass = Real(6)});  // a 1 m cube: I = m / 6 = 1 kg m^2
    for (int i = 0; i < int(2 * rate()); ++i) {
        world.addTorque(box, vec(0, 1.5, 0));
        world.step(dt());
    }
    EXPECT_NEAR(world.angularVelocity(box).y, 1.5 * 2, 3 * kRelative);
    EXPECT_NEAR(world.angularVelocity(box).x, 0, 3 * kRelative);
}

TEST_P(FreeMotion, ForceAtAPointIsAForceAndATorque) {
    World world(weightless());
    const BodyId box = world.addBody({.shape = Box{}, .position = vec(1, 2, 3), .mass = Real(6)});
    world.addForceAt(box, vec(0, 0, 6), vec(1.5, 2, 3));  // torque (0.5, 0, 0) x (0, 0, 6) = (0, -3, 0)
    world.step(dt());
    EXPECT_NEAR(world.velocity(box).z, 1 / rate(), kRelative / rate());
    EXPECT_NEAR(world.angularVelocity(box).y, -3 / rate(), 3 * kRelative / rate());
}

TEST(FreeMotionAtOnce, ImpulsesChangeVelocitiesAtOnce) {
    World world(weightless());
    const BodyId box = world.addBody({.shape = Box{}, .position = vec(0, 1, 0), .mass = Real(6)});
    world.addImpulse(box, vec(3, 0, 0));
    EXPECT_NEAR(world.velocity(box).x, 0.5, 1e-6);
    world.addAngularImpulse(box, vec(0, 2, 0));
    EXPECT_NEAR(world.angularVelocity(box).y, 2, 1e-5);
    world.addImpulseAt(box, vec(0, 6, 0), vec(0.5, 1, 0));  // (0.5, 0, 0) x (0, 6, 0) = (0, 0, 3)
    EXPECT_NEAR(world.velocity(box).y, 1, 1e-6);
    EXPECT_NEAR(world.angularVelocity(box).z, 3, 1e-5);
}

// dv/dt = -c v: after a time t, v = v0 exp(-c t). An implicit step of length h is off by c^2 h t / 2 at most.
TEST_P(FreeMotion, DampingDecaysVelocities) {
    World world(weightless());
    const BodyId box = world.addBody({.shape = Box{}, .velocity = vec(4, 0, 0), .angularVelocity = vec(0, 3, 0)});
    world.setDamping(box, Real(0.5), Real(0.8));
    run(world, 2);
    EXPECT_NEAR(world.velocity(box).x, 4 * std::exp(-0.5 * 2), 4 * 0.25 * 2 / (2 * rate()));
    EXPECT_NEAR(world.angularVelocity(box).y, 3 * std::exp(-0.8 * 2), 3 * 0.64 * 2 / (2 * rate()));
}

// No force, no torque: a straight line, and the same turn every second.
TEST_P(FreeMotion, CoastsStraightAndTurnsEvenly) {
    World world(weightless());
    const BodyId ball =
        world.addBody({.shape = Sphere{}, .velocity = vec(1, -2, 0.5), .angularVelocity = vec(0, 0, scenes::kPi / 4)});
    run(world, 2);
    EXPECT_NEAR(world.position(ball).x, 2, 1e-4);
    EXPECT_NEAR(world.position(ball).y, -4, 1e-4);
    EXPECT_NEAR(world.position(ball).z, 1, 1e-4);
    EXPECT_NEAR(world.orientation(ball).z, std::sin(scenes::kPi / 4), 1e-4);  // turned by pi / 2
}

// A body that nothing touches moves through a step at once, one with any damping in substeps: both take the same way.
TEST_P(FreeMotion, OneStrideIsAsGoodAsManySubsteps) {
    World world;
    const BodyDef def{.shape = Box{vec(0.1, 0.2, 0.3)}, .velocity = vec(1, 2, 3), .angularVelocity = vec(1, 20, 2)};
    BodyDef damped = def;
    damped.position = vec(100, 0, 0);
    damped.angularDamping = Real(1e-12);
    const BodyId alone = world.addBody(def), other = world.addBody(damped);
    run(world, 2);
    EXPECT_NEAR(world.position(other).x, world.position(alone).x + 100, 1e-3);
    EXPECT_NEAR(world.position(other).y, world.position(alone).y, 1e-3);
    EXPECT_NEAR(world.position(other).z, world.position(alone).z, 1e-3);
    const Quat p = world.orientation(alone), q = world.orientation(other);
    EXPECT_NEAR(std::fabs(double(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w)), 1, 1e-5);  // within 0.01 rad after 40
}

// [Su09] 2: rotation keeps its energy and momentum. A box that flips, 10 s.
TEST_P(FreeMotion, TumblingKeepsEnergyAndMomentum) {
    World world(weightless());
    world.addBody({.shape = Box{vec(0.1, 0.2, 0.3)}, .angularVelocity = vec(0.05, 6, 0.1)});
    const WorldStats before = world.stats();
    run(world, 10);
    const WorldStats after = world.stats();
    EXPECT_NEAR(after.kineticEnergy, before.kineticEnergy, kRelative * before.kineticEnergy);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(after.angularMomentum[i], before.angularMomentum[i], kRelative * before.angularMomentum[1]);
}

}  // namespace
}  // namespace sunder
