// [Su09] 3.2, 6: energy that repairing positions would add. Bodies that begin inside each other are pushed apart; the push
// must not become motion.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/mechanics.h"
#include "scenes/parts.h"

namespace sunder {
namespace {

using scenes::vec;

// Cubes of 0.5 m, turned at random, 0.47 m apart: nearly every pair of neighbours overlaps, by up to 0.2 m.
void addTangle(scenes::BoxScene& scene, double height) {
    scenes::Random random(2);
    for (int y = 0; y < 4; ++y)
        for (int z = 0; z < 4; ++z)
            for (int x = 0; x < 4; ++x)
                scene.add(vec(0.25, 0.25, 0.25), {.position = vec(0.47 * (x - 1.5), height + 0.47 * y, 0.47 * (z - 1.5)),
                                                  .orientation = random.rotation(),
                                                  .angularVelocity = random.inBox(3)});
}

WorldDef withGuard(bool guard) {
    WorldDef def;
    def.frameRate.energyGuard = guard;
    def.frameRate.recoveryRate = 20;  // four times the default's push, so that the guard has work
    return def;
}

// Relative to the start: the largest rise of the total energy in a step.
double largestRise(bool guard) {
    scenes::BoxScene scene(withGuard(guard));
    scenes::addPit(scene, 4, 6);
    addTangle(scene, 0.5);
    const double start = scenes::mechanicsOf(scene).energy();
    double last = start, rise = 0;
    for (int i = 0; i < 30; ++i) {
        scene.world.step(Real(1) / 30);
        EXPECT_TRUE(scene.world.errorEvents().empty());
        const double now = scenes::mechanicsOf(scene).energy();
        rise = std::max(rise, (now - last) / start);
        last = now;
    }
    return rise;
}

// What is left with the guard is the lift itself: no motion can be taken from a body at rest.
TEST(EnergyGuard, OverlapDoesNotBurst) {
    const double without = largestRise(false);
    EXPECT_GT(without, 0.02) << "the guard had nothing to do";
    EXPECT_LT(largestRise(true), 0.2 * without);
}

// When a box that stands a little beyond the edge of another has toppled (s). The lower one begins 1.2 mm in the floor, and is
// lifted out of it meanwhile.
double toppleTime(bool guard) {
    WorldDef def;
    def.frameRate.energyGuard = guard;
    scenes::BoxScene scene(def);
    scene.add(vec(20, 0.5, 20), {.motion = Motion::Static, .position = vec(0, -0.5, 0)});
    scene.add(vec(0.5, 0.5, 0.5), {.position = vec(0, 0.4988, 0)});
    const BodyId upper = scene.add(vec(0.5, 0.5, 0.5), {.position = vec(0.55, 1.4988, 0)});
    int frame = 0;
    for (; frame < 150 && scene.world.position(upper).y > 1.2; ++frame)
        scene.world.step(Real(1) / 30);
    return frame / 30.0;
}

// What repairing an overlap costs is not taken from a neighbour that has just begun to fall, or it would never begin.
TEST(EnergyGuard, HoldsNothingThatTopples) { EXPECT_LT(toppleTime(true), toppleTime(false) + 0.2); }

// Without a floor the guard may slow bodies only against each other. Rounding of 64 bodies over 30 steps, relative to the
// sum of the magnitudes.
TEST(EnergyGuard, FreeTangleKeepsItsMomentaAndGainsNothing) {
    WorldDef def = withGuard(true);
    def.gravity = {};
    scenes::BoxScene scene(def);
    addTangle(scene, -0.7);
    const scenes::Mechanics start = scenes::mechanicsOf(scene);
    double highest = 0, guarded = 0;
    for (int i = 0; i < 30; ++i) {
        scene.world.step(Real(1) / 30);
        highest = std::max(highest, scenes::mechanicsOf(scene).kinetic);
        guarded += scene.world.stats().guardedEnergy;
    }
    const scenes::Mechanics end = scenes::mechanicsOf(scene);
    EXPECT_GT(guarded, start.kinetic) << "the guard had nothing to do";
    EXPECT_LE(highest, start.kinetic * (1 + 1e-4));
    EXPECT_LT(length(end.linear - start.linear), 1e-5 * std::max(start.linearSum, end.linearSum));
    EXPECT_LT(length(end.angular - start.angular), 1e-4 * std::max(start.angularSum, end.angularSum));
}

// It has no motion that could pay for it: it is lifted out slowly, and its state stays finite.
TEST(EnergyGuard, BodyAtRestInsideTheFloorIsLiftedOut) {
    World world;
    world.addBody({.shape = Box{vec(5, 0.5, 5)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    const BodyId ball = world.addBody({.shape = Sphere{Real(0.5)}, .position = vec(0, 0.45, 0)});
    Real last = world.position(ball).y;
    for (int i = 0; i < 180; ++i) {
        world.step(Real(1) / 30);
        EXPECT_LT(world.position(ball).y - last, Real(2.5e-3));  // a twentieth of the overlap, not at once
        last = world.position(ball).y;
        ASSERT_TRUE(world.errorEvents().empty()) << world.errorEvents()[0].message;
    }
    EXPECT_NEAR(world.position(ball).y, 0.5, 1e-3);
}

// Ten plates that overlap by 2 mm each come apart within some seconds, which lifts them. A small cube that slides over the top
// one pays for part of that and goes on, where it was slowed to 0.05 m/s when each step took a fifth of its energy: a pile of
// 8000 boxes stood still for three seconds after its landing, and only then went on to fall.
TEST(EnergyGuard, PileThatComesApartDoesNotFreeze) {
    World world({.sleeping = false});
    world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    for (int i = 0; i < 10; ++i)
        world.addBody({.shape = Box{vec(3, 0.5, 1)}, .position = vec(0, 0.499 + 0.998 * i, 0)});
    Material ice;
    ice.friction = 0;
    const BodyId cube = world.addBody(
        {.shape = Box{vec(0.1, 0.1, 0.1)}, .position = vec(-1, 10.081, 0), .velocity = vec(1, 0, 0), .material = ice});
    double guarded = 0;
    for (int i = 0; i < 30; ++i) {
        world.step(Real(1) / 30);
        guarded += world.stats().guardedEnergy;
    }
    EXPECT_GT(guarded, 1) << "the guard had nothing to do";
    EXPECT_GT(world.velocity(cube).x, Real(0.4));
}

// A ball of 3 t that lies 4 cm deep in a plank is lifted out of it. The energy for that is its own affair: a small cube that
// slides over the same plank was stopped within 0.1 s by the guard when the whole island paid alike.
TEST(EnergyGuard, WhatIsLiftedPaysFirst) {
    World world({.sleeping = false});
    world.addBody({.shape = Box{{20, Real(0.5), 20}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    Material ice;
    ice.friction = 0;
    world.addBody({.shape = Box{{6, Real(0.1), 1}}, .position = {0, Real(0.1), 0}, .material = ice, .mass = Real(500)});
    const BodyId ball = world.addBody({.shape = Sphere{Real(0.5)}, .position = {-5, Real(0.66), 0}, .mass = Real(3000)});
    const BodyId cube = world.addBody({.shape = Box{{Real(0.1), Real(0.1), Real(0.1)}},
                                       .position = {-3, Real(0.3), 0},
                                       .velocity = {1, 0, 0},
                                       .material = ice,
                                       .mass = Real(10)});
    for (int i = 0; i < 6; ++i)
        world.step(Real(1) / 60);
    EXPECT_GT(world.velocity(cube).x, 0.4);
    EXPECT_GT(world.position(ball).y, 0.664);
}

}  // namespace
}  // namespace sunder
