// Closed forms for every joint: what it holds, what it leaves free, and what its motors, springs, limits and friction do.
#include "sunder/joints.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/joint_nets.h"
#include "sunder/world.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

constexpr double kGravity = 9.81, kPi = 3.14159265358979323846;

WorldDef weightless() {
    WorldDef def;
    def.gravity = {};
    return def;
}

double energyOf(const World& world) {
    const WorldStats stats = world.stats();
    return stats.kineticEnergy + stats.potentialEnergy + stats.elasticEnergy;
}

BodyId addBall(World& world, double x, double y, double z, double radius = 0.2, double mass = 1) {
    return world.addBody({.shape = Sphere{Real(radius)}, .position = {Real(x), Real(y), Real(z)}, .mass = Real(mass)});
}
BodyId addBox(World& world, double x, double y, double z) {
    return world.addBody(
        {.shape = Box{{Real(0.3), Real(0.2), Real(0.1)}}, .position = {Real(x), Real(y), Real(z)}, .mass = Real(2)});
}

class Joints : public AtRate {};
INSTANTIATE_TEST_SUITE_P(, Joints, testing::Values(30.0, 60.0, 240.0));

// 4 m and 0.2 m of radius from a right angle: T = 2 pi sqrt(I / (m g L)) times the factor 1.18034 of the elliptic integral.
TEST_P(Joints, PendulumKeepsItsEnergyAndPeriod) {
    World world;
    const BodyId ball = addBall(world, 4, 0, 0);
    const JointId joint = world.addJoint({.b = ball});
    const double before = energyOf(world), scale = kGravity * 4;
    double worstEnergy = 0, worstError = 0, lastX = 4, first = 0, last = 0;
    int periods = -1;
    for (int i = 0; i < int(60 * rate()); ++i) {
        world.step(dt());
        worstEnergy = std::max(worstEnergy, std::fabs(energyOf(world) - before) / scale);
        worstError = std::max(worstError, double(world.jointState(joint).error));
        const double x = world.position(ball).x;
        if (lastX < 0 && x >= 0) {
            last = (i + 1 - x / (x - lastX)) / rate();
            if (++periods == 0)
                first = last;
        }
        lastX = x;
    }
    EXPECT_LT(worstEnergy, 0.01);
    EXPECT_LT(worstError, 1e-3);
    const double inertia = 16 + 0.4 * 0.04;
    const double expected = 1.18034 * 2 * kPi * std::sqrt(inertia / (kGravity * 4));
    EXPECT_NEAR((last - first) / periods, expected, expected * 5e-4);
}

// The implicit step of the linear spring, substep by substep.
TEST_P(Joints, SliderSpringFollowsItsRecurrence) {
    const double m = 1, k = 300, d = 3, rest = 0.25;
    World world;
    const BodyId ball = addBall(world, 0, 0, 0, 0.2, m);
    const JointId joint = world.addJoint({.type = JointType::Slider,
                                          .b = ball,
                                          .axis = {0, 1, 0},
                                          .springStiffness = Real(k),
                                          .springDamping = Real(d),
                                          .springRest = Real(rest)});
    const int substeps = int(std::ceil(double(dt()) * double(FrameRateOptions{}.substepRate) - 0.01));
    const double h = double(dt()) / substeps;
    double x = 0, v = 0;
    for (int i = 0; i < int(rate()); ++i) {
        world.step(dt());
        for (int s = 0; s < substeps; ++s) {
            v = (v - h * kGravity - h * k / m * (x - rest)) / (1 + h * d / m + h * h * k / m);
            x += h * v;
        }
        EXPECT_NEAR(world.jointState(joint).position, x, 2e-5);  // a thousand substeps in float
        EXPECT_NEAR(world.position(ball).x, 0, 1e-6);
    }
}

TEST_P(Joints, DistanceHoldsAndSpringsByFrequencySwingWithIt) {
    World world(weightless());
    const BodyId a = addBall(world, 0, 0, 0), b = addBall(world, 1, 0, 0);
    const JointId held =
        world.addJoint({.type = JointType::Distance, .a = a, .b = b, .anchor = {0, 0, 0}, .anchorB = Vec3{1, 0, 0}});
    world.setVelocity(b, {0, 2, 0});
    run(world, 3);
    EXPECT_NEAR(world.jointState(held).position, 1, 1e-4);
    // A spin of 2 rad/s about the common centre: m w^2 r = 1 * 4 * 0.5.
    const Vec3 force = world.jointState(held).force;
    EXPECT_NEAR(std::sqrt(force.x * force.x + force.y * force.y + force.z * force.z), 2, 0.02);

    World other(weightless());
    const BodyId c = addBall(other, 2, 0, 0);
    const JointId soft = other.addJoint({.type = JointType::Distance,
                                         .b = c,
                                         .anchor = {0, 0, 0},
                                         .anchorB = Vec3{2, 0, 0},
                                         .springFrequency = 1,
                                         .springRest = Real(1.5)});
    run(other, 0.5);                                        // half a period: the other end of the swing
    EXPECT_NEAR(other.jointState(soft).position, 1, 0.02);  // what the implicit substeps damp: pi^2 h
}

