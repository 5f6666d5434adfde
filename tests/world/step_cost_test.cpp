// A steady step asks for no memory. Sleepers cost nothing at all: no memory, no pair, no contact, no look at them.
#include <gtest/gtest.h>

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

TEST(SleepCost, StepAsleepAllocatesNothing) {
    scenes::BoxScene scene = sleepingField(10);
    EXPECT_EQ(allocationsOf(scene.world, 30), 0);
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

}  // namespace
}  // namespace sunder
