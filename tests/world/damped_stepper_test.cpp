// The stepper `damped` [Egan03] 5.2 to 5.4: what it must get right like any other, and what it is for.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "scenes/egan.h"
#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr double kGravity = 9.81;

WorldDef dampedWorld(bool sleeping = false) {
    WorldDef def;
    def.stepper = Stepper::Damped;
    def.sleeping = sleeping;
    return def;
}

BodyDef boxAt(const Vec3& position, const Vec3& halfExtents = {Real(0.5), Real(0.5), Real(0.5)}) {
    BodyDef def;
    def.shape = Box{halfExtents};
    def.position = position;
    return def;
}

BodyId addFloor(World& world) {
    BodyDef def = boxAt({0, -1, 0}, {50, 1, 50});
    def.motion = Motion::Static;
    return world.addBody(def);
}

double totalEnergy(const World& world) { return world.stats().kineticEnergy + world.stats().potentialEnergy; }
double speedOf(const World& world, BodyId body) {
    const Vec3 v = world.velocity(body), w = world.angularVelocity(body);
    return std::hypot(double(v.x), double(v.y), double(v.z)) + std::hypot(double(w.x), double(w.y), double(w.z));
}

class DampedStepper : public ::testing::TestWithParam<int> {
protected:
    Real dt() const { return Real(1) / Real(GetParam()); }
    void run(World& world, double seconds) const {
        for (int i = 0; i < static_cast<int>(std::lround(seconds * GetParam())); ++i)
            world.step(dt());
    }
};

INSTANTIATE_TEST_SUITE_P(Rates, DampedStepper, ::testing::Values(60, 30));

// Flight is exact although the thesis moves bodies by their new velocity: only rounding is left.
TEST_P(DampedStepper, FreeFall) {
    World world(dampedWorld());
    const BodyId body = world.addBody(boxAt({0, 0, 0}));
    run(world, 2);
    EXPECT_NEAR(world.velocity(body).y, -kGravity * 2, 1e-4 * kGravity * 2);
    EXPECT_NEAR(world.position(body).y, -kGravity * 2, 1e-4 * kGravity * 2);
}

// A ball dropped by 3 m rises to e^2 of that; 3 % for where within a step it turns.
TEST_P(DampedStepper, ReboundIsTheSquareOfTheRestitution) {
    World world(dampedWorld());
    addFloor(world);
    const BodyId ball =
        world.addBody({.shape = Sphere{Real(0.5)}, .position = {0, Real(3.5), 0}, .material = {.restitution = Real(0.8)}});
    double top = 0;
    bool isRising = false;
    for (int i = 0; i < 2 * GetParam(); ++i) {
        world.step(dt());
        const double v = world.velocity(ball).y;
        isRising = isRising || v > 1;
        if (isRising && v > 0)
            top = std::max(top, world.position(ball).y - 0.5 + v * v / (2 * kGravity));
    }
    EXPECT_NEAR(top, 3 * 0.64, 0.03 * 3);
}

// Without sleep. The speeds are exactly zero: that is what snapping to rest means.
TEST_P(DampedStepper, FiveBoxesComeToRest) {
    World world(dampedWorld());
    addFloor(world);
    std::vector<BodyId> boxes;
    for (int i = 0; i < 5; ++i)
        boxes.push_back(world.addBody(boxAt({Real(0.01) * Real(i % 2), Real(0.51) + Real(1.01) * Real(i), 0})));
    run(world, 5);
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(speedOf(world, boxes[i]), 0) << i;
        EXPECT_NEAR(world.position(boxes[i]).y, 0.5 + i, 5e-3) << i;  // touching distance of five contacts
    }
    EXPECT_EQ(world.stats().stableBodies, 5);
}

// Without its damping the same stack still moves: the test above shows the damping, not the solver.
TEST_P(DampedStepper, DampingIsWhatStopsChatter) {
    WorldDef def = dampedWorld();
    def.damped.contactDamping = def.damped.spinDamping = def.damped.chatterDamping = def.damped.restShare = 0;
    def.damped.alignRate = 0;
    World world(def);
    addFloor(world);
    std::vector<BodyId> balls;
    for (int i = 0; i < 12; ++i)
        balls.push_back(world.addBody({.shape = Sphere{Real(0.3)},
                                       .position = {Real(0.2) * Real(i % 3), Real(0.4) + Real(0.65) * Real(i), Real(0.1)},
                                       .material = {.rollingFriction = Real(0)}}));
    WorldDef damped = dampedWorld();
    run(world, 3);
    double undamped = 0;
    for (const BodyId ball : balls)
        undamped = std::max(undamped, speedOf(world, ball));
    world.setSettings(damped);
    run(world, 15);
    double after = 0;
    for (const BodyId ball : balls)
        after = std::max(after, speedOf(world, ball));
    EXPECT_GT(undamped, 0.05);
    EXPECT_LT(after, 0.2 * undamped);
}

