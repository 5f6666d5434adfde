// Joints that cannot be met: rows that contradict each other, locked axes, arms out of all proportion. Bodies stay where
// numbers are, forces stay in proportion to the masses, and nothing grows from step to step.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/vec3.h"
#include "scenes/joint_nets.h"

namespace sunder {
namespace {

using scenes::vec;

WorldDef weightless() {
    WorldDef def;
    def.gravity = {};
    def.sleeping = false;
    return def;
}

// A body that moves along x alone, on a slider at an angle to all axes: its two rows ask for two speeds of the one direction.
TEST(JointContradictions, ABodyOnOneAxisOnASkewSlider) {
    World world(weightless());
    const BodyId box = world.addBody(
        {.shape = Box{vec(0.2, 0.2, 0.2)}, .mass = Real(300), .lockedAxes = kLockY | kLockZ | kLockRx | kLockRy | kLockRz});
    const JointId slider = world.addJoint({.type = JointType::Slider,
                                           .b = box,
                                           .anchor = vec(0.5, 0.4, 0.9),
                                           .anchorB = vec(0, 0, 0),
                                           .axis = vec(-0.67, 0.43, 0.6)});
    Real early = 0, late = 0;
    for (int i = 0; i < 200; ++i) {
        world.step(Real(1) / 30);
        ASSERT_TRUE(world.errorEvents().empty()) << i;
        ASSERT_LT(length(world.velocity(box)), 10) << i;
        Real& most = i < 20 ? early : late;
        most = std::max(most, length(world.jointState(slider).force));
    }
    EXPECT_LE(late, 2 * early);
    EXPECT_LT(late, 300 * 1e6);  // N: 1e6 m/s^2 of its mass
}

// Two fixed joints hold one body in two places, 0.6 m apart. It ends up between them. Each pulls as a row does that is repaired
// with at most 3 m/s and yields by 4e-5 of what the body answers per impulse (kYield in
// dynamics/joints/direct/direct_group.cpp).
TEST(JointContradictions, TwoPlacesAtOnce) {
    World world(weightless());
    const BodyId box = world.addBody({.shape = Box{vec(0.2, 0.1, 0.15)}, .mass = Real(5)});
    const JointId left =
        world.addJoint({.type = JointType::Fixed, .b = box, .anchor = vec(-0.3, 0, 0), .anchorB = vec(0, 0, 0)});
    world.addJoint({.type = JointType::Fixed, .b = box, .anchor = vec(0.3, 0.02, 0), .anchorB = vec(0, 0, 0)});
    Real early = 0, late = 0;
    for (int i = 0; i < 200; ++i) {
        world.step(Real(1) / 60);
        ASSERT_TRUE(world.errorEvents().empty()) << i;
        ASSERT_LT(length(world.velocity(box)), 4) << i;  // the fastest repair is 3 m/s
        ASSERT_LT(length(world.angularVelocity(box)), 4) << i;
        Real& most = i < 20 ? early : late;
        most = std::max(most, length(world.jointState(left).force));
    }
    EXPECT_NEAR(world.position(box).x, 0, 1e-2);
    EXPECT_NEAR(world.position(box).y, 0.01, 0.011);
    EXPECT_LE(late, 2 * early);
    const double alongOne = 3 * 5 / 4e-5 * 780;  // N: speed times mass, over the yield and a substep
    EXPECT_LT(early, std::sqrt(3.0) * alongOne);
}

// A rope to something that moves down, on a body that cannot: it can only be met by a motion across it, which at a right angle
// would have to be infinitely fast.
TEST(JointContradictions, ARopeAlongALockedAxisYields) {
    World world(weightless());
    const BodyId body = world.addBody({.shape = Sphere{Real(0.2)}, .mass = Real(300), .lockedAxes = kLockY});
    const BodyId winch = world.addBody({.shape = Sphere{Real(0.1)},
                                        .motion = Motion::Kinematic,
                                        .position = vec(0.05, -1, 0.01),
                                        .velocity = vec(0, -0.85, 0)});
    world.addJoint({.type = JointType::Distance,
                    .a = body,
                    .b = winch,
                    .anchor = vec(0.005, 0, 0.002),
                    .anchorB = vec(0.05, -1, 0.01),
                    .limits = Interval{0, Real(0.9)}});
    for (int i = 0; i < 120; ++i) {
        world.step(Real(1) / 60);
        ASSERT_LT(length(world.velocity(body)), 5) << i;
        ASSERT_LT(length(world.angularVelocity(body)), 0.85 / 0.0054) << i;  // which met it by turning its arm of 5.4 mm
    }
}

// A ball joint 27 m from a body's centre. A spin of 100 rad/s turns that arm by w h = 0.13 per substep, and its anchor's way
// bends by 170 m/s; no energy comes of it. Of 2000 rad/s (w h = 2.6) h w^2 r / 2 would be 7e4 m/s, and more with each substep;
// nothing is resolved there, but it stays finite.
TEST(JointContradictions, LongArmsThatSpinDoNotFeedTheirSpin) {
    for (const double spin : {100.0, 2000.0}) {
        World world(weightless());
        const BodyId body = world.addBody(
            {.shape = Box{vec(0.3, 0.2, 0.25)}, .angularVelocity = vec(0.1 * spin, spin, -0.2 * spin), .mass = Real(100)});
        const BodyId other = world.addBody({.shape = Sphere{Real(0.3)}, .position = vec(27, 3, 1), .mass = Real(300)});
        world.addJoint({.type = JointType::Ball, .a = body, .b = other, .anchor = vec(27, 3, 1)});
        const double before = world.stats().kineticEnergy;
        for (int i = 0; i < 240; ++i) {
            world.step(Real(1) / 60);
            ASSERT_TRUE(world.errorEvents().empty()) << spin << " rad/s, step " << i;
            if (spin < 1000) {
                ASSERT_LT(world.stats().kineticEnergy, 1.01 * before) << i;
            }
        }
    }
}

// Bodies that pass at the end of a rod of no length: the direction between them is anything.
TEST(JointContradictions, ARodOfNoLengthHolds) {
    World world(weightless());
    const BodyId a = world.addBody({.shape = Sphere{Real(0.2)}, .velocity = vec(5, 1, 0), .mass = Real(2)});
    const BodyId b = world.addBody({.shape = Sphere{Real(0.2)}, .velocity = vec(-4, 0, 2), .mass = Real(3)});
    world.addJoint({.type = JointType::Distance, .a = a, .b = b, .anchor = vec(0, 0, 0), .anchorB = vec(1e-6, 0, 0)});
    const double before = world.stats().kineticEnergy;
    for (int i = 0; i < 240; ++i) {
        world.step(Real(1) / 60);
        ASSERT_LT(world.stats().kineticEnergy, 1.01 * before) << i;
    }
    EXPECT_LT(length(world.position(a) - world.position(b)), 0.1);
}

// Beyond its limit a slider's spring brings a box back faster than the limit asks for: the limit lets go of it within the
// solve, and the motor is in its place. It moves as without the limit, but for what the motor can do in a step, 3 m/s either
// way.
TEST(JointContradictions, ASpringOutrunsTheLimitAndTheMotor) {
    World world(weightless());
    BodyId boxes[2];
    for (int i = 0; i < 2; ++i) {
        boxes[i] = world.addBody({.shape = Box{vec(0.2, 0.1, 0.15)}, .position = vec(4, 3.0 * i, 0), .mass = Real(5)});
        JointDef slider{.type = JointType::Slider,
                        .b = boxes[i],
                        .anchor = vec(0, 3.0 * i, 0),
                        .anchorB = vec(4, 3.0 * i, 0),
                        .axis = vec(1, 0, 0),
                        .springFrequency = 18,
                        .motorSpeed = Real(-2),
                        .motorStrength = 9000};
        if (i == 1)
            slider.limits = Interval{-1, 1};
        world.addJoint(slider);
    }
    world.step(Real(1) / 600);
    EXPECT_NEAR(world.velocity(boxes[1]).x, world.velocity(boxes[0]).x, 6);
    EXPECT_LT(world.velocity(boxes[1]).x, -20);  // the limit alone would ask for 3 m/s
}

// A body on a joint whose numbers cease to be finite is taken out; what it hung on goes on (and falls asleep or not by itself).
TEST(JointContradictions, ALostBodyLeavesItsJointsAlone) {
    World world;
    const BodyId lost = world.addBody({.shape = Sphere{Real(0.2)}, .mass = Real(1)});
    world.addJoint({.type = JointType::Ball, .b = lost, .anchor = vec(0, 1, 0)});
    const BodyId stays = world.addBody({.shape = Sphere{Real(0.2)}, .position = vec(5, 0, 0), .mass = Real(1)});
    world.step(Real(1) / 60);
    const Real most = std::numeric_limits<Real>::max();
    world.addForce(lost, {most, 0, 0});
    world.addForce(lost, {most, 0, 0});
    world.step(Real(1) / 60);
    ASSERT_EQ(world.errorEvents().size(), 1u);
    for (int i = 0; i < 120; ++i)
        world.step(Real(1) / 60);
    EXPECT_TRUE(std::isfinite(world.position(stays).y));
}

}  // namespace
}  // namespace sunder