// Springs by frequency had the stiffness that belongs to the body as it lies at the moment: on a long arm it changed as the
// body turned, and the swing fed on that until the numbers ended.
TEST_P(Joints, SpringsByFrequencyOnALongArmGainNothing) {
    for (const JointType type : {JointType::Wheel, JointType::Ball, JointType::Fixed, JointType::Distance}) {
        World world(weightless());
        const BodyId box = addBox(world, 3, 0.5, -3);
        JointDef def{.type = type, .b = box, .anchor = {0, 0, 0}, .axis = {0, 1, 0}, .axle = {1, 0, 0}};
        if (type == JointType::Distance) {
            def.anchorB = Vec3{};
            def.springFrequency = 17;
        } else {
            def.frequency = 17;
        }
        world.addJoint(def);
        world.setVelocity(box, {3, 4, 5});
        world.setAngularVelocity(box, {7, -2, 3});
        const double before = world.stats().kineticEnergy;
        double most = 0;
        for (int i = 0; i < 10 * rate(); ++i) {
            world.step(Real(1) / Real(rate()));
            most = std::max(most, world.stats().kineticEnergy);
        }
        EXPECT_LT(most, 1.01 * before) << "type " << int(type);
    }
}

TEST_P(Joints, HingeTurnsOnlyAboutItsAxisAndReachesItsMotorsSpeed) {
    World world(weightless());
    const BodyId box = addBox(world, 0.5, 0, 0);
    const JointId hinge =
        world.addJoint({.type = JointType::Hinge, .b = box, .axis = {0, 0, 1}, .motorSpeed = 3, .motorStrength = 5});
    // I = m (0.3^2 + 0.2^2) / 3 + m 0.5^2 about the axis.
    const double inertia = 2 * (0.13 / 3 + 0.25);
    run(world, 0.1);
    EXPECT_NEAR(world.angularVelocity(box).z, 5 * 0.1 / inertia, 1e-3);
    run(world, 0.5);
    EXPECT_NEAR(world.angularVelocity(box).z, 3, 1e-3);
    EXPECT_LT(world.jointState(hinge).error, 1e-4);
    EXPECT_LT(world.jointState(hinge).angularError, 1e-4);
}

TEST_P(Joints, LimitsStopWithoutBouncing) {
    World world;
    const BodyId box = addBox(world, 0.5, 0, 0);
    const JointId hinge =
        world.addJoint({.type = JointType::Hinge, .b = box, .axis = {0, 0, 1}, .limits = Interval{Real(-0.5), Real(0.5)}});
    double lowest = 0;
    for (int i = 0; i < int(2 * rate()); ++i) {
        world.step(dt());
        lowest = std::min(lowest, double(world.jointState(hinge).angle));
    }
    EXPECT_GT(lowest, -0.505);
    EXPECT_NEAR(world.jointState(hinge).angle, -0.5, 2e-3);
    // It holds the box up: m g 0.5 cos(0.5).
    EXPECT_NEAR(world.jointState(hinge).torque.z, 2 * kGravity * 0.5 * std::cos(0.5), 0.05);
}

TEST_P(Joints, FrictionHoldsBelowItsStrengthAndSlowsAboveIt) {
    for (const double friction : {25.0, 10.0}) {
        World world;
        const BodyId box = addBox(world, 0, 0, 0);
        const JointId slider =
            world.addJoint({.type = JointType::Slider, .b = box, .axis = {0, 1, 0}, .friction = Real(friction)});
        run(world, 1);
        const double a = std::max(0.0, kGravity - friction / 2);
        EXPECT_NEAR(world.jointState(slider).position, -0.5 * a, 0.005 + 0.005 * a);
    }
}

