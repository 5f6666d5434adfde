// Limits of angles: they hold however far the other angles go, past half a turn too, and what they do adds no energy.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "math/quat.h"
#include "scenes/joint_nets.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

using scenes::vec;

constexpr double kPi = 3.14159265358979323846;

WorldDef weightless() {
    WorldDef def;
    def.gravity = {};
    def.sleeping = false;
    return def;
}

double energyOf(const World& world) { return world.stats().kineticEnergy + world.stats().potentialEnergy; }

Vec3 anyVector(core::Random& random, double half) {
    const double x = random.between(-half, half), y = random.between(-half, half), z = random.between(-half, half);
    return vec(x, y, z);
}

class JointLimits : public AtRate {};
INSTANTIATE_TEST_SUITE_P(, JointLimits, testing::Values(30.0, 60.0, 240.0));

// The most energy that a body gains in a step as it tumbles within the joint, of what it begins with.
double mostGained(JointDef joint, std::uint64_t seed, double rate) {
    core::Random random(seed);
    World world(weightless());
    joint.b = world.addBody({.shape = Box{vec(0.3, 0.2, 0.1)}, .angularVelocity = anyVector(random, 8), .mass = Real(2)});
    world.addJoint(joint);
    const double start = energyOf(world);
    double before = start, most = 0;
    for (int i = 0; i < int(2 * rate); ++i) {
        world.step(Real(1 / rate));
        const double now = energyOf(world);
        most = std::fmax(most, (now - before) / start);
        before = now;
    }
    return most;
}

// Past a swing of half a turn the twist may be anywhere, and is beyond its limits from one substep to the next.
TEST_P(JointLimits, OfATwistAddNoEnergyPastHalfATurn) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        core::Random random(seed + 100);
        const Real low = Real(random.between(-1, 0)), high = Real(random.between(0.1, 1));
        EXPECT_LT(mostGained({.type = JointType::ConeTwist, .axis = anyVector(random, 1), .limits = Interval{low, high}}, seed,
                             rate()),
                  1e-3)
            << seed;
    }
}

// Past half a turn the rotation vector is another; each axis is free, limited or held.
TEST_P(JointLimits, OfASixDofAddNoEnergyPastHalfATurn) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        core::Random random(seed + 200);
        JointDef joint{.type = JointType::SixDof, .axis = anyVector(random, 1), .axle = anyVector(random, 1)};
        joint.freeAxes = std::uint8_t(8 * random.below(8));
        const Vec3 low = anyVector(random, 1), high = anyVector(random, 1);
        joint.angularLow = {std::fmin(low.x, Real(0)), std::fmin(low.y, Real(0)), 0};
        joint.angularHigh = {std::fmax(high.x, Real(0)), std::fmax(high.y, Real(0)), 0};
        EXPECT_LT(mostGained(joint, seed, rate()), 1e-3) << seed;
    }
}

// A box turns by itself about the world's y axis, across the joint's: nothing twists it, and no limit is met.
TEST_P(JointLimits, LetASwingPassHalfATurn) {
    for (const Real cone : {Real(0), Real(kPi)}) {
        World world(weightless());
        const BodyId box = world.addBody({.shape = Box{vec(0.3, 0.2, 0.1)}, .angularVelocity = vec(0, 5, 0), .mass = Real(2)});
        JointDef joint{.type = JointType::ConeTwist, .b = box, .axis = vec(1, 0, 0), .limits = Interval{Real(-0.5), Real(0.2)}};
        if (cone > 0)
            joint.cone = cone;
        world.addJoint(joint);
        run(world, 2);
        EXPECT_NEAR(world.angularVelocity(box).y, 5, 1e-3) << cone;
    }
}

// Exactly there the twist has no meaning, and nothing stops what begins there.
TEST_P(JointLimits, OfATwistAreNoneAtHalfATurn) {
    World world(weightless());
    const BodyId ball = world.addBody({.shape = Sphere{Real(0.3)}, .mass = Real(2)});
    world.addJoint({.type = JointType::ConeTwist, .b = ball, .axis = vec(1, 0, 0), .limits = Interval{Real(-0.5), Real(0.2)}});
    world.setPose(ball, vec(0, 0, 0), {0, 1, 0, 0});
    world.setAngularVelocity(ball, vec(3, 5, 0));
    world.step(dt());
    EXPECT_NEAR(world.angularVelocity(ball).x, 3, 1e-3);
    EXPECT_NEAR(world.angularVelocity(ball).y, 5, 1e-3);
}

// A shoulder: the arm is swung by an angle, then twisted outwards by a torque on either side.
TEST_P(JointLimits, OfATwistHoldAtGreatSwings) {
    for (const double degrees : {0.0, 60.0, 120.0, 150.0, 165.0})
        for (const double side : {1.0, -1.0}) {
            World world(weightless());
            const BodyId arm = world.addBody({.shape = Capsule{Real(0.1), Real(0.3)}, .mass = Real(3)});
            const JointId joint = world.addJoint({.type = JointType::ConeTwist,
                                                  .b = arm,
                                                  .axis = vec(0, 1, 0),
                                                  .limits = Interval{Real(-0.6), Real(0.4)},
                                                  .cone = Real(170 * kPi / 180)});
            const double swing = degrees * kPi / 180;
            world.setPose(arm, vec(0, 0, 0), {Real(std::sin(swing / 2)), 0, 0, Real(std::cos(swing / 2))});
            world.setDamping(arm, 0, 5);
            for (int i = 0; i < int(2 * rate()); ++i) {
                const Vec3 axis = rotate(world.orientation(arm), vec(0, 1, 0));
                world.addTorque(arm, normalizeOr(axis + vec(0, 1, 0), axis) * Real(side));
                world.step(dt());
                EXPECT_LT(world.jointState(joint).angle, 0.41) << degrees;
                EXPECT_GT(world.jointState(joint).angle, -0.61) << degrees;
            }
            EXPECT_NEAR(world.jointState(joint).angle, side > 0 ? 0.4 : -0.6, 2e-3) << degrees;
        }
}

