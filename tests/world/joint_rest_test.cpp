// Joints that have nothing to do: a motor without load, a chain that hangs still, joints of sleepers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/vec3.h"
#include "scenes/joint_nets.h"

namespace sunder {
namespace {

using scenes::vec;

// A box on a hinge at constant speed: no torque acts. What its motor reports in single steps is the rounding of the box's
// place: an anchor off by r eps is brought back within one substep h, by the impulse m r eps / h. The mean over a second has
// none of it. The chord's fourth order, theta^4 / 24 of the speed for a turn of theta per substep, is far less.
TEST(JointRest, AMotorWithoutLoadPullsByRoundingAlone) {
    const double mass = 2, radius = 0.5, speed = 3;
    for (const int rate : {60, 240}) {
        WorldDef def;
        def.gravity = {};
        World world(def);
        const BodyId box =
            world.addBody({.shape = Box{{Real(0.3), Real(0.2), Real(0.1)}}, .position = vec(radius, 0, 0), .mass = Real(mass)});
        const JointId hinge = world.addJoint(
            {.type = JointType::Hinge, .b = box, .axis = {0, 0, 1}, .motorSpeed = Real(speed), .motorStrength = 5});
        for (int i = 0; i < 2 * rate; ++i)
            world.step(Real(1) / Real(rate));
        double sum = 0, squares = 0;
        for (int i = 0; i < rate; ++i) {
            world.step(Real(1) / Real(rate));
            const double torque = world.jointState(hinge).torque.z;
            sum += torque / rate;
            squares += torque * torque / rate;
        }
        const double substep = 1 / std::ceil(double(FrameRateOptions{}.substepRate) / rate) / rate, turn = speed * substep;
        const double rounding = mass * radius * radius * double(kEpsilon) / substep * rate;
        const double chord = mass * radius * radius * speed * std::pow(turn, 4) / 24 / substep;
        EXPECT_LT(std::sqrt(squares), 4 * rounding + 50 * chord) << rate;  // in double the chord is all that is left
        EXPECT_LT(std::fabs(sum), 0.2 * rounding + 10 * chord) << rate;
        EXPECT_NEAR(double(world.angularVelocity(box).z), speed, 1e-5);
    }
}

// 20 links of 1 kg and a tonne below them: over a second nothing moves by more than a micrometre about its mean.
TEST(JointRest, AChainWithAWeightHangsWithoutJitter) {
    WorldDef def;
    def.sleeping = false;
    scenes::JointScene scene = scenes::chainWithWeight(def, 20, 1000);
    constexpr int kRate = 60;
    for (int i = 0; i < 4 * kRate; ++i)
        scene.world.step(Real(1) / kRate);
    std::vector<double> sums(3 * scene.bodies.size()), squares(sums.size());
    const auto componentsOf = [&](BodyId body) {
        const Vec3 p = scene.world.position(body);
        return std::array<double, 3>{double(p.x), double(p.y), double(p.z)};
    };
    std::vector<std::array<double, 3>> first;
    for (const BodyId body : scene.bodies)
        first.push_back(componentsOf(body));
    for (int i = 0; i < kRate; ++i) {
        scene.world.step(Real(1) / kRate);
        for (std::size_t b = 0; b < scene.bodies.size(); ++b)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double d = componentsOf(scene.bodies[b])[axis] - first[b][axis];
                sums[3 * b + axis] += d / kRate;
                squares[3 * b + axis] += d * d / kRate;
            }
    }
    double worst = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
        worst = std::fmax(worst, std::sqrt(std::fmax(0, squares[i] - sums[i] * sums[i])));
    EXPECT_LT(worst, 1e-5);  // the bar is 1 mm
    EXPECT_LT(scene.worstError(), 1e-4);
}

// Chains that hang from a static hook and sleep. Their joints are not looked at until something wakes them.
struct Hanging {
    World world;
    BodyId hook;
    std::vector<BodyId> links;