TEST_P(Joints, FixedAndSixDofHoldWhatTheyShould) {
    World world;
    const BodyId fixed = addBox(world, 0.5, 0, 0), free = addBox(world, 5, 0, 0);
    const JointId weld = world.addJoint({.type = JointType::Fixed, .b = fixed});
    // Free along its x axis, within limits about its z axis.
    const JointId six = world.addJoint({.type = JointType::SixDof,
                                        .b = free,
                                        .anchor = {5, 0, 0},
                                        .axis = {1, 0, 0},
                                        .axle = {0, 1, 0},
                                        .freeAxes = kLockX,
                                        .angularLow = {0, 0, Real(-0.3)},
                                        .angularHigh = {0, 0, Real(0.3)}});
    world.setVelocity(free, {1, 0, 0});
    world.setAngularVelocity(free, {0, 0, 2});
    run(world, 1);
    EXPECT_NEAR(world.position(fixed).y, 0, 1e-4);
    EXPECT_LT(world.jointState(weld).angularError, 1e-4);
    // Force and torque of a cantilever.
    EXPECT_NEAR(world.jointState(weld).force.y, 2 * kGravity, 0.02);
    EXPECT_NEAR(world.jointState(weld).torque.z, 2 * kGravity * 0.5, 0.02);
    EXPECT_NEAR(world.position(free).x, 6, 2e-3);
    EXPECT_NEAR(world.position(free).y, 0, 1e-3);
    EXPECT_NEAR(world.jointState(six).angle, 0.3, 5e-3);
}

TEST_P(Joints, ConeTwistStaysInItsCone) {
    World world;
    const BodyId box = addBox(world, 0, -0.5, 0);
    const JointId joint = world.addJoint({.type = JointType::ConeTwist,
                                          .b = box,
                                          .axis = {0, 1, 0},
                                          .limits = Interval{Real(-0.4), Real(0.4)},
                                          .cone = Real(0.5)});
    world.setVelocity(box, {3, 0, 1});
    world.setAngularVelocity(box, {0, 6, 0});
    double swing = 0, twist = 0;
    for (int i = 0; i < int(2 * rate()); ++i) {
        world.step(dt());
        swing = std::max(swing, double(world.jointState(joint).swing));
        twist = std::max(twist, std::fabs(double(world.jointState(joint).angle)));
    }
    EXPECT_GT(swing, 0.45);
    EXPECT_LT(swing, 0.53);
    EXPECT_GT(twist, 0.35);
    EXPECT_LT(twist, 0.43);
}

TEST_P(Joints, WheelRollsOnItsSuspension) {
    World world;
    const BodyId car = world.addBody({.shape = Box{{1, Real(0.2), Real(0.5)}}, .position = {0, 1, 0}, .mass = Real(100)});
    const BodyId wheel = world.addBody({.shape = Sphere{Real(0.3)}, .position = {0, Real(0.5), 0}, .mass = Real(5)});
    world.setLockedAxes(car, kLockX | kLockY | kLockZ | kLockRx | kLockRy | kLockRz);
    const JointId joint = world.addJoint({.type = JointType::Wheel,
                                          .a = car,
                                          .b = wheel,
                                          .anchor = {0, Real(0.5), 0},
                                          .axis = {0, 1, 0},
                                          .axle = {0, 0, 1},
                                          .springStiffness = 500,
                                          .springDamping = 100,
                                          .motorSpeed = 4,
                                          .motorStrength = 10});
    run(world, 3);
    EXPECT_NEAR(world.jointState(joint).position, -5 * kGravity / 500, 1e-3);
    EXPECT_NEAR(world.angularVelocity(wheel).z, 4, 1e-2);
    EXPECT_LT(world.jointState(joint).angularError, 1e-3);
}

// Joints alone change no momentum. A tumbling tree of every kind, without gravity; 1e-5 of the sums of absolute values.
TEST_P(Joints, KeepMomentum) {
    World world(weightless());
    const BodyId root = addBox(world, 0, 0, 0);
    world.setFilter(root, 1, 0);
    const JointType types[] = {JointType::Ball, JointType::Hinge, JointType::Slider, JointType::Fixed, JointType::ConeTwist};
    BodyId last = root;
    double x = 0;
    for (const JointType type : types) {
        x += 1;
        const BodyId next = addBox(world, x, 0.1 * x, 0);
        world.setFilter(next, 1, 0);  // joints alone: no contacts
        JointDef joint{.type = type, .a = last, .b = next, .anchor = {Real(x - 0.5), 0, 0}, .axis = {0, 0, 1}};
        if (type == JointType::ConeTwist)
            joint.cone = Real(0.4);
        world.addJoint(joint);
        last = next;
    }
    world.setVelocity(last, {0, 3, 1});
    world.setAngularVelocity(root, {1, 2, 3});
    const WorldStats before = world.stats();
    run(world, 3);
    const WorldStats after = world.stats();
    const double linear = 2 * 3.2, angular = 2 * 3.2 * 5;
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(after.linearMomentum[i], before.linearMomentum[i], 1e-5 * linear);
        EXPECT_NEAR(after.angularMomentum[i], before.angularMomentum[i], 1e-5 * angular);
    }
}

