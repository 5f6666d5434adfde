// A steady step asks for no memory, and a pile at rest holds little. Sleepers cost nothing at all: no memory, no pair, no
// contact, no look at them.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/pages.h"
#include "scenes/parts.h"
#include "scenes/piles.h"
#include "support/allocation_count.h"

namespace sunder {
namespace {

using scenes::vec;

constexpr Real kStep = Real(1) / 30;

// A field of cubes, all asleep.
scenes::BoxScene sleepingField(int side) {
    scenes::BoxScene scene({});
    scene.addFloor(200);
    for (int i = 0; i < side * side; ++i)
        scene.addCube(1, vec(2 * (i % side), 0.5, 2 * (i / side)));
    for (int i = 0; i < 60; ++i)
        scene.world.step(kStep);
    EXPECT_EQ(scene.world.stats().awake, 0);
    return scene;
}

long allocationsOf(World& world, int steps) {
    const long before = support::allocations;
    for (int i = 0; i < steps; ++i)
        world.step(kStep);
    return support::allocations - before;
}

// Piles at rest that are kept awake: contacts found, kept, coloured, solved, guarded and reported.
TEST(StepCost, SettledPilesAllocateNothing) {
    const WorldDef awake{.sleeping = false};
    scenes::BoxScene boxes = scenes::boxPile(awake, 4, 2.8), hulls = scenes::hullPile(awake, 3, 3, 2);
    scenes::MixedPile mixed = scenes::mixedPile(awake, 4, 3);
    for (World* world : {&boxes.world, &hulls.world, &mixed.world}) {
        for (int i = 0; i < 300; ++i)
            world->step(kStep);
        EXPECT_EQ(allocationsOf(*world, 30), 0);
    }
}

long bytesHeld() { return support::bytesInUse + static_cast<long>(pagesHeld()); }

// Of 512 boxes that fall into a pit and lie there, kept awake: 8 pairs and 1.8 manifolds each. What landing them took goes
// back. Single piles hold 8300 to 8700 bytes per body (7600 to 8230 when no pair had a second manifold).
TEST(StepCost, PilesAtRestHoldFewBytesPerBody) {
    constexpr int kSide = 8, kBodies = kSide * kSide * kSide, kSeeds = 4;
    long sum = 0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        const long before = bytesHeld();
        scenes::BoxScene boxes = scenes::boxPile({.sleeping = false}, {kSide, kSide, 5.6, 3, std::uint64_t(seed)});
        long most = 0;
        for (int i = 0; i < 150; ++i) {
            boxes.world.step(kStep);
            most = std::max(most, bytesHeld() - before);
        }
        const long atRest = bytesHeld() - before;
        EXPECT_LT(atRest, most * 3 / 4) << seed;
        sum += atRest / kBodies;
    }
    constexpr long kScale = sizeof(Real) / sizeof(float);
    EXPECT_LT(sum / kSeeds, 8700 * kScale);
    RecordProperty("bytes_per_body", static_cast<int>(sum / kSeeds));
}

// A world with a floor of static cubes on which ten others lie, before its first step. Static first or last.
scenes::BoxScene paved(int count, bool isPavedLast) {
    scenes::BoxScene scene({});
    const auto addLying = [&] {
        for (int i = 0; i < 10; ++i)
            scene.addCube(1, vec(2 * i, 0.5, 0));
    };
    if (isPavedLast)
        addLying();
    for (int i = 0; i < count; ++i)
        scene.world.addBody(
            {.shape = Box{vec(0.5, 0.5, 0.5)}, .motion = Motion::Static, .position = vec(i % 100, -0.5, i / 100)});
    if (!isPavedLast)
        addLying();
    return scene;
}

// What static bodies need is made when they are added: the first step of a world asks for as much memory among many as among
// few.
TEST(StepCost, TheFirstStepDoesNotPayForStaticBodies) {
    for (const bool isPavedLast : {false, true}) {
        long allocated[2], held[2];
        for (const bool isLarge : {false, true}) {
            scenes::BoxScene scene = paved(isLarge ? 20000 : 200, isPavedLast);
            const long before = bytesHeld();
            allocated[isLarge] = allocationsOf(scene.world, 1);
            held[isLarge] = bytesHeld() - before;
        }
        EXPECT_LE(allocated[1], allocated[0] + 2);
        EXPECT_LT(held[1], held[0] + 20000 * 5 + 10000);  // by slot: where a body's flight is, and whether it has moved
    }
}

TEST(SleepCost, StepAsleepAllocatesNothing) {
    scenes::BoxScene scene = sleepingField(10);
    EXPECT_EQ(allocationsOf(scene.world, 30), 0);
}

// A chain that sleeps, and a ball that falls elsewhere.
TEST(SleepCost, SleepingJointsAllocateNothing) {
    World world;
    BodyId last{};
    for (int i = 0; i < 5; ++i) {
        const BodyId link = world.addBody({.shape = Sphere{Real(0.1)}, .position = vec(0, -0.3 * i, 0), .mass = Real(1)});
        world.addJoint({.a = last, .b = link, .anchor = vec(0, 0.15 - 0.3 * i, 0)});
        last = link;
    }
    allocationsOf(world, 60);
    EXPECT_EQ(world.stats().awake, 0);
    const BodyId ball = world.addBody({.shape = Sphere{Real(0.1)}, .position = vec(5, 50, 0)});
    allocationsOf(world, 5);
    EXPECT_EQ(allocationsOf(world, 30), 0);
    EXPECT_TRUE(world.isAwake(ball));
}

// One ball that flies over them all; the events are those of its own contacts.
TEST(SleepCost, OneAwakeAmongManyAllocatesNothing) {
    scenes::BoxScene scene = sleepingField(10);
    const BodyId ball = scene.world.addBody(
        {.shape = Sphere{Real(0.2)}, .position = vec(-1, 3, 9), .velocity = vec(4, 0, 0), .gravityFactor = 0});
    allocationsOf(scene.world, 30);
    EXPECT_EQ(allocationsOf(scene.world, 60), 0);
    EXPECT_EQ(scene.world.stats().awake, 1);
    EXPECT_EQ(scene.world.stats().asleep, 100);
    EXPECT_TRUE(scene.world.isAwake(ball));
}

// Boxes that fall as a block and crash, and a cube that has fallen asleep so far (m) from where they land.
World crashNearSleeper(double distance, int threads) {
    World world({.threads = threads});
    world.addBody({.shape = Box{vec(50, 0.5, 50)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    world.addBody({.position = vec(distance, 0.5, 0)});
    for (int i = 0; i < 60; ++i)
        world.step(kStep);
    EXPECT_EQ(world.stats().asleep, 1);
    constexpr int kSide = 6;
    for (int i = 0; i < kSide * kSide * kSide; ++i)
        world.addBody({.shape = Box{vec(0.1, 0.1, 0.1)},
                       .position = vec(0.21 * (i % kSide), 1 + 0.21 * (i / (kSide * kSide)), 0.21 * (i / kSide % kSide)),
                       .velocity = vec(0, -8, 0)});
    return world;
}

struct Looks {
    int most = 0;       // in a search
    int mostAwake = 0;  // bodies
    bool woke = false;
    std::uint64_t hash = 0;
};
Looks looksOfCrash(double distance, int threads = 1) {
    World world = crashNearSleeper(distance, threads);
    Looks looks;
    for (int i = 0; i < 30; ++i) {
        world.step(kStep);
        const WorldStats stats = world.stats();
        looks.most = std::max(looks.most, (stats.wakeLooks + stats.searches - 1) / stats.searches);
        looks.mostAwake = std::max(looks.mostAwake, stats.awake);
        looks.woke = looks.woke || stats.asleep == 0;
    }
    looks.hash = world.hash();
    return looks;
}

// A sleeper far away is ruled out by one look for all bodies that may be thrown.
TEST(SleepCost, AFarSleeperCostsOneLook) {
    const Looks far = looksOfCrash(40);
    EXPECT_FALSE(far.woke);
    EXPECT_EQ(far.most, 1);
}

// Near a sleeper every body that may be thrown looks once, in however many pairs it is.
TEST(SleepCost, ANearSleeperCostsOneLookPerBody) {
    const Looks near = looksOfCrash(2);
    EXPECT_TRUE(near.woke);
    EXPECT_GT(near.most, 1);
    EXPECT_LE(near.most, near.mostAwake + 1);
    EXPECT_EQ(near.hash, looksOfCrash(2, 3).hash);
}

TEST(SleepCost, NobodyLooksForSleepersWhereNothingSleeps) {
    scenes::BoxScene boxes = scenes::boxPile({}, 4, 2.8);
    for (int i = 0; i < 30; ++i) {
        boxes.world.step(kStep);
        EXPECT_EQ(boxes.world.stats().wakeLooks, 0);
    }
}

}  // namespace
}  // namespace sunder
