// Joints as a part of the world: handles, events, bad input, snapshots, logs and threads.
#include <gtest/gtest.h>

#include "math/vec3.h"
#include "scenes/joint_nets.h"
#include "sunder/replay.h"
#include "sunder/world.h"
#include "support/hashes.h"

namespace sunder {
namespace {

BodyId addBall(World& world, Real x) {
    return world.addBody({.shape = Sphere{Real(0.2)}, .position = {x, 0, 0}, .mass = Real(1)});
}

std::string messageOf(World& world, const JointDef& def) {
    try {
        world.addJoint(def);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(JointCalls, RefuseBadInputWithItsField) {
    World world;
    const BodyId a = addBall(world, 0), b = addBall(world, 1);
    const BodyId wall = world.addBody({.shape = Sphere{1}, .motion = Motion::Static});
    const BodyId lift = world.addBody({.shape = Sphere{1}, .motion = Motion::Kinematic, .position = {9, 0, 0}});
    const auto expect = [&](const JointDef& def, const char* text) {
        const std::string message = messageOf(world, def);
        EXPECT_NE(message.find(text), std::string::npos) << message;
    };
    expect({.a = a, .b = a}, "b: is the same as a");
    expect({}, "b: is the same as a");
    expect({.a = a, .b = BodyId{77, 1}}, "b: body handle 77/1 is not valid");
    expect({.a = wall, .b = lift}, "neither a nor b is dynamic");
    expect({.type = JointType::Hinge, .a = a, .b = b, .axis = {}}, "axis: [0, 0, 0]");
    expect({.type = JointType::Hinge, .a = a, .b = b, .limits = Interval{1, -1}}, "limits: [1, -1]");
    expect({.type = JointType::Wheel, .a = a, .b = b, .axis = {1, 0, 0}, .axle = {2, 0, 0}}, "axle: [2, 0, 0]");
    expect({.a = a, .b = b, .limits = Interval{0, 1}}, "limits: a ball joint has none");
    JointDef negative{.a = a, .b = b};
    negative.breakForce = Real(-1);
    expect(negative, "break_force: -1");
    JointDef both{.a = a, .b = b};
    both.stiffness = 1;
    both.frequency = 1;
    expect(both, "frequency: 1");
    expect({.type = JointType::Distance, .a = a, .b = b}, "anchor_b");
    EXPECT_TRUE(world.joints().empty());
}

// Bodies in a ring that turn kinematic one after the other: their joints have nothing left to move and must neither pull at
// them nor tear; a dynamic body that closes the ring still hangs on both its neighbours.
TEST(JointCalls, LoopOfKinematicBodiesHoldsStill) {
    World world;
    std::vector<BodyId> ring;
    for (int i = 0; i < 4; ++i)
        ring.push_back(addBall(world, Real(i)));
    std::vector<JointId> joints;
    for (int i = 0; i < 4; ++i)
        joints.push_back(world.addJoint({.a = ring[i], .b = ring[(i + 1) % 4], .anchor = {Real(i), 0, 0}}));
    for (int fixed = 0; fixed < 4; ++fixed) {
        world.setMotion(ring[fixed], Motion::Kinematic);
        world.setVelocity(ring[fixed], {});
        world.setAngularVelocity(ring[fixed], {});
        const Vec3 before = world.position(ring[fixed]);
        for (int i = 0; i < 30; ++i)
            world.step(Real(1) / 60);
        EXPECT_EQ(world.position(ring[fixed]), before);
        for (const BodyId body : ring)
            EXPECT_LT(length(world.velocity(body)), 5) << "with " << fixed + 1 << " kinematic";
    }
    for (const JointId joint : joints)
        EXPECT_TRUE(world.isValidJoint(joint));
    world.setMotion(ring[1], Motion::Dynamic);
    for (int i = 0; i < 60; ++i)
        world.step(Real(1) / 60);
    EXPECT_NEAR(world.position(ring[1]).x, 1, 0.05);
    EXPECT_LT(length(world.velocity(ring[1])), 1e-2);
}

TEST(JointCalls, HandlesGoStaleAndBodiesTakeTheirJointsAlong) {
    World world;
    const BodyId a = addBall(world, 0), b = addBall(world, 1);
    const JointId first = world.addJoint({.name = "first", .a = a, .b = b, .userData = 5});
    EXPECT_EQ(world.findJoint("first"), first);
    EXPECT_EQ(world.stats().joints, 1);
    EXPECT_TRUE(world.removeJoint(first));
    EXPECT_FALSE(world.removeJoint(first));
    EXPECT_THROW(world.jointState(first), Error);
    const JointId second = world.addJoint({.a = a, .b = b, .userData = 6});
    EXPECT_EQ(second.index, first.index);
    EXPECT_NE(second.generation, first.generation);
    world.removeBody(b);
    EXPECT_FALSE(world.isValidJoint(second));
    world.step(Real(1) / 60);
    ASSERT_EQ(world.jointEvents().size(), 1u);
    EXPECT_EQ(world.jointEvents()[0].kind, JointEventKind::BodyRemoved);
    EXPECT_EQ(world.jointEvents()[0].userData, 6u);
    world.step(Real(1) / 60);
    EXPECT_TRUE(world.jointEvents().empty());
}

TEST(JointCalls, BreaksAboveItsForce) {
    for (const double strength : {9.0, 11.0}) {
        World world;
        const BodyId ball = addBall(world, 0);
        JointDef def{.b = ball, .anchor = {0, 0, 0}};
        def.breakForce = Real(strength);
        const JointId joint = world.addJoint(def);
        for (int i = 0; i < 30 && world.isValidJoint(joint); ++i)
            world.step(Real(1) / 60);
        EXPECT_EQ(world.isValidJoint(joint), strength > 9.81);
        EXPECT_EQ(world.stats().breaks, strength > 9.81 ? 0 : 1);
    }
}

TEST(JointCalls, JoinedBodiesCollideOnlyIfAsked) {
    for (const bool collide : {false, true}) {
        World world;
        const BodyId a = addBall(world, 0), b = addBall(world, Real(0.3));
        JointDef def{.type = JointType::Distance, .a = a, .b = b, .anchor = {0, 0, 0}, .anchorB = Vec3{Real(0.3), 0, 0}};
        def.collideConnected = collide;
        const JointId joint = world.addJoint(def);
        world.step(Real(1) / 60);
        EXPECT_EQ(world.contactEvents().size(), collide ? 1u : 0u);
        world.removeJoint(joint);
        world.step(Real(1) / 60);
        EXPECT_EQ(world.contactEvents().size(), 1u);
    }
}

TEST(JointCalls, ChangeReplacesTheMotor) {
    WorldDef weightless;
    weightless.gravity = {};
    World world(weightless);
    const BodyId ball = addBall(world, 0);
    JointDef def{.type = JointType::Hinge, .b = ball, .axis = {0, 1, 0}, .motorSpeed = 2, .motorStrength = 10};
    const JointId joint = world.addJoint(def);
    for (int i = 0; i < 30; ++i)
        world.step(Real(1) / 60);
    EXPECT_NEAR(world.angularVelocity(ball).y, 2, 1e-3);
    def.motorSpeed = -1;
    world.changeJoint(joint, def);
    for (int i = 0; i < 30; ++i)
        world.step(Real(1) / 60);
    EXPECT_NEAR(world.angularVelocity(ball).y, -1, 1e-3);
    def.type = JointType::Slider;
    EXPECT_THROW(world.changeJoint(joint, def), Error);
}

class MemoryLog : public CallLog {
public:
    void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
    std::vector<std::byte> bytes;
};

// A net that is swept, a chain and a bridge with a cart that are solved at once.
scenes::JointScene mixedScene(int threads) {
    WorldDef def;
    def.threads = threads;
    scenes::JointScene scene = scenes::bridgeWithCart(def, 8, 20);
    BodyId last{};
    for (int i = 0; i < 30; ++i)
        for (int k = 0; k < 30; ++k) {
            const BodyId ball = scene.world.addBody(
                {.shape = Sphere{Real(0.1)}, .position = scenes::vec(0.4 * k, 4 + 0.01 * k, 0.4 * i - 6), .mass = Real(0.1)});
            if (k > 0)
                scene.join(last, ball, scenes::vec(0.4 * k - 0.2, 4, 0.4 * i - 6));
            if (i > 0)
                scene.join(scene.bodies[scene.bodies.size() - 30], ball, scenes::vec(0.4 * k, 4, 0.4 * i - 6.2));
            scene.bodies.push_back(ball);
            last = ball;
        }
    return scene;
}

TEST(JointCalls, SameBitsForAnyThreadsAndAfterRestore) {
    scenes::JointScene one = mixedScene(1);
    std::vector<std::byte> snapshot;
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 20; ++i) {
        if (i == 10)
            snapshot = one.world.snapshot();
        one.world.step(support::kStep);
        hashes.push_back(one.world.hash());
    }
    for (const int threads : {2, 3, 4}) {
        scenes::JointScene other = mixedScene(threads);
        EXPECT_EQ(support::hashesOf(other.world, 20), hashes) << threads;
        other.world.restore(snapshot);
        EXPECT_EQ(support::hashesOf(other.world, 10), std::vector<std::uint64_t>(hashes.begin() + 10, hashes.end()));
    }
}

TEST(JointCalls, LogsRepeat) {
    MemoryLog log;
    {
        World world;
        world.record(&log);
        const BodyId a = addBall(world, 0), b = addBall(world, 1);
        JointDef def{.name = "j", .type = JointType::Hinge, .a = a, .b = b, .anchor = {Real(0.5), 0, 0}, .axis = {0, 0, 1}};
        def.limits = Interval{-1, 1};
        const JointId joint = world.addJoint(def), pin = world.addJoint({.b = a});
        for (int i = 0; i < 5; ++i)
            world.step(support::kStep);
        def.motorStrength = 3;
        def.motorSpeed = 1;
        world.changeJoint(joint, def);
        world.step(support::kStep);
        world.removeJoint(pin);
        world.step(support::kStep);
        world.record(nullptr);
    }
    const ReplayReport report = replay(log.bytes, 2);
    EXPECT_FALSE(report.difference);
    EXPECT_EQ(report.steps, 7u);
}

}  // namespace
}  // namespace sunder