// Bar: 1000:1 on 20 links stretches by less than 1 %, and hangs still.
TEST(JointChain, HoldsAThousandTimesALink) {
    scenes::JointScene scene = scenes::chainWithWeight({}, 20, 1000);
    double worst = 0;
    scenes::Jitter jitter;
    for (int i = 0; i < 300; ++i) {
        scene.world.step(Real(1) / 60);
        worst = std::max(worst, scene.worstError());
        if (i >= 240)
            jitter.add(scene);
    }
    EXPECT_LT(20 * worst, 0.01 * 6);
    EXPECT_LT(jitter.worst(), 1e-3);
    for (const BodyId body : scene.bodies)
        EXPECT_LT(std::fabs(scene.world.position(body).x), 1e-3);
    EXPECT_NEAR(scene.world.jointState(scene.joints[0]).force.y, 1020 * kGravity, 1020 * kGravity * 1e-3);
}

// Swung up to 43 degrees the tension comes and goes with every swing, and with it what light links are raised by. It must not
// feed their vibration: a chain that stretched along with that flew apart after 7 s.
TEST(JointChain, SwingsWithoutGainingEnergy) {
    for (const double weight : {1000.0, 3000.0, 10000.0}) {
        scenes::JointScene scene = scenes::chainWithWeight({}, 20, weight);
        scenes::swing(scene, 1);
        const auto energy = [&] { return scene.world.stats().kineticEnergy + scene.world.stats().potentialEnergy; };
        scene.world.step(Real(1) / 60);
        const double before = energy(), scale = weight * kGravity * 6.5;
        double worst = 0, gain = 0, loss = 0;
        for (int i = 0; i < 900; ++i) {
            scene.world.step(Real(1) / 60);
            worst = std::max(worst, scene.worstError());
            gain = std::max(gain, energy() - before);
            loss = std::max(loss, before - energy());
        }
        EXPECT_LT(20 * worst, 0.01 * 6) << weight;
        EXPECT_LT(gain, 1e-3 * scale) << weight;
        EXPECT_LT(loss, 2e-2 * scale) << weight;
    }
}

// Bar: a cart of 200 planks' weight on a bridge of 60; joints open by less than 5 mm.
TEST(JointBridge, CarriesTheCart) {
    scenes::JointScene scene = scenes::bridgeWithCart({}, 60, 200);
    double worst = 0;
    for (int i = 0; i < 300; ++i) {
        scene.world.step(Real(1) / 60);
        worst = std::max(worst, scene.worstError());
    }
    EXPECT_LT(worst, 5e-3);
    const Vec3 cart = scene.world.position(scene.bodies[60]);
    EXPECT_GT(cart.x, -12);  // on its way
    EXPECT_GT(cart.y, -1.5);
}

// A net too large to be solved at once hangs together as well.
TEST(JointGrid, SweptNetHolds) {
    scenes::JointScene scene = scenes::jointGrid({}, 30);
    for (int i = 0; i < 60; ++i)
        scene.world.step(Real(1) / 60);
    EXPECT_LT(scene.worstError(), 0.1);
    EXPECT_LT(std::fabs(energyOf(scene.world)), 900 * kGravity * 30);
}

// Knots are light bodies between great forces: with their own inertia those of larger nets, which are solved joint by joint,
// swing faster than substeps can follow, and the whole net left the world.
TEST_P(Joints, NetsBearWhatFallsIntoThem) {
    for (const double size : {0.1, 1.0})
        for (const double ratio : {1.0, 50.0, 1000.0}) {
            SCOPED_TRACE(testing::Message() << "size " << size << ", ratio " << ratio);
            scenes::JointScene net = scenes::netWithBalls({}, 14, size, ratio);
            const double before = energyOf(net.world);
            for (int i = 0; i < int(2 * rate()); ++i) {
                net.world.step(dt());
                ASSERT_TRUE(net.world.errorEvents().empty());
                ASSERT_LT(energyOf(net.world), before + 1e-3 * std::fabs(before));
                if (ratio < 100) {
                    ASSERT_LT(net.worstError(), 0.125 * size);  // half of the distance of two knots
                }
            }
        }
}

}  // namespace
}  // namespace sunder
