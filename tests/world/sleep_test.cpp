// Sleep: what rests falls asleep island by island and stays as it is to the bit; what creeps never sleeps.
#include <gtest/gtest.h>

#include <algorithm>

#include "math/vec3.h"
#include "scenes/mechanics.h"
#include "scenes/piles.h"
#include "scenes/stacks.h"
#include "support/hashes.h"
#include "world/sleepers_for_tests.h"

namespace sunder {
namespace {

using scenes::vec;
using support::kStep;

TEST(Sleep, PileFallsAsleepAndStaysAsItIs) {
    scenes::BoxScene scene = scenes::boxPile({}, 4, 2.8);
    ASSERT_LT(timeToSleep(scene.world, 20), 20);
    EXPECT_EQ(scene.world.stats().asleep, 64);
    const WorldStats before = scene.world.stats();
    EXPECT_EQ(before.kineticEnergy, 0);
    EXPECT_GT(before.contacts, 200);
    EXPECT_GT(before.pairs, 64);
    std::vector<Vec3> places;
    for (const scenes::BoxRecord& box : scene.moving)
        places.push_back(scene.world.position(box.id));
    run(scene.world, 5);
    for (std::size_t i = 0; i < places.size(); ++i)
        EXPECT_EQ(scene.world.position(scene.moving[i].id), places[i]);
    const WorldStats after = scene.world.stats();
    EXPECT_EQ(after.potentialEnergy, before.potentialEnergy);
    EXPECT_EQ(after.contacts, before.contacts);
    EXPECT_TRUE(scene.world.contactEvents().empty());
}

// What a pile looks like must not depend on whether it sleeps: bodies are put aside where they would have stayed.
TEST(Sleep, SettledPileIsTheSameWithout) {
    scenes::BoxScene with = scenes::boxPile({}, 4, 2.8), without = scenes::boxPile({.sleeping = false}, 4, 2.8);
    run(with.world, 20);
    run(without.world, 20);
    EXPECT_EQ(with.world.stats().awake, 0);
    EXPECT_EQ(without.world.stats().asleep, 0);
    for (std::size_t i = 0; i < with.moving.size(); ++i)
        EXPECT_LT(distance(with.world.position(with.moving[i].id), without.world.position(without.moving[i].id)), 2e-3);
}

TEST(Sleep, TakesTheTimeThatIsSet) {
    for (const double time : {0.2, 1.0}) {
        World world({.sleepTime = Real(time)});
        addFloor(world);
        addCube(world, vec(0, 0.5, 0));
        const double taken = timeToSleep(world, 5);
        EXPECT_GE(taken, time - 1e-6);
        EXPECT_LT(taken, time + 0.2);  // it sinks in by some tenths of a millimetre first
    }
}

TEST(Sleep, CreepingCubeNeverSleeps) {
    for (const double rate : {30.0, 240.0}) {
        World world;
        addFloor(world, {.friction = 0});
        const BodyId cube =
            world.addBody({.position = vec(0, 0.5, 0), .velocity = vec(0.005, 0, 0), .material = {.friction = 0}});
        for (int i = 0; i < int(4 * rate); ++i) {
            world.step(Real(1 / rate));
            ASSERT_TRUE(world.isAwake(cube));
        }
        EXPECT_NEAR(world.position(cube).x, 0.02, 1e-4);
    }
}

// At the top of its flight a body is slow; in weak gravity for longer than it takes to fall asleep.
TEST(Sleep, NothingSleepsInMidAir) {
    World world({.gravity = vec(0, -0.01, 0)});
    const BodyId ball = world.addBody({.shape = Sphere{Real(0.1)}, .velocity = vec(0, 0.005, 0)});
    run(world, 4);
    EXPECT_TRUE(world.isAwake(ball));
    EXPECT_NEAR(world.velocity(ball).y, 0.005 - 0.04, 1e-5);
}

TEST(Sleep, WhatFloatsAtRestSleeps) {
    World world({.gravity = {}});
    const BodyId ball = world.addBody({.shape = Sphere{Real(0.1)}});
    run(world, 1);
    EXPECT_FALSE(world.isAwake(ball));
    world.addImpulse(ball, vec(0, 1, 0));
    EXPECT_TRUE(world.isAwake(ball));
    run(world, 1);
    EXPECT_GT(world.position(ball).y, 0.1);
}

TEST(Sleep, BodiesThatMayNotSleepKeepTheirIslandAwake) {
    World world;
    addFloor(world);
    const std::vector<BodyId> stack = addStack(world, 0, 3), other = addStack(world, 3, 3);
    world.setAllowSleep(stack[1], false);
    run(world, 3);
    EXPECT_TRUE(areAwake(world, stack));
    EXPECT_TRUE(areAsleep(world, other));
    world.setAllowSleep(stack[1], true);
    run(world, 1);
    EXPECT_TRUE(areAsleep(world, stack));
}

// A tilted platform on a path that stands still for a while.
TEST(Sleep, PlatformThatWaitsOnItsPathLetsItsLoadSleep) {
    const Quat tilt = scenes::turnAbout(1, 2, 3, 0.1);
    World world;
    world.addBody({.shape = Box{vec(2, 0.1, 2)},
                   .motion = Motion::Kinematic,
                   .position = vec(0.3, -0.1, 0.7),
                   .orientation = tilt,
                   .keyframes = {{.time = 0, .position = vec(0.3, -0.1, 0.7), .orientation = tilt},
                                 {.time = 3, .position = vec(0.3, -0.1, 0.7), .orientation = tilt},
                                 {.time = 4, .position = vec(0.3, 0.1, 0.7), .orientation = tilt}}});
    const BodyId load = world.addBody({.position = vec(0.3, 0.55, 0.7), .orientation = tilt});
    run(world, 2.9);
    EXPECT_FALSE(world.isAwake(load));
    run(world, 0.2);
    EXPECT_TRUE(world.isAwake(load));
}

// A lift that sinks leaves nobody hanging in the air, a slow platform never loses its load.
TEST(Sleep, PlatformCarriesItsLoad) {
    for (const Vec3& velocity : {vec(0, -0.001, 0), vec(0.001, 0, 0), vec(0, 0.001, 0)}) {
        World world;
        const BodyId platform =
            world.addBody({.shape = Box{vec(1, 0.1, 1)}, .motion = Motion::Kinematic, .position = vec(0, -0.1, 0)});
        const BodyId load = addCube(world, vec(0, 0.5, 0));
        run(world, 2);
        ASSERT_FALSE(world.isAwake(load));
        const Vec3 start = world.position(load);
        world.setVelocity(platform, velocity);
        for (int i = 0; i < 150; ++i) {
            world.step(kStep);
            ASSERT_TRUE(world.isAwake(load));
        }
        const Vec3 way = world.position(load) - start;
        EXPECT_NEAR(way.x, velocity.x * 5, 2e-4);
        EXPECT_NEAR(way.y, velocity.y * 5, 2e-4);
        world.setVelocity(platform, {});
        run(world, 1);
        EXPECT_FALSE(world.isAwake(load));
    }
}

// Two stacks under one plank are one island; without it they are two.
TEST(Sleep, IslandsSplitAndMerge) {
    World world;
    addFloor(world);
    const std::vector<BodyId> left = addStack(world, -1.5, 2), right = addStack(world, 1.5, 2);
    const BodyId plank = world.addBody({.shape = Box{vec(2.5, 0.1, 0.5)}, .position = vec(0, 2.1, 0)});
    ASSERT_LT(timeToSleep(world, 5), 5);
    const Checkpoint merged = world.checkpoint();
    world.wake(left[0]);
    EXPECT_TRUE(areAwake(world, left) && areAwake(world, right));  // through the plank

    world.rewind(merged);
    world.removeBody(plank);
    EXPECT_TRUE(areAwake(world, left) && areAwake(world, right));
    ASSERT_LT(timeToSleep(world, 5), 5);
    world.wake(left[0]);
    EXPECT_TRUE(areAwake(world, left));
    EXPECT_TRUE(areAsleep(world, right));

    // Put down on two sleeping islands, it makes them one again.
    ASSERT_LT(timeToSleep(world, 5), 5);
    world.addBody({.shape = Box{vec(2.5, 0.1, 0.5)}, .position = vec(0, 2.1, 0)});
    ASSERT_LT(timeToSleep(world, 5), 5);
    world.wake(left[0]);
    EXPECT_TRUE(areAwake(world, right));
}

TEST(Sleep, EnergyNeverRisesThroughSleepAndWake) {
    World world;
    addFloor(world);
    for (int i = 0; i < 3; ++i)
        addStack(world, 1.5 * i, 4);
    ASSERT_LT(timeToSleep(world, 5), 5);
    world.addBody({.shape = Sphere{Real(0.4)}, .position = vec(-6, 3, 0), .velocity = vec(12, 2, 0), .mass = Real(500)});
    const auto energyOf = [&] { return world.stats().kineticEnergy + world.stats().potentialEnergy; };
    double energy = energyOf();
    const double scale = energy;
    for (int i = 0; i < 300; ++i) {
        world.step(kStep);
        EXPECT_LT(energyOf(), energy + 1e-4 * scale) << i;  // the guard lets 0.02 mm of lift pass
        energy = energyOf();
    }
}

TEST(Sleep, EventsSayWhoSleepsAndContactsKeepTheirPhase) {
    World world;
    addFloor(world);
    const std::vector<BodyId> stack = addStack(world, 0, 2);
    int begins = 0, ends = 0, slept = 0;
    for (int i = 0; i < 60; ++i) {
        world.step(kStep);
        for (const ContactEvent& event : world.contactEvents()) {
            begins += event.phase == ContactPhase::Begin;
            ends += event.phase == ContactPhase::End;
        }
        for (const SleepEvent& event : world.sleepEvents()) {
            EXPECT_TRUE(event.asleep);
            EXPECT_EQ(event.body, stack[std::size_t(slept++)]);  // in the order they were added
        }
    }
    EXPECT_EQ(slept, 2);
    EXPECT_EQ(begins, 2);
    EXPECT_EQ(ends, 0);
    EXPECT_TRUE(world.contactEvents().empty());

    world.wake(stack[1]);
    world.step(kStep);
    ASSERT_EQ(world.sleepEvents().size(), 2u);
    EXPECT_EQ(world.sleepEvents()[0].body, stack[0]);
    EXPECT_FALSE(world.sleepEvents()[0].asleep);
    ASSERT_EQ(world.contactEvents().size(), 2u);
    EXPECT_EQ(world.contactEvents()[0].phase, ContactPhase::Persist);
    EXPECT_EQ(world.contactEvents()[1].phase, ContactPhase::Persist);
    world.step(kStep);
    EXPECT_TRUE(world.sleepEvents().empty());
}

// A sensor that moves reports sleepers, and does not wake them.
TEST(Sleep, SensorsSeeSleepers) {
    World world;
    addFloor(world);
    const BodyId cube = addCube(world, vec(0, 0.5, 0));
    const BodyId sensor = world.addBody({.shape = Sphere{Real(0.5)},
                                         .motion = Motion::Kinematic,
                                         .position = vec(-3, 0.5, 0),
                                         .velocity = vec(1, 0, 0),
                                         .sensor = true});
    int begins = 0, ends = 0;
    for (int i = 0; i < 180; ++i) {
        world.step(kStep);
        for (const ContactEvent& event : world.contactEvents())
            if (event.a == cube && event.b == sensor) {
                begins += event.phase == ContactPhase::Begin;
                ends += event.phase == ContactPhase::End;
            }
    }
    EXPECT_FALSE(world.isAwake(cube));
    EXPECT_EQ(begins, 1);
    EXPECT_EQ(ends, 1);
}

// Stacks that sleep, are hit and sleep again: the same bits on any number of threads and after a restore at any time.
TEST(Sleep, IsReproducible) {
    const auto build = [](int threads) {
        WorldDef def;
        def.threads = threads;
        World world(def);
        addFloor(world);
        for (int i = 0; i < 16; ++i)
            addStack(world, 1.1 * i - 8, 1 + i % 4);
        world.addBody({.shape = Sphere{Real(0.4)}, .position = vec(-20, 30, 0), .velocity = vec(9, 0, 0)});
        return world;
    };
    World one = build(1);
    std::vector<std::uint64_t> hashes;
    std::vector<std::vector<std::byte>> snapshots;
    int least = 1000, woken = 0;
    for (int i = 0; i < 180; ++i) {
        if (i % 15 == 0)
            snapshots.push_back(one.snapshot());
        one.step(kStep);
        hashes.push_back(one.hash());
        least = std::min(least, one.stats().awake);
        if (least <= 1)
            woken = std::max(woken, one.stats().awake);
    }
    EXPECT_LE(least, 1);
    EXPECT_GT(woken, 1);
    for (int threads = 2; threads <= 4; ++threads) {
        World world = build(threads);
        EXPECT_EQ(support::hashesOf(world, 180), hashes) << threads << " threads";
    }
    for (std::size_t i = 0; i < snapshots.size(); ++i) {
        World world;
        world.restore(snapshots[i]);
        EXPECT_EQ(world.snapshot(), snapshots[i]);
        EXPECT_EQ(support::hashesOf(world, 30).back(), hashes[std::min<std::size_t>(15 * i + 29, 179)]) << i;
        if (15 * i + 29 >= 179)
            break;
    }
}

// Shapes of every kind come to rest and sleep, on triangles too.
TEST(Sleep, MixedPileFallsAsleep) {
    scenes::MixedPile pile = scenes::mixedPile({}, 4, 2);
    for (const BodyId piece : pile.pieces)
        pile.world.setDamping(piece, 0, 1);  // or balls roll about for ever, and nothing that they touch may sleep
    run(pile.world, 30);
    const WorldStats stats = pile.world.stats();
    EXPECT_GT(stats.asleep, 0);
    EXPECT_LE(stats.awake, stats.asleep / 4);
}

}  // namespace
}  // namespace sunder