// 1e-4 of the initial energy in any step: the rounding of heights. Restitution would otherwise hide gains.
TEST_P(DampedStepper, NeverRaisesEnergy) {
    World world(dampedWorld());
    addFloor(world);
    for (int i = 0; i < 27; ++i) {
        BodyDef box = boxAt({Real(0.8) * Real(i % 3), Real(0.6) + Real(0.8) * Real(i / 9), Real(0.8) * Real(i / 3 % 3)},
                            {Real(0.3), Real(0.2), Real(0.3)});
        box.angularVelocity = {Real(i % 5) - 2, Real(i % 3), Real(i % 7) - 3};
        box.material.restitution = Real(0.5);
        world.addBody(box);
    }
    const double initial = totalEnergy(world);
    double last = initial;
    for (int i = 0; i < 5 * GetParam(); ++i) {
        world.step(dt());
        const double now = totalEnergy(world);
        EXPECT_LE(now, last + 1e-4 * initial) << "step " << i;
        last = now;
    }
}

// Damping acts on the motion over what carries a body: a platform's riders are not slowed.
TEST_P(DampedStepper, RidersOfAPlatformKeepItsSpeed) {
    World world(dampedWorld());
    BodyDef platform = boxAt({0, Real(-0.25), 0}, {2, Real(0.25), 2});
    platform.motion = Motion::Kinematic;
    platform.velocity = {1, 0, 0};
    world.addBody(platform);
    BodyDef box = boxAt({0, Real(0.5), 0});
    box.velocity = {1, 0, 0};
    const BodyId low = world.addBody(box);
    box.position.y = Real(1.5);
    const BodyId high = world.addBody(box);
    run(world, 3);
    for (const BodyId rider : {low, high}) {
        EXPECT_NEAR(world.velocity(rider).x, 1, 1e-3);
        EXPECT_NEAR(world.position(rider).x, 3, 5e-3);
    }
}

// Rest is for what gravity accelerates by less than a fiftieth of its weight; on 10 degrees without friction it is 0.17. What
// slides is slowed by the contact damping c: v = g sin(a) (1 - exp(-c t)) / c.
TEST_P(DampedStepper, WhatSlidesIsNotHeld) {
    WorldDef def = dampedWorld();
    const double angle = 10 * 3.14159265358979 / 180, c = def.damped.contactDamping;
    def.gravity = {Real(kGravity * std::sin(angle)), Real(-kGravity * std::cos(angle)), 0};
    World world(def);
    BodyDef floor = boxAt({0, -1, 0}, {50, 1, 50});
    floor.motion = Motion::Static;
    floor.material.friction = 0;
    world.addBody(floor);
    BodyDef box = boxAt({0, Real(0.5), 0});
    box.material.friction = 0;
    const BodyId id = world.addBody(box);
    run(world, 2);
    EXPECT_NEAR(world.velocity(id).x, kGravity * std::sin(angle) * (1 - std::exp(-2 * c)) / c, 0.05);
}

TEST_P(DampedStepper, AnyShapeRestsAndSleeps) {
    World world(dampedWorld(true));
    addFloor(world);
    Hull hull;
    for (int i = 0; i < 8; ++i)
        hull.points.push_back({Real(i & 1 ? 0.4 : -0.4), Real(i & 2 ? 0.3 : -0.3), Real(i & 4 ? 0.5 : -0.4)});
    const Shape shapes[] = {
        Sphere{Real(0.4)},
        Box{{Real(0.4), Real(0.3), Real(0.2)}},
        Capsule{.radius = Real(0.2), .halfHeight = Real(0.3)},
        Cylinder{.radius = Real(0.3), .halfHeight = Real(0.2)},
        hull,
        Compound{{{Box{{Real(0.4), Real(0.1), Real(0.1)}}, {}}, {Box{{Real(0.1), Real(0.1), Real(0.4)}}, {0, Real(0.2), 0}}}}};
    std::vector<BodyId> ids;
    for (const Shape& shape : shapes)
        ids.push_back(world.addBody({.shape = shape, .position = {Real(2) * Real(ids.size()), Real(0.7), 0}}));
    run(world, 8);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        EXPECT_EQ(speedOf(world, ids[i]), 0) << i;
        EXPECT_GT(world.position(ids[i]).y, 0.05) << i;
    }
    EXPECT_EQ(world.stats().asleep, int(ids.size()));
}

