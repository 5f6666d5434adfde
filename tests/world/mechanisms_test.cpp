// Every mechanism of the default step acts where it should: without it something there is worse, or dearer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/built_shape.h"
#include "collision/narrow_phase/collide.h"
#include "math/quat.h"
#include "scenes/joint_nets.h"
#include "scenes/mechanics.h"
#include "scenes/piles.h"
#include "scenes/stacks.h"
#include "sunder/describe.h"
#include "support/hashes.h"
#include "support/level_sets.h"

namespace sunder {
namespace {

using scenes::vec;
using support::kStep;

WorldDef without(std::initializer_list<Mechanism> mechanisms) {
    WorldDef def = scenes::withoutSleep();
    for (const Mechanism mechanism : mechanisms)
        def.frameRate.without.add(mechanism);
    return def;
}

// How far the top of ten cubes sinks in 4 s, m.
double sagOfStack(const WorldDef& def) {
    scenes::BoxScene scene = scenes::stackOfCubes(def, 10);
    for (int i = 0; i < 120; ++i)
        scene.world.step(kStep);
    return 9.5 - double(scene.world.position(scene.moving.back().id).y);
}

TEST(Mechanisms, NamesAreAllThere) {
    for (int i = 0; i < kMechanismCount; ++i)
        EXPECT_EQ(int(kMechanismNames[i].value), i);
    WorldDef def;
    def.frameRate.without.bits = (1u << kMechanismCount) - 1;
    EXPECT_TRUE(validate(def).empty());
    def.frameRate.without.bits = 1u << kMechanismCount;
    ASSERT_EQ(validate(def).size(), 1u);
    EXPECT_NE(validate(def)[0].find("stepper.without"), std::string::npos) << validate(def)[0];
    EXPECT_NE(validate(def)[0].find("joint_mass"), std::string::npos) << validate(def)[0];
}

// In rest under a load F a point that leaks lies at s = -F h^2 leak / (m recovery), one that does not at 0 (docs/step.md 1).
TEST(Mechanisms, LeakMakesStacksSag) {
    EXPECT_GT(sagOfStack(without({Mechanism::Steadying})), 1e-3);
    EXPECT_LT(sagOfStack(without({Mechanism::Steadying, Mechanism::Leak})), 0.5 * sagOfStack(without({Mechanism::Steadying})));
}

// By the same formula: a share of 0.7 of each correction is an effective mass of 0.7 m.
TEST(Mechanisms, GentleShareIsPaidWithSag) {
    const double share =
        sagOfStack(without({Mechanism::Steadying, Mechanism::GentleShare})) / sagOfStack(without({Mechanism::Steadying}));
    EXPECT_NEAR(share, 0.7, 0.1);
}

TEST(Mechanisms, BlowsThatAreNotForgottenThrowTheStackUp) {
    const auto speedUpwards = [](const WorldDef& def) {
        scenes::BoxScene scene = scenes::stackOfCubes(def, 6);
        for (const scenes::BoxRecord& box : scene.moving)
            scene.world.setVelocity(box.id, vec(0, -5, 0));
        double up = 0;
        for (int i = 0; i < 15; ++i) {
            scene.world.step(kStep);
            for (const scenes::BoxRecord& box : scene.moving)
                up = std::max(up, double(scene.world.velocity(box.id).y));
        }
        return up;
    };
    EXPECT_GT(speedUpwards(without({Mechanism::ForgottenBlows})), 0.5 + speedUpwards(without({})));
}

TEST(Mechanisms, HeavyBlocksHoldAHeavyCubeOnALightOne) {
    const auto peak = [](const WorldDef& def) {
        scenes::BoxScene scene = scenes::heavyOnLight(def, 1000, 0.15);
        double deepest = 0;
        for (int i = 0; i < 60; ++i) {
            scene.world.step(kStep);
            deepest = std::max(deepest, scene.world.stats().maxPenetration);
        }
        return deepest;
    };
    EXPECT_LT(peak(without({Mechanism::Steadying})), 5e-3);
    EXPECT_GT(peak(without({Mechanism::Steadying, Mechanism::HeavyBlocks})), 5e-3);
}

TEST(Mechanisms, TheGuardTakesTheEnergyOfOverlaps) {
    const auto rise = [](const WorldDef& def) {
        scenes::BoxScene scene(def);
        scenes::addPit(scene, 3, 10);
        scenes::Random random(3);
        for (int i = 0; i < 64; ++i)
            scene.add(vec(0.25, 0.25, 0.25),
                      {.position = vec((i % 4 - 1.5) * 0.42, 0.5 + i / 16 * 0.42, (i / 4 % 4 - 1.5) * 0.42),
                       .orientation = random.rotation()});
        const double before = scenes::mechanicsOf(scene).energy();
        scene.world.step(kStep);
        return scenes::mechanicsOf(scene).energy() / before - 1;
    };
    EXPECT_LT(rise(without({})), 1e-3);
    EXPECT_GT(rise(without({Mechanism::EnergyGuard})), 5e-3);
}

struct Work {
    double looks = 0, passes = 0;
};

// Of a small pile, from the second second on.
Work workOfPile(const WorldDef& def) {
    scenes::BoxScene scene = scenes::boxPile(def, 5, 3.5);
    Work work;
    for (int i = 0; i < 60; ++i) {
        scene.world.step(kStep);
        if (i < 30)
            continue;
        work.looks += scene.world.stats().pairLooks;
        work.passes += double(scene.world.stats().manifoldPasses);
    }
    return work;
}

TEST(Mechanisms, ContactsThatWaitCostNoPasses) {
    EXPECT_GT(workOfPile(without({Mechanism::Waiting})).passes, 1.2 * workOfPile(without({})).passes);
}

TEST(Mechanisms, ManifoldsThatAreKeptCostNoSearch) {
    EXPECT_GT(workOfPile(without({Mechanism::Recycling})).looks, 1.5 * workOfPile(without({})).looks);
}

// Where every manifold is found anew, what is inherited is all that carries a stack from one step to the next.
TEST(Mechanisms, InheritedImpulsesCarryAStack) {
    EXPECT_GT(sagOfStack(without({Mechanism::Recycling, Mechanism::Inheritance})),
              2 * sagOfStack(without({Mechanism::Recycling})));
}

TEST(Mechanisms, ThinningLeavesFewManifoldsOfABondedWall) {
    const auto passes = [](const WorldDef& def) {
        World world(def);
        world.addBody({.shape = Box{vec(5, 0.5, 5)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
        Compound wall;
        for (int i = 0; i < 20; ++i)
            wall.children.push_back({Box{vec(0.1, 0.1, 0.1)}, vec(0.2 * (i - 9.5), 0, 0), {}});
        BodyDef body{.shape = wall, .position = vec(0, 0.1, 0)};
        body.bonds = BondsDef{};
        world.addBody(body);
        for (int i = 0; i < 5; ++i)
            world.step(kStep);
        return world.stats().manifoldPasses;
    };
    EXPECT_GT(passes(without({Mechanism::Thinning})), 2 * passes(without({})));
}

TEST(Mechanisms, OnlyStepPartsSearchMoreThanOnce) {
    const auto most = [](const WorldDef& def) {
        scenes::BoxScene scene = scenes::boxPile(def, 5, 6);
        for (const scenes::BoxRecord& box : scene.moving)
            scene.world.setVelocity(box.id, vec(0, -15, 0));
        int searches = 0;
        for (int i = 0; i < 10; ++i) {
            scene.world.step(kStep);
            searches = std::max(searches, scene.world.stats().searches);
        }
        return searches;
    };
    EXPECT_GT(most(without({})), 1);
    EXPECT_EQ(most(without({Mechanism::StepParts})), 1);
}

// Points that the narrow phase gives two shapes within 0.2 m of each other.
int pointsOf(const Shape& lower, const Shape& upper, const Pose& pose, collision::PointKinds kinds) {
    collision::Range range(Real(0.2));
    range.points = kinds;
    collision::ManifoldList found;
    collision::collide(*buildShape(lower), {}, *buildShape(upper), pose, range, found);
    int count = 0;
    for (const collision::ContactManifold& manifold : found)
        count += manifold.count;
    return count;
}

TEST(Mechanisms, RockingPointsStandBesideARim) {
    const Pose pose{vec(0, 0.5 + 0.25, 0), scenes::turnAbout(0, 0, 1, 1)};
    const Shape floor = Box{vec(2, 0.5, 2)}, cylinder = Cylinder{Real(0.2), Real(0.18)};
    EXPECT_GE(pointsOf(floor, cylinder, pose, {}), 3);
    EXPECT_LE(pointsOf(floor, cylinder, pose, {.rocking = false}), 2);
}

TEST(Mechanisms, FacingCornersStandBesideTheEdgesOfBoxes) {
    // Edge across edge, each box tilted by 0.3 rad about its own edge.
    const Shape box = Box{vec(0.5, 0.5, 0.5)};
    const Quat tilt = scenes::turnAbout(0, 0, 1, 0.3) * scenes::turnAbout(1, 0, 0, 0.3);
    const Pose pose{vec(0.6, 1.15, 0.6), tilt};
    EXPECT_GT(pointsOf(box, box, pose, {}), pointsOf(box, box, pose, {.facingCorners = false}));
}

TEST(Mechanisms, RaisedInertiaKeepsALoadedChainTogether) {
    const auto worst = [](const WorldDef& def) {
        scenes::JointScene chain = scenes::chainWithWeight(def, 20, 10000);
        scenes::swing(chain, 1);
        double error = 0;
        for (int i = 0; i < 120; ++i) {
            chain.world.step(Real(1) / 60);
            error = std::max(error, chain.worstError());
        }
        return error;
    };
    EXPECT_LT(worst(without({})), 2e-3);
    EXPECT_GT(worst(without({Mechanism::JointMass})), 0.5);  // it flies apart
}

// A tower of 16 cubes whose centre of mass is over its foot sways itself over where contacts are corrected one by one.
TEST(Mechanisms, SteadyingHoldsTowers) {
    const auto lowest = [](const WorldDef& def) {
        scenes::BoxScene scene = scenes::leaningTower(def, 16, 0.45 / 8);
        for (int i = 0; i < 15 * 60; ++i)
            scene.world.step(Real(1) / 60);
        return double(scene.world.position(scene.moving.back().id).y);
    };
    EXPECT_GT(lowest(without({})), 15.4);
    EXPECT_LT(lowest(without({Mechanism::Steadying})), 12);
}

}  // namespace
}  // namespace sunder
