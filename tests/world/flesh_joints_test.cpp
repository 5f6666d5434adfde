// Joints that hold deformable bodies: they pull on both sides.
#include <gtest/gtest.h>

#include <cmath>

#include "deformable/element/solid_model.h"
#include "math/vec3d.h"
#include "sunder/sunder.h"

namespace sunder {
namespace {

class MemoryLog : public CallLog {
public:
    void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
    std::vector<std::byte> bytes;
};

// A cube of 0.4 m, 64 kg at the density of water.
constexpr Real kHalf = Real(0.2), kCell = Real(0.1), kFleshMass = 64;

BodyDef cube(const Vec3& position, Real young = Real(1e6)) {
    BodyDef def;
    def.name = "cube";
    def.shape = Box{{kHalf, kHalf, kHalf}};
    def.position = position;
    def.material.density = 1000;
    def.material.young = young;
    def.material.poisson = Real(0.3);
    def.deformable = DeformableDef{.cell = kCell};
    def.allowSleep = false;
    return def;
}

BodyDef box(const Vec3& position, Real mass) {
    BodyDef def;
    def.name = "box";
    def.shape = Box{{kHalf, kHalf, kHalf}};
    def.position = position;
    def.mass = mass;
    def.allowSleep = false;
    return def;
}

// Mass of every node of the cube, in the order in which the world keeps them.
std::vector<Real> nodeMasses() {
    deformable::FleshMaterial material;
    material.elastic = {Real(1e6), Real(0.3), 1000};
    const int cells = 4;
    return deformable::buildSolid(deformable::boxOfTets({kHalf, kHalf, kHalf}, {cells, cells, cells}), material)
        .model->nodeMass;
}

struct Sums {
    Vec3d momentum{}, angular{};
    double energy = 0;  // J: kinetic
};

void addPoint(Sums& sums, double mass, const Vec3d& at, const Vec3d& velocity) {
    sums.momentum = sums.momentum + velocity * mass;
    sums.angular = sums.angular + cross(at, velocity) * mass;
    sums.energy += mass * dot(velocity, velocity) / 2;
}

Sums sumsOf(const World& world, BodyId flesh, BodyId rigid, std::span<const Real> masses) {
    Sums sums;
    const auto nodes = *world.vertices(flesh);
    const Quat turn = world.orientation(flesh);
    for (std::size_t i = 0; i < masses.size(); ++i) {
        const Vec3 offset = rotate(turn, nodes.positions[i]);
        const Vec3 at = world.position(flesh) + offset, arm = at - world.centerOfMass(flesh);
        const Vec3 velocity =
            world.velocity(flesh) + cross(world.angularVelocity(flesh), arm) + rotate(turn, nodes.velocities[i]);
        addPoint(sums, double(masses[i]), toDouble(at), toDouble(velocity));
    }
    const double mass = double(world.mass(rigid)), inertia = mass * 4 * double(kHalf) * double(kHalf) / 6;
    const Vec3d spin = toDouble(world.angularVelocity(rigid));
    addPoint(sums, mass, toDouble(world.centerOfMass(rigid)), toDouble(world.velocity(rigid)));
    sums.angular = sums.angular + spin * inertia;
    sums.energy += inertia * dot(spin, spin) / 2;
    return sums;
}

JointDef jointOf(JointType type, BodyId a, BodyId b, const Vec3& anchor) {
    JointDef def;
    def.type = type;
    def.a = a;
    def.b = b;
    def.anchor = anchor;
    def.axis = {0, 0, 1};
    return def;
}

struct Flight {
    double momentum = 0, angular = 0;  // errors, as shares
    double gained = -1;                // largest kinetic energy over that at the start, less 1
    double grown = -1;                 // the same over the last second and a half, over that at their start
    double apart = 0;                  // m: how far the joint was open in them
};

// A box that a joint binds to a cube in free flight: it is given a velocity across and a spin.
Flight flyTogether(JointType type, Real ratio, int rate) {
    World world;
    world.setGravity({});
    const BodyId flesh = world.addBody(cube({0, 0, 0}));
    BodyDef def = box({Real(0.42), 0, 0}, kFleshMass * ratio);
    def.velocity = {0, 2, Real(0.3)};
    def.angularVelocity = {Real(0.4), 0, 1};
    const BodyId rigid = world.addBody(def);
    JointDef joint = jointOf(type, flesh, rigid, {Real(0.2), 0, 0});
    if (type == JointType::Distance) {
        joint.anchor = {Real(0.15), 0, 0};
        joint.anchorB = Vec3{Real(0.27), 0, 0};
    }
    const JointId held = world.addJoint(joint);
    const std::vector<Real> masses = nodeMasses();
    const Sums before = sumsOf(world, flesh, rigid, masses);
    Flight flight;
    double bound = 0;  // J: when the blow has been taken up
    for (int i = 0; i < 2 * rate; ++i) {
        world.step(Real(1) / Real(rate));
        const Sums now = sumsOf(world, flesh, rigid, masses);
        flight.momentum = std::max(flight.momentum, length(now.momentum - before.momentum) / length(before.momentum));
        flight.angular = std::max(flight.angular, length(now.angular - before.angular) / length(before.angular));
        flight.gained = std::max(flight.gained, now.energy / before.energy - 1);
        if (2 * i < rate) {
            bound = now.energy;
            continue;
        }
        flight.grown = std::max(flight.grown, now.energy / bound - 1);
        flight.apart = std::max(flight.apart, double(world.jointState(held).error));
    }
    return flight;
}

class FleshJointsOf : public testing::TestWithParam<JointType> {};

// Over masses from a hundredth to a hundred times that of the flesh.
TEST_P(FleshJointsOf, KeepMomentaAndGainNoEnergy) {
    for (const int rate : {30, 60, 240})
        for (const Real ratio : {Real(0.01), Real(0.1), Real(1), Real(10), Real(100)}) {
            const Flight flight = flyTogether(GetParam(), ratio, rate);
            SCOPED_TRACE(testing::Message() << rate << " Hz, ratio " << ratio);
            // A rod's ends go on straight for a step: at 2 m/s across its 0.12 m they are then L (w dt)^2 / 2 farther apart.
            const double turn = 2 / 0.12 / rate, bent = GetParam() == JointType::Distance ? 0.12 * turn * turn / 2 : 0;
            EXPECT_LT(flight.momentum, 1e-5);
            EXPECT_LT(flight.angular, 2e-4);
            EXPECT_LT(flight.gained, 1e-4);
            EXPECT_LT(flight.grown, 5e-3);  // kinetic energy alone: what the cube gives back of its elastic energy counts
            EXPECT_LT(flight.apart, 5e-4 + bent);
        }
}
INSTANTIATE_TEST_SUITE_P(Types, FleshJointsOf,
                         testing::Values(JointType::Ball, JointType::Hinge, JointType::Fixed, JointType::Distance));

// What hangs on it pulls with its weight, on the cube too, which hangs on the world by a joint of its own.
TEST(FleshJoints, BearTheWeightOfWhatHangsOnThem) {
    for (const int rate : {30, 60, 240})
        for (const Real mass : {Real(0.64), Real(64), Real(640)}) {
            World world;
            const BodyId flesh = world.addBody(cube({0, 3, 0}, Real(1e7)));
            const BodyId weight = world.addBody(box({0, Real(2.5), 0}, mass));
            const JointId above = world.addJoint(jointOf(JointType::Ball, {}, flesh, {0, Real(3.2), 0}));
            const JointId below = world.addJoint(jointOf(JointType::Ball, flesh, weight, {0, Real(2.8), 0}));
            for (int i = 0; i < 5 * rate; ++i)
                world.step(Real(1) / Real(rate));
            SCOPED_TRACE(testing::Message() << rate << " Hz, " << mass << " kg");
            const double g = 9.81;
            EXPECT_NEAR(double(world.jointState(below).force.y), g * double(mass), 0.02 * g * double(mass) + 0.5);
            EXPECT_NEAR(double(world.jointState(above).force.y), g * double(mass + kFleshMass),
                        0.02 * g * double(mass + kFleshMass));
            EXPECT_LT(world.jointState(below).error, Real(1e-3));
            EXPECT_LT(length(world.velocity(weight)), Real(0.01));
            EXPECT_LT(length(world.centerOfMass(weight) - Vec3{0, Real(2.5), 0}), Real(0.05));
        }
}

// A chain of light links between a cube and a weight a hundred times theirs.
TEST(FleshJoints, AHeavyWeightOnALightChainDoesNotSink) {
    for (const int rate : {30, 60, 240}) {
        World world;
        const BodyId flesh = world.addBody(cube({0, 5, 0}, Real(1e7)));
        world.addJoint(jointOf(JointType::Fixed, {}, flesh, {0, Real(5.2), 0}));
        BodyId above = flesh;
        Real y = Real(4.8);
        for (int i = 0; i < 4; ++i) {
            BodyDef link = box({0, y - Real(0.1), 0}, 1);
            link.name = "link";
            link.shape = Box{{Real(0.02), Real(0.09), Real(0.02)}};
            const BodyId next = world.addBody(link);
            world.addJoint(jointOf(JointType::Ball, above, next, {0, y, 0}));
            above = next;
            y -= Real(0.2);
        }
        const BodyId weight = world.addBody(box({0, y - Real(0.2), 0}, 100));
        const JointId last = world.addJoint(jointOf(JointType::Ball, above, weight, {0, y, 0}));
        const Real start = world.centerOfMass(weight).y;
        for (int i = 0; i < 4 * rate; ++i)
            world.step(Real(1) / Real(rate));
        SCOPED_TRACE(testing::Message() << rate << " Hz");
        EXPECT_NEAR(double(world.centerOfMass(weight).y), double(start), 0.02);
        EXPECT_LT(world.jointState(last).error, Real(2e-3));
        EXPECT_LT(length(world.velocity(weight)), Real(0.02));
    }
}

// Another deformable body on the other side, and a rope that lets it come nearer.
TEST(FleshJoints, BindFleshToFleshAndRopesOnlyPull) {
    for (const int rate : {30, 60}) {
        World world;
        const BodyId upper = world.addBody(cube({0, 3, 0})), lower = world.addBody(cube({0, Real(2.5), 0}));
        world.addJoint(jointOf(JointType::Fixed, {}, upper, {0, Real(3.2), 0}));
        JointDef rope = jointOf(JointType::Distance, upper, lower, {0, Real(2.8), 0});
        rope.anchorB = Vec3{0, Real(2.7), 0};
        rope.limits = Interval{0, Real(0.6)};
        const JointId held = world.addJoint(rope);
        Real longest = 0;
        bool isSlack = false;
        for (int i = 0; i < 4 * rate; ++i) {
            world.step(Real(1) / Real(rate));
            longest = max(longest, world.jointState(held).position);
            isSlack = isSlack || length(world.jointState(held).force) == 0;
        }
        SCOPED_TRACE(testing::Message() << rate << " Hz");
        EXPECT_TRUE(isSlack);
        EXPECT_LT(longest, Real(0.605));
        EXPECT_NEAR(double(world.jointState(held).force.y), 9.81 * double(kFleshMass), 20);
    }
}

TEST(FleshJoints, BreakUnderWhatTheyCannotBear) {
    for (const int rate : {30, 60, 240})
        for (const Real strength : {Real(500), Real(1500)}) {  // N; 981 N hang on it
            World world;
            const BodyId flesh = world.addBody(cube({0, 3, 0}));
            world.addJoint(jointOf(JointType::Fixed, {}, flesh, {0, Real(3.2), 0}));
            const BodyId weight = world.addBody(box({0, Real(2.55), 0}, 100));
            JointDef def = jointOf(JointType::Ball, flesh, weight, {0, Real(2.8), 0});
            def.breakForce = strength;
            def.breakImpulse = Real(1e5);
            const JointId joint = world.addJoint(def);
            int broken = 0;
            for (int i = 0; i < 3 * rate; ++i) {
                world.step(Real(1) / Real(rate));
                for (const JointEvent& event : world.jointEvents())
                    broken += event.kind == JointEventKind::Broken;
            }
            EXPECT_EQ(broken, strength < 981 ? 1 : 0) << rate << " Hz, " << strength << " N";
            EXPECT_EQ(world.isValidJoint(joint), strength > 981);
        }
}

// A cut between two joints: each stays with its part.
TEST(FleshJoints, GoWithThePartThatTheyHold) {
    World world;
    const BodyId flesh = world.addBody(cube({0, 3, 0}));
    const JointId above = world.addJoint(jointOf(JointType::Fixed, {}, flesh, {0, Real(3.18), 0}));
    const BodyId weight = world.addBody(box({0, Real(2.55), 0}, 20));
    const JointId below = world.addJoint(jointOf(JointType::Hinge, weight, flesh, {0, Real(2.82), 0}));
    for (int i = 0; i < 30; ++i)
        world.step(Real(1) / 60);
    world.cut(flesh, {0, 3, 0}, {0, 1, 0});
    for (int i = 0; i < 30; ++i)
        world.step(Real(1) / 60);
    ASSERT_TRUE(world.isValidJoint(above));
    ASSERT_TRUE(world.isValidJoint(below));
    EXPECT_NE(world.joint(above).b, world.joint(below).b);
    EXPECT_LT(world.jointState(above).error, Real(2e-3));
    EXPECT_LT(world.jointState(below).error, Real(2e-3));
    const BodyId lower = world.joint(below).b, upper = world.joint(above).b;
    EXPECT_NEAR(double(world.centerOfMass(upper).y), 3.1, 0.05);
    EXPECT_LT(world.centerOfMass(lower).y, Real(2.5));  // it falls with the weight
    EXPECT_LT(length(world.velocity(lower) - world.velocity(weight)), Real(0.5));
}

TEST(FleshJoints, SleepAndWakeTogether) {
    World world;
    BodyDef def = cube({0, 3, 0}, Real(1e7));
    def.allowSleep = true;
    const BodyId flesh = world.addBody(def);
    BodyDef weightDef = box({0, Real(2.55), 0}, 20);
    weightDef.allowSleep = true;
    const BodyId weight = world.addBody(weightDef);
    world.addJoint(jointOf(JointType::Fixed, {}, flesh, {0, Real(3.2), 0}));
    world.addJoint(jointOf(JointType::Fixed, flesh, weight, {0, Real(2.8), 0}));
    for (int i = 0; i < 600 && (world.isAwake(flesh) || world.isAwake(weight)); ++i)
        world.step(Real(1) / 60);
    EXPECT_FALSE(world.isAwake(flesh));
    EXPECT_FALSE(world.isAwake(weight));
    world.setVelocity(weight, {1, 0, 0});
    world.step(Real(1) / 60);
    EXPECT_TRUE(world.isAwake(flesh));
    EXPECT_TRUE(world.isAwake(weight));
}

// The same bits on any number of threads, after a restore and in a replay.
TEST(FleshJoints, AreTheSameOnThreadsAfterRestoreAndInAReplay) {
    std::uint64_t hash = 0;
    for (const int threads : {1, 4}) {
        WorldDef settings;
        settings.threads = threads;
        World world(settings);
        MemoryLog log;
        world.record(&log);
        const BodyId flesh = world.addBody(cube({0, 3, 0}));
        const BodyId weight = world.addBody(box({Real(0.45), 3, 0}, 50));
        world.addJoint(jointOf(JointType::Ball, {}, flesh, {Real(-0.2), 3, 0}));
        world.addJoint(jointOf(JointType::Hinge, flesh, weight, {Real(0.2), 3, 0}));
        for (int i = 0; i < 20; ++i)
            world.step(Real(1) / 60);
        World other(settings);
        other.restore(world.snapshot());
        EXPECT_EQ(other.hash(), world.hash());
        for (int i = 0; i < 20; ++i) {
            world.step(Real(1) / 60);
            other.step(Real(1) / 60);
        }
        EXPECT_EQ(other.hash(), world.hash());
        world.record(nullptr);
        EXPECT_FALSE(replay(log.bytes).difference);
        if (threads > 1) {
            EXPECT_EQ(world.hash(), hash);
        }
        hash = world.hash();
    }
}

TEST(FleshJoints, WhatTheyCannotDoIsRefused) {
    World world;
    const BodyId flesh = world.addBody(cube({0, 3, 0}));
    const BodyId rigid = world.addBody(box({Real(0.45), 3, 0}, 50));
    const auto messageOf = [&](const JointDef& def) -> std::string {
        try {
            world.addJoint(def);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    JointDef def = jointOf(JointType::Slider, flesh, rigid, {Real(0.2), 3, 0});
    EXPECT_NE(messageOf(def).find("type: of a deformable body only"), std::string::npos) << messageOf(def);
    def = jointOf(JointType::Hinge, flesh, rigid, {Real(0.2), 3, 0});
    def.limits = Interval{0, 1};
    EXPECT_NE(messageOf(def).find("limits: a joint of a deformable body has none"), std::string::npos);
    def = jointOf(JointType::Ball, flesh, rigid, {2, 3, 0});
    EXPECT_NE(messageOf(def).find("anchor: 1.8 m outside of the deformable body 'cube'"), std::string::npos) << messageOf(def);
    def.anchor = {Real(0.2), 3, 0};
    const JointId joint = world.addJoint(def);
    def.motorStrength = 10;
    EXPECT_THROW(world.changeJoint(joint, def), Error);
}

}  // namespace
}  // namespace sunder
