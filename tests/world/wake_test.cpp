// What wakes sleepers: what touches or changes them, or takes their support away; without a kick.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "scenes/mechanics.h"
#include "scenes/piles.h"
#include "support/hashes.h"
#include "world/sleepers_for_tests.h"

namespace sunder {
namespace {

using scenes::vec;
using support::kStep;

TEST(Sleep, BallWakesTheStackItHitsAndNoOther) {
    World world;
    addFloor(world);
    const std::vector<BodyId> left = addStack(world, -2, 3), right = addStack(world, 2, 3);
    ASSERT_LT(timeToSleep(world, 4), 4);
    world.addBody({.shape = Sphere{Real(0.3)}, .position = vec(-5, 2.5, 0), .velocity = vec(10, 1, 0)});
    run(world, 0.2);
    EXPECT_TRUE(areAsleep(world, left));  // not by what flies towards it
    run(world, 0.2);
    EXPECT_TRUE(areAwake(world, left));
    EXPECT_TRUE(areAsleep(world, right));
    EXPECT_GT(world.position(left[2]).x, -1.95);
}

// A blow goes through a row of sleepers within one step as it goes through a row that is awake: the gaps are shorter than the
// way of the ball in a step, and none of them may stand like a wall for that step.
TEST(Sleep, BlowGoesThroughARowAsIfItWereAwake) {
    for (const double spacing : {1.02, 1.05, 1.15}) {
        double ends[2], momenta[2];
        for (const bool sleeping : {true, false}) {
            World world({.sleeping = sleeping});
            addFloor(world);
            std::vector<BodyId> row;
            for (int i = 0; i < 4; ++i)
                row.push_back(addCube(world, vec(spacing * i, 0.5, 0)));
            run(world, 1.5);
            ASSERT_EQ(world.isAwake(row[3]), !sleeping);
            const BodyId ball = world.addBody(
                {.shape = Sphere{Real(0.4)}, .position = vec(-1.2, 0.5, 0), .velocity = vec(8, 0, 0), .mass = Real(4000)});
            run(world, 0.1);
            momenta[sleeping] = 4000 * double(world.velocity(ball).x);
            for (const BodyId cube : row)
                momenta[sleeping] += 1000 * double(world.velocity(cube).x);
            run(world, 0.2);
            EXPECT_TRUE(areAwake(world, row));
            ends[sleeping] = world.position(row[3]).x - 3 * spacing;
        }
        EXPECT_NEAR(momenta[1], momenta[0], 0.01 * momenta[0]) << spacing;
        // Which cube gets how much of it is a matter of the order of contacts.
        EXPECT_GT(ends[0], 0.5);
        EXPECT_NEAR(ends[1], ends[0], 0.15 * ends[0]) << spacing;
    }
}

TEST(Sleep, RemovingTheSupportWakes) {
    for (const Motion motion : {Motion::Static, Motion::Kinematic, Motion::Dynamic}) {
        World world;
        addFloor(world);
        const BodyId support = world.addBody({.shape = Box{vec(0.5, 0.5, 0.5)}, .motion = motion, .position = vec(0, 0.5, 0)});
        const BodyId cube = addCube(world, vec(0, 1.5, 0)), other = addCube(world, vec(5, 0.5, 0));
        run(world, 2);
        ASSERT_FALSE(world.isAwake(cube));
        world.removeBody(support);
        EXPECT_TRUE(world.isAwake(cube));
        EXPECT_FALSE(world.isAwake(other));
        run(world, 2);
        EXPECT_NEAR(world.position(cube).y, 0.5, 0.01);
        EXPECT_FALSE(world.isAwake(cube));
    }
}

TEST(Sleep, MovingTheSupportWakes) {
    World world;
    const BodyId floor = addFloor(world);
    const BodyId lift = world.addBody({.shape = Box{vec(1, 0.1, 1)}, .motion = Motion::Kinematic, .position = vec(5, 0, 0)});
    const BodyId cube = addCube(world, vec(0, 0.5, 0)), load = addCube(world, vec(5, 0.6, 0));
    run(world, 2);
    ASSERT_FALSE(world.isAwake(cube));
    ASSERT_FALSE(world.isAwake(load));
    EXPECT_EQ(world.stats().awake, 1);  // the lift itself
    // Told to be where they are, they wake nobody.
    world.setPose(floor, world.position(floor), world.orientation(floor));
    world.setVelocity(lift, {});
    world.moveTo(lift, world.position(lift), world.orientation(lift));
    run(world, 0.2);
    EXPECT_FALSE(world.isAwake(cube));
    EXPECT_FALSE(world.isAwake(load));

    world.moveTo(lift, vec(5, 0.01, 0), {});
    world.step(kStep);
    EXPECT_TRUE(world.isAwake(load));
    EXPECT_FALSE(world.isAwake(cube));
    world.setPose(floor, vec(0, -1.5, 0), {});
    run(world, 1);
    EXPECT_NEAR(world.position(cube).y, -0.5, 0.01);
}

TEST(Sleep, KinematicBodyThatComesWakes) {
    World world;
    addFloor(world);
    const BodyId cube = addCube(world, vec(0, 0.5, 0));
    const BodyId pusher = world.addBody({.motion = Motion::Kinematic, .position = vec(-3, 0.51, 0), .velocity = vec(1, 0, 0)});
    run(world, 1.9);
    EXPECT_FALSE(world.isAwake(cube));
    run(world, 1.1);
    EXPECT_TRUE(world.isAwake(cube));
    EXPECT_NEAR(world.position(cube).x, world.position(pusher).x + 1, 0.01);
}

TEST(Sleep, GravityWakesWhereItChanges) {
    World world;
    addFloor(world);
    const BodyId cube = addCube(world, vec(0, 0.5, 0));
    run(world, 2);
    world.setGravity(world.gravity());
    EXPECT_FALSE(world.isAwake(cube));
    world.setGravity(vec(0, 1, 0));
    EXPECT_TRUE(world.isAwake(cube));
    run(world, 1);
    EXPECT_NEAR(world.position(cube).y, 1, 0.02);  // g t^2 / 2
}

TEST(Sleep, EveryChangeOfABodyWakesItsIsland) {
    using Change = std::function<void(World&, BodyId)>;
    const std::pair<const char*, Change> changes[] = {
        {"setPose", [](World& w, BodyId b) { w.setPose(b, w.position(b), w.orientation(b)); }},
        {"setVelocity", [](World& w, BodyId b) { w.setVelocity(b, {}); }},
        {"setAngularVelocity", [](World& w, BodyId b) { w.setAngularVelocity(b, {}); }},
        {"setMaterial", [](World& w, BodyId b) { w.setMaterial(b, w.material(b)); }},
        {"setMotion", [](World& w, BodyId b) { w.setMotion(b, Motion::Kinematic); }},
        {"setShape", [](World& w, BodyId b) { w.setShape(b, w.shape(b)); }},
        {"setCenterOfMass", [](World& w, BodyId b) { w.setCenterOfMass(b, {}); }},
        {"setLockedAxes", [](World& w, BodyId b) { w.setLockedAxes(b, 0); }},
        {"setDamping", [](World& w, BodyId b) { w.setDamping(b, 0, 0); }},
        {"setGravityFactor", [](World& w, BodyId b) { w.setGravityFactor(b, 1); }},
        {"setSurfaceVelocity", [](World& w, BodyId b) { w.setSurfaceVelocity(b, {}); }},
        {"setFilter", [](World& w, BodyId b) { w.setFilter(b, 1, 0xffffffffu); }},
        {"addForce", [](World& w, BodyId b) { w.addForce(b, {}); }},
        {"addForceAt", [](World& w, BodyId b) { w.addForceAt(b, {}, {}); }},
        {"addTorque", [](World& w, BodyId b) { w.addTorque(b, {}); }},
        {"addImpulse", [](World& w, BodyId b) { w.addImpulse(b, {}); }},
        {"addImpulseAt", [](World& w, BodyId b) { w.addImpulseAt(b, {}, {}); }},
        {"addAngularImpulse", [](World& w, BodyId b) { w.addAngularImpulse(b, {}); }},
        {"setAllowSleep", [](World& w, BodyId b) { w.setAllowSleep(b, true); }},
        {"wake", [](World& w, BodyId b) { w.wake(b); }},
        {"removeBody", [](World& w, BodyId b) { w.removeBody(b); }},
    };
    World world;
    const BodyId floor = addFloor(world);
    const std::vector<BodyId> stack = addStack(world, 0, 3), other = addStack(world, 3, 1);
    ASSERT_LT(timeToSleep(world, 4), 4);
    const Checkpoint asleep = world.checkpoint();
    for (const auto& [name, change] : changes) {
        world.rewind(asleep);
        change(world, stack[1]);
        EXPECT_TRUE(world.isAwake(stack[0]) && world.isAwake(stack[2])) << name;
        EXPECT_TRUE(areAsleep(world, other)) << name;
        // A fall of a metre leaves 4 mm of overlap, repaired at 2.5 per second: 1 s until less than 1 mm/s is left of it.
        run(world, 3);
        EXPECT_FALSE(world.isAwake(stack[2])) << name;
    }
    // What the floor is made of concerns all that stand on it; the host's number concerns nobody.
    world.rewind(asleep);
    world.setUserData(stack[1], 7);
    EXPECT_TRUE(areAsleep(world, stack));
    world.setMaterial(floor, {.friction = Real(0.1)});
    EXPECT_TRUE(areAwake(world, stack) && areAwake(world, other));
}

// What wakes untouched goes on resting: its contacts still know what they carry.
TEST(Sleep, WakingIsNoKick) {
    for (const Real step : {kStep, Real(1) / 60}) {  // also where steps have another length by then
        scenes::BoxScene scene = scenes::boxPile({}, 4, 2.8);
        const auto fastest = [&] {
            double speed = 0;
            for (const scenes::BoxRecord& box : scene.moving)
                speed = std::max(speed, speedOf(scene.world, box.id));
            return speed;
        };
        std::vector<double> speeds;  // of the last steps, in which it fell asleep
        while (scene.world.stats().awake > 0 && speeds.size() < 600) {
            scene.world.step(kStep);
            speeds.push_back(fastest());
        }
        ASSERT_LT(speeds.size(), 600u);
        const double before = *std::max_element(speeds.end() - 20, speeds.end());
        double energy = scene.world.stats().potentialEnergy, weight = 0;
        for (const scenes::BoxRecord& box : scene.moving)
            weight += double(scene.world.mass(box.id)) * scenes::kGravity;
        scene.world.setGravity(vec(0, -9.8099, 0));
        scene.world.setGravity(vec(0, -9.81, 0));
        ASSERT_EQ(scene.world.stats().awake, 64);
        for (int i = 0; i < 20; ++i) {
            scene.world.step(step);
            EXPECT_LT(fastest(), std::max(before, 1e-3));  // nothing that it did not have
            const WorldStats stats = scene.world.stats();
            EXPECT_LT(stats.kineticEnergy + stats.potentialEnergy, energy + 2e-5 * weight);  // what the energy guard lets pass
            energy = stats.kineticEnergy + stats.potentialEnergy;
        }
    }
}

// Something fixed that is put against a sleeper wakes it; something that is put beside it does not.
TEST(Sleep, NewNeighboursWakeByTouch) {
    World world;
    addFloor(world);
    const BodyId cube = addCube(world, vec(0, 0.5, 0));
    run(world, 2);
    world.addBody({.motion = Motion::Static, .position = vec(1.03, 0.5, 0)});
    addCube(world, vec(-1.01, 0.5, 0));
    run(world, 0.3);
    EXPECT_FALSE(world.isAwake(cube));
    const BodyId wall = world.addBody({.motion = Motion::Static, .position = vec(0, 0.5, 0.99)});
    run(world, 0.1);
    EXPECT_TRUE(world.isAwake(cube));
    run(world, 3);
    EXPECT_FALSE(world.isAwake(cube));
    world.removeBody(wall);
    EXPECT_TRUE(world.isAwake(cube));
}

}  // namespace
}  // namespace sunder