// Figures 5.3 to 5.5: one corner on the lower box; all four; two boxes that carry one between them.
TEST_P(DampedStepper, GeometricStabilityOfTheFigures) {
    const auto stableOf = [&](std::initializer_list<Vec3> places) {
        World world(dampedWorld());
        addFloor(world);
        for (const Vec3& place : places)
            world.addBody(boxAt(place));
        world.step(dt());
        world.step(dt());
        return world.stats().stableBodies;
    };
    const Real h = Real(0.5);
    // Of figure 5.3 the upper one reaches over its support; nothing lies on it, so its weight alone decides.
    EXPECT_EQ(stableOf({{0, h, 0}, {Real(0.4), 3 * h, Real(0.4)}}), 2);
    EXPECT_EQ(stableOf({{0, h, 0}, {Real(0.52), 3 * h, 0}}), 1);  // its centre is beyond the edge
    EXPECT_EQ(stableOf({{0, h, 0}, {0, 3 * h, 0}}), 2);
    const Real apart = Real(0.53);
    EXPECT_EQ(stableOf({{-apart, h, 0}, {apart, h, 0}, {0, 3 * h, 0}}), 3);
    EXPECT_EQ(stableOf({{-apart, h, 0}, {0, 3 * h, 0}}), 1);  // one of the two is missing
    EXPECT_EQ(stableOf({{-h, h, 0}, {h, h, 0}}), 0);          // they touch sideways: a normal that is not vertical
}

// Figures 6.4 and 6.5: blocks that stand as one, and blocks that a heavy one keeps from tipping. Without that they do tip.
TEST_P(DampedStepper, GeometricStabilityOfLoadedBodies) {
    const auto stableOf = [&](scenes::BoxScene scene) {
        scene.world.step(dt());
        scene.world.step(dt());
        return scene.world.stats().stableBodies;
    };
    EXPECT_EQ(stableOf(scenes::shiftedColumn(dampedWorld())), 5);
    EXPECT_EQ(stableOf(scenes::heavyLintel(dampedWorld())), 5);
    scenes::BoxScene unloaded = scenes::heavyLintel(dampedWorld());
    unloaded.world.removeBody(unloaded.moving.back().id);
    EXPECT_EQ(stableOf(std::move(unloaded)), 2);  // the feet, of which loads that are not known cannot tip any
}

// Shapes whose manifolds do not contain them seen from above: a cylinder and a prism.
TEST_P(DampedStepper, GeometricStabilityOfOtherShapes) {
    Hull prism;
    for (int i = 0; i < 14; ++i) {
        const double angle = 2 * 3.14159265358979 * (i % 7) / 7;
        prism.points.push_back({Real(0.5 * std::cos(angle)), i < 7 ? Real(-0.5) : Real(0.5), Real(0.5 * std::sin(angle))});
    }
    for (const Shape& shape : {Shape{Cylinder{.radius = Real(0.5), .halfHeight = Real(0.5)}}, Shape{prism}}) {
        World world(dampedWorld());
        addFloor(world);
        BodyDef def;
        def.shape = shape;
        def.position = {0, Real(0.5), 0};
        world.addBody(def);
        def.position = {Real(0.1), Real(1.5), 0};
        world.addBody(def);
        run(world, 0.2);
        EXPECT_EQ(world.stats().stableBodies, 2);
    }
}

