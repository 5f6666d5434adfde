// When a body breaks: beyond its threshold, by damage that adds up, and later where caps and budgets put it off.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "sunder/sunder.h"
#include "support/hashes.h"
#include "world/walls_for_tests.h"

namespace sunder {
namespace {

using support::kStep;

TEST(Breaking, BlowsBeyondTheThresholdBreakAndOthersDoNot) {
    for (const Real threshold : {Real(400), Real(5000)}) {
        World world;
        const Wall ids = addWall(world, fractureBy(voronoi(), threshold));
        int breaks = 0;
        for (int i = 0; i < 20; ++i) {
            world.step(kStep);
            for (const BreakEvent& event : world.breakEvents())
                if (event.body == ids.wall) {
                    ++breaks;
                    EXPECT_GT(event.impulse, threshold);
                    EXPECT_NEAR(event.point.z, 0.15, 0.05);
                    EXPECT_GT(event.normal.z, 0.9);
                }
        }
        EXPECT_EQ(breaks, threshold < 1000 ? 1 : 0);
        EXPECT_EQ(world.isValid(ids.wall), threshold > 1000);
    }
}

// The first load of a contact is no blow, however long the step; a fall is one.
TEST(Breaking, BodiesThatAreSetDownDoNotBreak) {
    for (const double rate : {30.0, 60.0, 120.0, 240.0})
        for (const double gap : {0.0, 1e-4})
            for (const int stacked : {1, 3}) {
                World world;
                world.addBody({.shape = Box{{10, Real(0.5), 10}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
                // 720 kg each: their weight over a step of 1/240 s exceeds the threshold.
                std::vector<BodyId> walls;
                for (int i = 0; i < stacked; ++i)
                    walls.push_back(world.addBody({.shape = Box{{1, Real(0.75), Real(0.24)}},
                                                   .position = {0, Real(0.75 + gap + i * (1.5 + gap)), 0},
                                                   .fracture = fractureBy(voronoi(), 20)}));
                for (int i = 0; i < int(rate); ++i)
                    world.step(Real(1 / rate));
                for (const BodyId wall : walls)
                    EXPECT_TRUE(world.isValid(wall)) << rate << " Hz, gap " << gap << ", " << stacked;
            }
    for (const double rate : {30.0, 60.0, 120.0, 240.0}) {
        World world;
        world.addBody({.shape = Box{{10, Real(0.5), 10}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        const BodyId falls = world.addBody(
            {.shape = Box{{1, Real(0.75), Real(0.24)}}, .position = {0, Real(0.8), 0}, .fracture = fractureBy(voronoi(), 200)});
        for (int i = 0; i < int(rate); ++i)
            world.step(Real(1 / rate));
        EXPECT_FALSE(world.isValid(falls)) << rate;
    }
}

TEST(Breaking, HitsAddUp) {
    World world({.gravity = {}});
    FractureDef fracture = fractureBy(voronoi(), 1000);
    fracture.weakestHit = Real(0.2);
    const BodyId wall = world.addBody({.shape = Box{{1, 1, Real(0.2)}}, .motion = Motion::Static, .fracture = fracture});
    int hits = 0;
    while (world.isValid(wall) && hits < 5) {
        // 100 kg or so at 4 m/s: about 0.4 of the threshold each.
        const BodyId ball = world.addBody({.shape = Sphere{Real(0.3)}, .position = {0, 0, Real(0.6)}, .velocity = {0, 0, -4}});
        ++hits;
        for (int i = 0; i < 4; ++i)
            world.step(kStep);
        world.removeBody(ball);
    }
    EXPECT_EQ(hits, 3);
}

// A body without a threshold of its own breaks by its material: fractureImpulse times volume^(2/3), here 1 m^2.
TEST(Breaking, TheMaterialMaySetTheThreshold) {
    for (const Real speed : {Real(0.9), Real(1.1)}) {
        World world(WorldDef{.gravity = {}});
        world.addBody({.shape = Box{{5, 5, Real(0.5)}}, .motion = Motion::Static, .position = {0, 0, -1}});
        FractureDef fracture = fractureBy(voronoi(8), 0);
        fracture.cell = Real(0.1);
        // Comes to rest at the wall: the blow is its momentum, 1000 kg times its speed.
        const BodyId body = world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}},
                                           .position = {0, 0, Real(0.02)},
                                           .velocity = {0, 0, -speed},
                                           .material = {.density = 1000, .fractureImpulse = 1000},
                                           .fracture = fracture});
        for (int i = 0; i < 10; ++i)
            world.step(kStep);
        EXPECT_EQ(world.isValid(body), speed < 1);
    }
    BodyDef neither{.fracture = fractureBy(voronoi(8), 0)};
    EXPECT_EQ(validate(neither),
              std::vector<std::string>{"fracture.threshold: 0 is not allowed (above 0, or the material needs "
                                       "a fracture_impulse)"});
}

TEST(Breaking, RefusesWhatCannotBreak) {
    World world;
    FractureDef none;
    EXPECT_THROW(world.addBody({.fracture = none}), Error);
    const BodyId whole = world.addBody({});
    EXPECT_THROW(world.breakBody(whole, {}, {0, 1, 0}, 1), Error);
    EXPECT_THROW(world.explode({}, -1, 1), Error);
    PatternDef bad;
    bad.nodes = 3;
    EXPECT_THROW(buildPattern(bad), Error);
}

// Ten blocks are to break, four pieces at a time: it takes longer, and all of them do.
TEST(Breaking, CapDelaysAndDropsNothing) {
    World world({.gravity = {}, .mostPiecesPerStep = 4});
    FractureDef fracture = fractureBy(voronoi(4), 1);
    fracture.generations = 1;
    std::vector<BodyId> blocks;
    for (int i = 0; i < 10; ++i)
        blocks.push_back(world.addBody(
            {.shape = Box{{Real(0.3), Real(0.3), Real(0.3)}}, .position = {Real(2 * i), 0, 0}, .fracture = fracture}));
    for (const BodyId block : blocks)
        world.breakBody(block, world.position(block), {0, 1, 0}, 0);
    int broken = 0, steps = 0;
    for (; broken < 10 && steps < 40; ++steps) {
        world.step(kStep);
        std::size_t pieces = 0;
        for (const BreakEvent& event : world.breakEvents())
            pieces += event.pieces.size();
        EXPECT_LE(pieces, 4u);
        broken += world.stats().breaks;
        EXPECT_EQ(world.stats().waitingBreaks, 10 - broken);
    }
    EXPECT_EQ(broken, 10);
    EXPECT_GE(steps, 5);
}

// Ten blocks are struck at once, with time for few of them: at least one breaks in each step, and all do in the end, though
// they soon lie still. A second run and a restored one break alike.
TEST(Breaking, BudgetSpreadsBreaksAndDropsNothing) {
    const auto makeWorld = [](Real budget) {
        auto world = std::make_unique<World>(WorldDef{.breakingBudget = budget});
        world->addBody({.shape = Box{{40, 1, 5}}, .motion = Motion::Static, .position = {18, -1, 0}});
        FractureDef fracture = fractureBy(voronoi(4), 100);
        for (int i = 0; i < 10; ++i)
            world->addBody({.shape = Box{{Real(0.3), Real(0.3), Real(0.3)}},
                            .position = {Real(4 * i), Real(0.31), 0},
                            .velocity = {0, -2, 0},
                            .fracture = fracture});
        return world;
    };
    const auto breaksOf = [](World& world, int steps) {
        std::vector<int> breaks;
        for (int i = 0; i < steps; ++i) {
            world.step(kStep);
            breaks.push_back(world.stats().breaks);
        }
        return breaks;
    };
    const auto count = [](const std::vector<int>& breaks) { return std::accumulate(breaks.begin(), breaks.end(), 0); };
    auto free = makeWorld(0);
    const std::vector<int> atOnce = breaksOf(*free, 40);
    ASSERT_EQ(count(atOnce), 10);
    EXPECT_EQ(*std::max_element(atOnce.begin(), atOnce.end()), 10);

    const Real little = Real(2e-3);  // a block takes 1 ms
    auto world = makeWorld(little);
    const std::vector<int> early = breaksOf(*world, 3);
    const std::vector<std::byte> between = world->snapshot();
    EXPECT_GT(world->stats().waitingBreaks, 0);
    const std::vector<int> late = breaksOf(*world, 37);
    EXPECT_EQ(count(early) + count(late), 10);
    EXPECT_LE(*std::max_element(late.begin(), late.end()), 3);
    auto other = makeWorld(little);
    other->restore(between);
    EXPECT_EQ(breaksOf(*other, 37), late);
    EXPECT_EQ(other->hash(), world->hash());
}

// A break that the caps put off happens while there is something to see of the blow, or not at all.
TEST(Breaking, PutOffBreaksLapseAtRest) {
    for (const bool asked : {false, true}) {
        World world({.mostPieces = 2});
        const Wall ids = addWall(world, fractureBy(voronoi(), 20));
        if (asked)
            world.breakBody(ids.wall, {0, Real(0.8), Real(0.15)}, {0, 0, 1}, 0);
        for (int i = 0; i < 120; ++i)
            world.step(kStep);
        ASSERT_TRUE(world.isValid(ids.wall));
        EXPECT_EQ(world.stats().waitingBreaks, asked ? 1 : 0);
        WorldDef def = world.settings();
        def.mostPieces = 1000;
        world.setSettings(def);
        world.step(kStep);
        EXPECT_EQ(world.isValid(ids.wall), !asked);
    }
}

}  // namespace
}  // namespace sunder
