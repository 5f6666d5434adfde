// Bodies and bonds that break under the stepper `impulse`: in the step of the blow, which is then solved again with the pieces
// [Su09] 4.2, [Li18] 4.
#include <gtest/gtest.h>

#include <cmath>

#include "sunder/sunder.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

WorldDef impulseWorld(bool hasGravity = true) {
    WorldDef def;
    def.stepper = Stepper::Impulse;
    if (!hasGravity)
        def.gravity = {};
    return def;
}

FractureDef fractureBy(Real threshold) {
    PatternDef pattern;  // cracks along the way of the ball
    pattern.nodes = 65;
    FractureDef def;
    def.method = Prescored{.pattern = buildPattern(pattern)};
    def.threshold = threshold;
    def.cell = Real(0.06);
    def.smallest = Real(5e-4);
    def.generations = 1;
    return def;
}

struct Hit {
    BodyId wall, ball;
};
// 670 N s between a ball and a wall that stops it.
Hit addHit(World& world, Real ofWall, Real ofBall) {
    Hit ids;
    ids.wall = world.addBody(
        {.shape = Box{{1, Real(0.75), Real(0.15)}}, .material = {.friction = Real(0.05)}, .fracture = fractureBy(ofWall)});
    ids.ball = world.addBody({.shape = Sphere{Real(0.2)},
                              .position = {Real(0.1), 0, 1},
                              .velocity = {0, 0, -6},
                              .material = {.density = 4000},
                              .fracture = fractureBy(ofBall)});
    return ids;
}

class ImpulseBreaking : public AtRate {};
INSTANTIATE_TEST_SUITE_P(, ImpulseBreaking, testing::Values(30.0, 60.0, 240.0));

// The blow that breaks the wall is proposed and taken back: the ball has lost nothing when the wall is gone, meets the pieces
// in the same step, and nothing is gained or lost in sum.
TEST_P(ImpulseBreaking, BreaksInTheStepOfTheBlow) {
    World world(impulseWorld(false));
    const Hit ids = addHit(world, 300, Real(1e6));
    const double momentum = world.stats().linearMomentum[2], start = world.stats().kineticEnergy;
    Real before = 0;
    int steps = 0;
    for (; steps < int(rate()) && world.isValid(ids.wall); ++steps) {
        before = world.velocity(ids.ball).z;
        world.step(dt());
        ASSERT_LT(world.stats().kineticEnergy, start * (1 + 1e-5));
    }
    ASSERT_FALSE(world.isValid(ids.wall));
    ASSERT_EQ(world.breakEvents().size(), 1u);
    EXPECT_EQ(before, -6);                                // no step before this one took speed from it
    EXPECT_GT(world.velocity(ids.ball).z, Real(-5.999));  // and in this one it met the pieces
    EXPECT_NEAR(world.stats().linearMomentum[2], momentum, 1e-3 * std::fabs(momentum));
    EXPECT_GT(world.breakEvents()[0].impulse, 300);
    EXPECT_NEAR(world.breakEvents()[0].point.z, 0.15, 0.06);
    EXPECT_GT(world.breakEvents()[0].normal.z, 0.9);
}

// The ball keeps more of its speed than against a wall that holds.
TEST_P(ImpulseBreaking, WhatBreaksStopsLess) {
    Real speeds[2];
    for (const bool breaks : {false, true}) {
        World world(impulseWorld(false));
        const Hit ids = addHit(world, breaks ? Real(300) : Real(1e6), Real(1e6));
        run(world, 0.3);
        EXPECT_EQ(world.isValid(ids.wall), !breaks);
        speeds[breaks] = -world.velocity(ids.ball).z;
    }
    EXPECT_GT(speeds[1], speeds[0] + Real(0.3));
}

Compound rowOf(int count) {
    Compound row;
    for (int i = 0; i < count; ++i)
        row.children.push_back({.shape = Box{{Real(0.1), Real(0.1), Real(0.1)}}, .position = {Real(0.2 * i), 0, 0}});
    return row;
}

// A bonded row that hangs between two fixed ends: a tap leaves it whole, a blow breaks out its middle.
TEST_P(ImpulseBreaking, BlowsBreakBonds) {
    for (const double speed : {0.3, 12.0}) {
        World world(impulseWorld());
        BodyDef row{.shape = rowOf(5), .motion = Motion::Static, .material = {.density = 1000}};
        row.bonds.emplace();
        row.bonds->strength = {.tension = Real(1e4), .shear = Real(1e4), .compression = Real(1e5), .bending = Real(1e4)};
        row.bonds->anchored = {0, 4};
        row.bonds->young = Real(1e9);
        world.addBody(row);
        world.addBody({.shape = Sphere{Real(0.1)},
                       .position = {Real(0.4), Real(0.25), 0},
                       .velocity = {0, Real(-speed), 0},
                       .mass = Real(5)});
        std::size_t broken = 0;
        for (int i = 0; i < int(0.5 * rate()); ++i) {
            world.step(dt());
            broken += world.bondEvents().size();
        }
        if (speed > 1)
            EXPECT_GE(broken, 2u);
        else
            EXPECT_EQ(broken, 0u);
    }
}

}  // namespace
}  // namespace sunder