// A motor presses a box against a limit at half a turn, on either side: an angle of pi and a little more is -pi and a little
// more, beyond the other limit by far.
TEST_P(JointLimits, OfAHingeHoldAtHalfATurn) {
    for (const double side : {1.0, -1.0}) {
        World world(weightless());
        const BodyId box = world.addBody({.shape = Box{vec(0.3, 0.2, 0.1)}, .mass = Real(2)});
        const Interval limits = side > 0 ? Interval{0, Real(kPi)} : Interval{Real(-kPi), 0};
        const JointId hinge = world.addJoint({.type = JointType::Hinge,
                                              .b = box,
                                              .axis = vec(0, 0, 1),
                                              .limits = limits,
                                              .motorSpeed = Real(4 * side),
                                              .motorStrength = 20});
        for (int i = 0; i < int(4 * rate()); ++i) {
            world.step(dt());
            ASSERT_LT(length(world.angularVelocity(box)), 4.01) << i;
        }
        EXPECT_NEAR(std::fabs(world.jointState(hinge).angle), kPi, 1e-3) << side;
        EXPECT_LT(length(world.angularVelocity(box)), 1e-3) << side;
    }
}

// A spring that rests near half a turn swings to both sides of it: from 2.6 to 3.4 rad.
TEST_P(JointLimits, AHingesSpringRestsNearHalfATurn) {
    World world(weightless());
    const BodyId box = world.addBody({.shape = Box{vec(0.3, 0.2, 0.1)}, .mass = Real(2)});
    const JointId hinge =
        world.addJoint({.type = JointType::Hinge, .b = box, .axis = vec(0, 0, 1), .springFrequency = 1, .springRest = 3});
    world.setPose(box, vec(0, 0, 0), {0, 0, Real(std::sin(1.3)), Real(std::cos(1.3))});
    double most = 0;
    for (int i = 0; i < int(2 * rate()); ++i) {
        world.step(dt());
        most = std::fmax(most, std::fabs(std::remainder(world.jointState(hinge).angle - 3, 2 * kPi)));
    }
    EXPECT_GT(most, 0.35);
    EXPECT_LT(most, 0.405);
}

// Turned by some angle about an axis that is free, it is pressed against the limit of another.
TEST_P(JointLimits, OfASixDofHoldAtGreatTurns) {
    for (const double turn : {0.0, 1.0, 2.0, 2.8}) {
        World world(weightless());
        const BodyId box = world.addBody({.shape = Box{vec(0.3, 0.2, 0.1)}, .mass = Real(2)});
        world.addJoint({.type = JointType::SixDof,
                        .b = box,
                        .axis = vec(1, 0, 0),
                        .axle = vec(0, 1, 0),
                        .freeAxes = kLockRz,
                        .angularLow = vec(-0.1, 0, 0),
                        .angularHigh = vec(0.9, 0, 0)});
        world.setPose(box, vec(0, 0, 0), {0, 0, Real(std::sin(turn / 2)), Real(std::cos(turn / 2))});
        world.setDamping(box, 0, 5);
        Vec3 now;
        for (int i = 0; i < int(rate()); ++i) {
            world.addTorque(box, vec(-0.5 * std::cos(turn / 2), -0.5 * std::sin(turn / 2), 0));
            world.step(dt());
            now = rotationVectorBetween({}, world.orientation(box));
            ASSERT_GT(now.x, -0.103) << turn << ", step " << i;
            ASSERT_NEAR(now.y, 0, 3e-3) << turn << ", step " << i;
        }
        EXPECT_NEAR(now.x, -0.1, 2e-3) << turn;
    }
}

// A six_dof that is free about one axis alone is a hinge: it may turn and turn.
TEST_P(JointLimits, ASixDofTurnsAsAHinge) {
    World world(weightless());
    const BodyId box = world.addBody({.shape = Box{vec(0.3, 0.2, 0.1)}, .angularVelocity = vec(4, 0, 0), .mass = Real(2)});
    world.addJoint({.type = JointType::SixDof, .b = box, .axis = vec(1, 0, 0), .axle = vec(0, 1, 0), .freeAxes = kLockRx});
    for (int i = 0; i < int(5 * rate()); ++i) {
        world.addTorque(box, vec(0, 0.5, 0.3));
        world.step(dt());
        const Vec3 axis = rotate(world.orientation(box), vec(1, 0, 0));
        ASSERT_GT(axis.x, 1 - 1e-5) << i;
        ASSERT_NEAR(world.angularVelocity(box).x, 4, 1e-2) << i;
    }
}

}  // namespace
}  // namespace sunder