// What is called stable at the start does not move in a fine run: columns of three boxes, shifted at random, of which many tip.
TEST(DampedStepperStability, WhatIsStableNeverMovesInAFineRun) {
    core::Random random(3);
    int stable = 0, unstable = 0;
    for (int i = 0; i < 60; ++i) {
        Vec3 places[3];
        Real x = 0, z = 0;
        for (int k = 0; k < 3; ++k) {
            places[k] = {x, Real(0.5) + Real(k), z};
            x += Real(random.between(-0.6, 0.6));
            z += Real(random.between(-0.3, 0.3));
        }
        World damped(dampedWorld());
        addFloor(damped);
        for (const Vec3& place : places)
            damped.addBody(boxAt(place));
        damped.step(Real(1) / 60);
        damped.step(Real(1) / 60);
        if (damped.stats().stableBodies < 3) {
            ++unstable;
            continue;
        }
        ++stable;
        WorldDef def;
        def.sleeping = false;
        World fine(def);
        addFloor(fine);
        BodyId ids[3];
        for (int k = 0; k < 3; ++k)
            ids[k] = fine.addBody(boxAt(places[k]));
        for (int step = 0; step < 480; ++step)
            fine.step(Real(1) / 960);
        for (int k = 0; k < 3; ++k) {
            const Vec3 p = fine.position(ids[k]);
            EXPECT_LT(std::hypot(double(p.x - places[k].x), double(p.y - places[k].y), double(p.z - places[k].z)), 1e-3) << i;
            EXPECT_LT(speedOf(fine, ids[k]), 1e-3) << i;
        }
    }
    EXPECT_GT(stable, 10);
    EXPECT_GT(unstable, 10);
}

// A pyramid of 36 boxes, 256 contact points in one group. With geometric stability no body is left in the contact system.
TEST_P(DampedStepper, AnalyticContactSolvesAPyramid) {
    for (const bool stability : {false, true}) {
        WorldDef def = dampedWorld();
        def.damped.analytic = true;
        def.damped.analyticPoints = 1000;
        def.damped.stability = stability;
        scenes::BoxScene pyramid = scenes::thesisPyramid(def, 8, false);
        for (int i = 0; i < 4; ++i) {
            pyramid.world.step(dt());
            const WorldStats stats = pyramid.world.stats();
            EXPECT_EQ(stats.analyticFallbacks, 0);
            EXPECT_LT(stats.analyticResidual, 1e-5);
            EXPECT_EQ(stats.analyticPoints, stability ? 0 : 256);
            EXPECT_EQ(stats.stableBodies, stability ? 36 : 0);
        }
    }
}

// Figure 5.6: without the bottom centre box some bodies are stable and others are not. Those rest on bodies that count as
// immovable, which must not be taken for falling ones.
TEST_P(DampedStepper, AnalyticContactStandsOnStableBodies) {
    WorldDef def = dampedWorld();
    def.damped.analytic = true;
    def.damped.analyticPoints = 1000;
    scenes::BoxScene pyramid = scenes::thesisPyramid(def, 6, true);
    for (int i = 0; i < 60; ++i) {
        pyramid.world.step(dt());
        const WorldStats stats = pyramid.world.stats();
        EXPECT_EQ(stats.analyticFallbacks, 0) << i;
        EXPECT_EQ(stats.analyticPoints, 80) << i;
        EXPECT_EQ(stats.stableBodies, 9) << i;
    }
    EXPECT_NEAR(pyramid.world.position(pyramid.moving.back().id).y, 5.5, 2e-3);
}

TEST_P(DampedStepper, AnalyticContactHoldsAStack) {
    WorldDef def = dampedWorld();
    def.damped.analytic = true;
    def.damped.stability = false;
    World world(def);
    addFloor(world);
    std::vector<BodyId> boxes;
    for (int i = 0; i < 5; ++i)
        boxes.push_back(world.addBody(boxAt({Real(0.1) * Real(i % 2), Real(0.5) + Real(i), 0})));
    run(world, 3);
    for (int i = 0; i < 5; ++i) {
        EXPECT_LT(speedOf(world, boxes[i]), 1e-3) << i;
        EXPECT_NEAR(world.position(boxes[i]).y, 0.5 + i, 5e-3) << i;
        EXPECT_NEAR(world.position(boxes[i]).x, 0.1 * (i % 2), 5e-3) << i;
    }
}

TEST(DampedStepperWorld, SameBitsForAnyNumberOfThreads) {
    std::uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        WorldDef def = dampedWorld(true);
        def.threads = k == 0 ? 1 : 4;
        World world(def);
        addFloor(world);
        for (int i = 0; i < 30; ++i)
            world.addBody(boxAt({Real(0.3) * Real(i % 4), Real(0.6) + Real(1.1) * Real(i / 4), Real(0.2) * Real(i % 3)}));
        for (int i = 0; i < 90; ++i)
            world.step(Real(1) / 60);
        hashes[k] = world.hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(DampedStepperWorld, RefusesJointsByItsName) {
    World world(dampedWorld());
    const BodyId body = world.addBody({});
    try {
        world.addJoint({.a = body});
        FAIL() << "a joint was taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("this world has damped"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace sunder
