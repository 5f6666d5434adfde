// Calls that no step could survive are refused, and what slips through is taken out. Most were found by fuzzing.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr Real kStep = Real(1) / 30, kHuge = std::numeric_limits<Real>::max(), kNone = std::numeric_limits<Real>::quiet_NaN();

TEST(Limits, StepsAreAtMostAMinute) {
    World world;
    world.addBody({});
    for (const Real dt : {Real(-1), Real(61), kHuge, std::numeric_limits<Real>::infinity(), kNone})
        EXPECT_THROW(world.step(dt), Error) << dt;
    EXPECT_EQ(world.stats().step, 0u);
    world.step(60);
    EXPECT_EQ(world.stats().step, 1u);
}

TEST(Limits, PlacesAreThoseOfDefinitions) {
    World world;
    const BodyId body = world.addBody({.motion = Motion::Kinematic});
    for (const Vec3& place : {Vec3{kHuge, 0, 0}, Vec3{0, Real(2e8), 0}, Vec3{kNone, 0, 0}, Vec3{0, 0, kNone}}) {
        EXPECT_THROW(world.setPose(body, place, {}), Error);
        EXPECT_THROW(world.moveTo(body, place, {}), Error);
    }
    world.setPose(body, {Real(1e8), 0, 0}, {});
}

TEST(Limits, AMeshIsNeverDynamic) {
    World world;
    const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
    const BodyId ground = world.addBody({.shape = mesh, .motion = Motion::Static}), cube = world.addBody({});
    EXPECT_THROW(world.setMotion(ground, Motion::Dynamic), Error);
    EXPECT_THROW(world.setShape(cube, mesh), Error);
    EXPECT_THROW(world.setShape(cube, buildShape(mesh)), Error);
    EXPECT_THROW(world.setMotion(cube, Motion(3)), Error);
    world.setMotion(ground, Motion::Kinematic);
    world.step(kStep);
}

// Impulses that are finite one by one but not together.
TEST(Limits, AVelocityThatIsNoNumberStopsAtItsBody) {
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        World world;
        world.addBody({.shape = Box{{5, 1, 5}}, .motion = Motion::Static, .position = {0, -1, 0}});
        const BodyId victim = world.addBody({.position = {0, Real(0.5), 0}, .mass = Real(0.5)});
        const BodyId neighbor = world.addBody({.position = {0, Real(1.5), 0}});
        const auto push = [&](Real size) { world.addImpulse(victim, {axis.x * size, axis.y * size, axis.z * size}); };
        push(kHuge);
        push(kHuge);
        push(-kHuge);
        push(-kHuge);
        world.step(kStep);
        ASSERT_EQ(world.errorEvents().size(), 1u);
        EXPECT_EQ(world.errorEvents()[0].body, victim);
        EXPECT_LT(std::fabs(world.velocity(neighbor).y), 1);
        World restored;
        restored.restore(world.snapshot());
        EXPECT_EQ(restored.hash(), world.hash());
    }
}

}  // namespace
}  // namespace sunder
