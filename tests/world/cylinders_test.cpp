// Cylinders of every build on their caps and rims: cans, coins, discs. A cap is a face like any other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/mechanics.h"
#include "support/at_rates.h"
#include "support/random_points.h"

namespace sunder {
namespace {

using scenes::vec;

class Cylinders : public AtRate {};
INSTANTIATE_TEST_SUITE_P(Rates, Cylinders, ::testing::Values(30.0, 60.0, 240.0));

void addFloor(World& world) {
    world.addBody({.shape = Box{vec(20, 1, 20)}, .motion = Motion::Static, .position = vec(0, -1, 0)});
}

// half heights in radii: coins, cans, posts
constexpr double kSlimness[] = {0.083, 0.25, 1, 2};

// Twenty of them, each up to a tenth of the radius beside the middle and turned as it comes. They swayed, and slid down until
// their centres lay in each other.
TEST_P(Cylinders, StackedOnTheirCapsStand) {
    for (const double radius : {0.012, 0.12, 0.5})
        for (const double slimness : kSlimness) {
            World world({.gravity = vec(0, -9.81, 0)});
            addFloor(world);
            testing::RandomPoints random(7);
            const Real r = Real(radius), h = Real(radius * slimness);
            std::vector<BodyId> stack;
            for (int i = 0; i < 20; ++i)
                stack.push_back(world.addBody({.shape = Cylinder{r, h},
                                               .position = {random.between(-0.1, 0.1) * r, h * (Real(2.002) * Real(i) + 1),
                                                            random.between(-0.1, 0.1) * r},
                                               .orientation = quatFromRotationVector({0, random.between(-3, 3), 0})}));
            run(world, 10);
            const double top = double(world.position(stack.back()).y) / double(h);
            EXPECT_NEAR(top, 39, 0.3) << radius << " m, slimness " << slimness;
            if (40 * double(h) < 30) {  // higher ones sway on at 240 Hz, as boxes do
                EXPECT_TRUE(std::none_of(stack.begin(), stack.end(), [&](BodyId body) { return world.isAwake(body); }))
                    << radius << " m, slimness " << slimness;
            }
        }
}

// A pile of coins that are thrown into a tray lies still, none of them in the floor. On the lowest points of their rims alone
// they sank into it by more than their thickness and rocked there for ever.
TEST_P(Cylinders, CoinsInATrayComeToRest) {
    for (const double size : {0.03, 0.3}) {
        World world({.gravity = vec(0, -9.81, 0)});
        addFloor(world);
        const double wide = 6 * size;
        for (const double side : {-1.0, 1.0}) {
            world.addBody({.shape = Box{vec(size, wide, 2 * wide)},
                           .motion = Motion::Static,
                           .position = vec(side * (wide + size), 0, 0)});
            world.addBody({.shape = Box{vec(2 * wide, wide, size)},
                           .motion = Motion::Static,
                           .position = vec(0, 0, side * (wide + size))});
        }
        testing::RandomPoints random(3);
        std::vector<BodyId> coins;
        for (int i = 0; i < 40; ++i) {
            const Real r = Real(0.4 * size) * random.between(0.8, 1.2);
            coins.push_back(world.addBody({.shape = Cylinder{r, r / 10},
                                           .position = {random.between(-3, 3) * Real(size), Real(size * (2 + 0.75 * i)),
                                                        random.between(-3, 3) * Real(size)},
                                           .orientation = quatFromRotationVector(
                                               {random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)})}));
        }
        double last = 0;  // s: when a coin was awake
        for (int i = 0; i < int(14 * rate()); ++i) {
            world.step(dt());
            if (std::any_of(coins.begin(), coins.end(), [&](BodyId coin) { return world.isAwake(coin); }))
                last = (i + 1) / rate();
        }
        EXPECT_LT(last, 12) << size << " m";
        for (const BodyId coin : coins)
            EXPECT_GT(double(world.position(coin).y), 0.025 * size) << size << " m";
    }
}

// What rolls on the rim of a disc has the disc's radius, however thin it is: a hundredth of it is the lever of the friction.
TEST_P(Cylinders, ThinDiscsRollAsFarAsThickOnes) {
    std::vector<double> ways;
    for (const double slimness : {0.05, 0.2, 1.0}) {
        World world({.gravity = vec(0, -9.81, 0)});
        addFloor(world);
        const Real r = Real(0.2);
        const BodyId disc = world.addBody({.shape = Cylinder{r, r * Real(slimness)},
                                           .position = vec(-3, 0.2, 0),
                                           .orientation = quatFromRotationVector({kPi / 2, 0, 0}),
                                           .velocity = vec(1, 0, 0),
                                           .angularVelocity = vec(0, 0, -5)});
        run(world, 4);
        ways.push_back(double(world.position(disc).x) + 3);
        // Rolling friction of r / 100 slows a solid disc by g / 150.
        EXPECT_NEAR(double(world.velocity(disc).x), 1 - 4 * 9.81 / 150, 0.01) << slimness;
    }
    EXPECT_NEAR(ways[0], ways[2], 0.02 * ways[2]);
    EXPECT_NEAR(ways[1], ways[2], 0.02 * ways[2]);
}

}  // namespace
}  // namespace sunder