    Hanging() {
        hook = world.addBody({.shape = Sphere{Real(0.1)}, .motion = Motion::Static});
        BodyId last = hook;
        for (int i = 0; i < 3; ++i) {
            links.push_back(
                world.addBody({.shape = Sphere{Real(0.1)}, .position = vec(0, -0.3 * (i + 1), 0), .mass = Real(1)}));
            world.addJoint({.a = last, .b = links.back(), .anchor = vec(0, -0.3 * (i + 0.5), 0)});
            last = links.back();
        }
        step(120);
    }
    void step(int count) {
        for (int i = 0; i < count; ++i)
            world.step(Real(1) / 60);
    }
};

TEST(JointRest, SleepersWakeWhenTheirHookBeginsToMove) {
    Hanging scene;
    for (const BodyId link : scene.links)
        ASSERT_FALSE(scene.world.isAwake(link));
    scene.world.setMotion(scene.hook, Motion::Kinematic);
    scene.world.setVelocity(scene.hook, vec(1, 0, 0));
    scene.step(30);
    EXPECT_TRUE(scene.world.isAwake(scene.links[0]));
    EXPECT_GT(scene.world.position(scene.links[0]).x, Real(0.3));
    for (const JointId joint : scene.world.joints())
        EXPECT_LT(scene.world.jointState(joint).error, Real(1e-3));
}

double largestError(const World& world) {
    double largest = 0;
    for (const JointId joint : world.joints())
        largest = std::max(largest, double(world.jointState(joint).error));
    return largest;
}

// However a hook is set going, what hangs on it goes along in the same step: no joint opens. The hook is kinematic and at rest
// for long before.
TEST(JointRest, SleepersGoAlongInTheStepInWhichTheirHookStarts) {
    constexpr Real kLongStep = Real(1) / 30;
    const auto expectGoesAlong = [&](const char* how, const auto& start) {
        SCOPED_TRACE(how);
        Hanging scene;
        scene.world.setMotion(scene.hook, Motion::Kinematic);
        scene.step(120);
        for (const BodyId link : scene.links)
            ASSERT_FALSE(scene.world.isAwake(link));
        start(scene.world, scene.hook);
        scene.world.step(kLongStep);
        EXPECT_GT(length(scene.world.position(scene.hook)) + length(scene.world.angularVelocity(scene.hook)), Real(0.09));
        EXPECT_LT(largestError(scene.world), 1e-3);
        EXPECT_TRUE(scene.world.isAwake(scene.links.back()));
    };
    expectGoesAlong("velocity", [](World& world, BodyId hook) { world.setVelocity(hook, vec(3, 0, 0)); });
    expectGoesAlong("upwards", [](World& world, BodyId hook) { world.setVelocity(hook, vec(0, 3, 0)); });
    expectGoesAlong("turning", [](World& world, BodyId hook) { world.setAngularVelocity(hook, vec(0, 0, 10)); });
    expectGoesAlong("target", [](World& world, BodyId hook) { world.moveTo(hook, vec(0.1, 0, 0), {}); });
}

// A hook that is put elsewhere leaves nobody asleep on an open joint.
TEST(JointRest, SleepersWakeWhenTheirHookIsPutElsewhere) {
    for (const Motion motion : {Motion::Static, Motion::Kinematic}) {
        Hanging scene;
        scene.world.setMotion(scene.hook, motion);
        scene.step(120);
        ASSERT_FALSE(scene.world.isAwake(scene.links[0]));
        scene.world.setPose(scene.hook, vec(0.2, 0, 0), {});
        EXPECT_TRUE(scene.world.isAwake(scene.links[0]));
        scene.step(120);
        EXPECT_LT(largestError(scene.world), 1e-2);
    }
}

TEST(JointRest, SleepersWakeWithTheirJointsWhenStruckChangedOrJoined) {
    {
        Hanging scene;
        scene.world.addImpulse(scene.links[1], vec(0.5, 0, 0));
        scene.step(20);
        for (const JointId joint : scene.world.joints())
            EXPECT_LT(scene.world.jointState(joint).error, Real(1e-3));
        EXPECT_TRUE(scene.world.isAwake(scene.links[2]));
    }
    {
        Hanging scene;
        scene.world.removeJoint(scene.world.joints()[1]);
        scene.step(30);
        EXPECT_LT(scene.world.position(scene.links[2]).y, Real(-1.5));  // it fell, with the one above it
        EXPECT_NEAR(scene.world.position(scene.links[0]).y, -0.3, 1e-3);
    }
    {
        Hanging scene;
        const BodyId ball = scene.world.addBody({.shape = Sphere{Real(0.1)}, .position = vec(0, -1.2, 0), .mass = Real(1)});
        scene.world.addJoint({.a = scene.links[2], .b = ball, .anchor = vec(0, -1.05, 0)});
        scene.step(30);
        EXPECT_NEAR(scene.world.position(ball).y, -1.2, 0.01);
    }
}

TEST(JointRest, SleepersWakeTheSameAfterRestore) {
    Hanging scene;
    World restored;
    restored.restore(scene.world.snapshot());
    for (World* world : {&scene.world, &restored}) {
        world->addImpulse(scene.links[0], vec(0.3, 0, 0));
        for (int i = 0; i < 30; ++i)
            world->step(Real(1) / 60);
    }
    EXPECT_EQ(restored.hash(), scene.world.hash());
}

// A hinge that pulls along an axis that is locked, by 0.4 m: it could only move its anchor by turning the body about a short
// arm. It bears nothing there, and the other directions are held.
TEST(JointRest, ALockedAxisIsNotPulledAt) {
    WorldDef def;
    def.gravity = {};
    World world(def);
    const BodyId box = world.addBody({.shape = Box{{Real(0.3), Real(0.2), Real(0.1)}}, .mass = Real(2), .lockedAxes = kLockX});
    const JointId hinge = world.addJoint({.type = JointType::Hinge,
                                          .b = box,
                                          .anchor = vec(0.4, 0.1, 0.1),
                                          .anchorB = vec(0.001, 0.002, 0),
                                          .axis = {Real(0.5), -1, 0}});
    for (int i = 0; i < 120; ++i) {
        world.step(Real(1) / 60);
        ASSERT_TRUE(world.errorEvents().empty()) << i;
        ASSERT_LT(length(world.angularVelocity(box)), 10) << i;
    }
    EXPECT_EQ(world.position(box).x, 0);
    EXPECT_NEAR(world.position(box).y, 0.098, 2e-3);
    EXPECT_NEAR(world.position(box).z, 0.1, 2e-3);
    EXPECT_NEAR(world.jointState(hinge).error, 0.399, 2e-3);
}

}  // namespace
}  // namespace sunder
