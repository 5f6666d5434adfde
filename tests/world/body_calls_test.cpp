// What can be set can be asked for; what can be changed while a world runs is logged, kept by snapshots, and acts.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "scenes/piles.h"
#include "sunder/replay.h"
#include "support/hashes.h"

namespace sunder {
namespace {

using scenes::vec;
using support::kStep;

class MemoryLog : public CallLog {
public:
    void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
    std::vector<std::byte> bytes;
};

FractureDef glass(double threshold, int pieces = 12) {
    FractureDef def;
    def.method = Prescored{.pattern = buildPattern({.kind = VoronoiPattern{.pieces = pieces, .density = {}}, .nodes = 33})};
    def.threshold = Real(threshold);
    def.resolution = {17, 17, 17};
    return def;
}

BodyId addFloor(World& world) {
    return world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
}

TEST(BodyCalls, GettersGiveWhatWasDefined) {
    World world;
    BodyDef def{.shape = Box{vec(0.5, 1, 2)},
                .position = vec(1, 2, 3),
                .velocity = vec(1, -2, 0.5),
                .angularVelocity = vec(0, 3, 0),
                .linearDamping = Real(0.25),
                .angularDamping = Real(0.5),
                .gravityFactor = Real(0.75),
                .lockedAxes = kLockRx | kLockZ,
                .surfaceVelocity = vec(0, 0, 2),
                .sensor = true,
                .allowSleep = false,
                .sleepFactor = 4};
    const BodyId body = world.addBody(def);
    EXPECT_EQ(world.linearDamping(body), def.linearDamping);
    EXPECT_EQ(world.angularDamping(body), def.angularDamping);
    EXPECT_EQ(world.gravityFactor(body), def.gravityFactor);
    EXPECT_EQ(world.lockedAxes(body), def.lockedAxes);
    EXPECT_EQ(world.surfaceVelocity(body), def.surfaceVelocity);
    EXPECT_TRUE(world.isSensor(body));
    EXPECT_FALSE(world.allowsSleep(body));
    EXPECT_EQ(world.sleepFactor(body), def.sleepFactor);
    EXPECT_EQ(world.fracture(body), nullptr);
    EXPECT_EQ(world.localCenterOfMass(body), Vec3{});
    EXPECT_FALSE(world.target(body).has_value());
    world.addForceAt(body, vec(0, 5, 0), vec(2, 2, 3));
    EXPECT_EQ(world.force(body), Vec3(vec(0, 5, 0)));
    EXPECT_EQ(world.torque(body), Vec3(vec(0, 0, 5)));
    world.step(kStep);
    EXPECT_EQ(world.force(body), Vec3{});
    BodyDef lift{.motion = Motion::Kinematic};
    lift.keyframes = {{.time = 0}, {.time = 1, .position = vec(0, 1, 0)}};
    const BodyId moving = world.addBody(lift);
    EXPECT_EQ(world.keyframes(moving).size(), 2u);
    world.moveTo(moving, vec(0, 2, 0), {});
    EXPECT_EQ(world.target(moving)->position, Vec3(vec(0, 2, 0)));
}

// v + w x r, for points of the body and others; it is how the point moves.
TEST(BodyCalls, VelocityAtAPointIsHowItMoves) {
    World world({.gravity = {}});
    const BodyId body = world.addBody(
        {.position = vec(1, 2, 3), .velocity = vec(1, -2, 0.5), .angularVelocity = vec(0, 3, 0), .mass = Real(2)});
    const Vec3 at = world.velocityAt(body, vec(2, 2, 3));
    EXPECT_NEAR(at.x, 1, 1e-6);
    EXPECT_NEAR(at.y, -2, 1e-6);
    EXPECT_NEAR(at.z, 0.5 - 3, 1e-6);
    EXPECT_THROW(world.velocityAt({}, {}), Error);
}

TEST(BodyCalls, ASensorBecomesSolidAndBack) {
    for (const double rate : {30.0, 60.0, 240.0}) {
        World world;
        const BodyId floor = addFloor(world);
        const BodyId box = world.addBody({.position = vec(0, 0.5, 0)});
        for (int i = 0; i < int(2 * rate); ++i)
            world.step(Real(1 / rate));
        EXPECT_FALSE(world.isAwake(box));
        world.setSensor(floor, true);
        EXPECT_TRUE(world.isSensor(floor));
        EXPECT_TRUE(world.isAwake(box));
        world.step(Real(1 / rate));
        bool ended = false, sensed = false;
        for (const ContactEvent& event : world.contactEvents()) {
            ended = ended || (event.phase == ContactPhase::End && !event.sensor);
            sensed = sensed || (event.phase == ContactPhase::Begin && event.sensor);
        }
        EXPECT_TRUE(sensed);
        for (int i = 0; i < int(0.2 * rate); ++i)
            world.step(Real(1 / rate));
        EXPECT_LT(world.position(box).y, 0.5 - 0.5 * 9.81 * 0.04 * 0.9);
        world.setPose(box, vec(0, 1, 0), {});
        world.setVelocity(box, {});
        world.setSensor(floor, false);
        for (int i = 0; i < int(2 * rate); ++i)
            world.step(Real(1 / rate));
        EXPECT_NEAR(world.position(box).y, 0.5, 5e-3);
    }
}

TEST(BodyCalls, ABodyIsMadeBreakableAndSolidAgain) {
    World world;
    addFloor(world);
    const auto drop = [&](bool isBreakable) {
        const BodyId box = world.addBody({.shape = Box{vec(0.3, 0.3, 0.3)}, .position = vec(0, 3, 0), .mass = Real(20)});
        if (isBreakable)
            world.setFracture(box, glass(20));
        EXPECT_EQ(world.fracture(box) != nullptr, isBreakable);
        for (int i = 0; i < 40; ++i)
            world.step(kStep);
        const bool broke = !world.isValid(box);
        for (const BodyId id : world.bodies())
            if (world.motion(id) == Motion::Dynamic)
                world.removeBody(id);
        return broke;
    };
    EXPECT_FALSE(drop(false));
    EXPECT_TRUE(drop(true));
    const BodyId box = world.addBody({.shape = Box{vec(0.3, 0.3, 0.3)}, .position = vec(0, 3, 0), .mass = Real(20)});
    world.setFracture(box, glass(20));
    EXPECT_EQ(world.fracture(box)->threshold, Real(20));
    world.setFracture(box, std::nullopt);
    EXPECT_EQ(world.fracture(box), nullptr);
    EXPECT_THROW(world.breakBody(box, vec(0, 3.3, 0), vec(0, 1, 0), 1), Error);
    for (int i = 0; i < 40; ++i)
        world.step(kStep);
    EXPECT_TRUE(world.isValid(box));
}

TEST(BodyCalls, RefusesWhatCannotBe) {
    World world;
    const BodyId floor = addFloor(world);
    const BodyId mesh =
        world.addBody({.shape = Mesh{{vec(0, 0, 0), vec(1, 0, 0), vec(0, 0, 1)}, {{0, 2, 1}}}, .motion = Motion::Static});
    const std::uint64_t before = world.hash();
    EXPECT_THROW(world.setFracture(mesh, glass(5)), Error);
    EXPECT_THROW(world.setFracture(floor, glass(0)), Error);
    EXPECT_THROW(world.setSleepFactor(floor, 0), Error);
    EXPECT_EQ(world.hash(), before);
    const BodyId box = world.addBody({.position = vec(0, 2, 0)});
    world.setFracture(box, glass(5));
    EXPECT_THROW(world.setSensor(box, true), Error);
    EXPECT_THROW(world.setFracture({}, std::nullopt), Error);
}

// A ball that rolls at 20 mm/s: asleep only where the thresholds are above that.
TEST(BodyCalls, ThresholdsOfSleepDecideWhatRests) {
    const auto sleeps = [](double speed, double factor, double rate) {
        World world({.gravity = {}, .sleepSpeed = Real(speed)});
        const BodyId ball = world.addBody({.shape = Sphere{Real(0.2)}, .velocity = vec(0.02, 0, 0)});
        world.setSleepFactor(ball, Real(factor));
        for (int i = 0; i < int(2 * rate); ++i)
            world.step(Real(1 / rate));
        return !world.isAwake(ball);
    };
    for (const double rate : {30.0, 60.0, 240.0}) {
        EXPECT_FALSE(sleeps(1e-3, 1, rate));
        EXPECT_TRUE(sleeps(0.05, 1, rate));
        EXPECT_FALSE(sleeps(0.05, 0.1, rate));
        EXPECT_TRUE(sleeps(1e-3, 50, rate));
        EXPECT_TRUE(sleeps(1, 1, rate));  // above what may have been struck just now
    }
}

World debrisWorld(int most) {
    World world({.mostDebris = most});
    addFloor(world);
    for (int i = 0; i < 4; ++i) {
        BodyDef def{.shape = Box{vec(0.3, 0.3, 0.3)}, .position = vec(2.0 * i - 3, 0.3, 0)};
        def.fracture = glass(1e9);
        def.fracture->debrisVolume = 1;
        def.fracture->generations = 1;
        world.addBody(def);
    }
    return world;
}

// The oldest go first, whatever becomes of debris else; a restored world goes on with the same.
TEST(BodyCalls, TheOldestDebrisIsRemoved) {
    World world = debrisWorld(20);
    const std::vector<BodyId> bodies = world.bodies();
    std::vector<BodyId> all;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        world.breakBody(bodies[i], world.position(bodies[i]), vec(0, 1, 0), 5);
        world.step(kStep);
        ASSERT_EQ(world.breakEvents().size(), 1u);
        for (const BodyId piece : world.breakEvents()[0].pieces)
            all.push_back(piece);
    }
    ASSERT_GT(all.size(), 25u);
    const std::vector<std::byte> snapshot = world.snapshot();
    world.step(kStep);
    const auto expectNewest = [&](const World& of, std::size_t most) {
        for (std::size_t i = 0; i < all.size(); ++i)
            EXPECT_EQ(of.isValid(all[i]), i + most >= all.size()) << i << " of " << all.size();
    };
    expectNewest(world, 20);
    World other;
    other.restore(snapshot);
    other.step(kStep);
    EXPECT_EQ(other.hash(), world.hash());
    WorldDef settings = other.settings();
    settings.mostDebris = 5;
    other.setSettings(settings);
    other.step(kStep);
    expectNewest(other, 5);
}

TEST(BodyCalls, WithoutALimitAllDebrisStays) {
    World world = debrisWorld(0);
    for (const BodyId id : world.bodies())
        if (world.fracture(id))
            world.breakBody(id, world.position(id), vec(0, 1, 0), 5);
    world.step(kStep);
    const int pieces = world.stats().pieces;
    for (int i = 0; i < 10; ++i)
        world.step(kStep);
    EXPECT_EQ(world.stats().pieces, pieces);
    EXPECT_GT(pieces, 20);
}

// Every call of this file and of the joints, in a log: the replay makes the same world on any number of threads.
TEST(BodyCalls, AreLoggedAndReplayed) {
    World world({.threads = 2});
    MemoryLog log;
    world.record(&log);
    addFloor(world);
    const BodyId box = world.addBody({.shape = Box{vec(0.3, 0.3, 0.3)}, .position = vec(0, 1, 0), .mass = Real(20)});
    const BodyId ball = world.addBody({.shape = Sphere{Real(0.3)}, .position = vec(2, 1, 0)});
    const BodyId wheel = world.addBody({.shape = Sphere{Real(0.3)}, .position = vec(4, 1, 0)});
    const BodyId arm = world.addBody({.position = vec(-3, 2, 0)});
    const JointId hinge = world.addJoint({.type = JointType::Hinge,
                                          .b = arm,
                                          .anchor = vec(-3, 3, 0),
                                          .axis = {1, 0, 0},
                                          .springFrequency = 2,
                                          .motorStrength = 3});
    const JointId turn = world.addJoint({.b = ball, .anchor = vec(2, 1.5, 0), .springStiffness = 30, .motorStrength = 1});
    const JointId steered =
        world.addJoint({.type = JointType::Wheel, .b = wheel, .anchor = vec(4, 1, 0), .springFrequency = 2});
    const std::vector<std::function<void()>> calls{
        [&] { world.setSleepFactor(box, 3); },
        [&] { world.setFracture(box, glass(20)); },
        [&] { world.setFracture(box, std::nullopt); },
        [&] { world.setSensor(box, true); },
        [&] { world.setSensor(box, false); },
        [&] { world.setSpringRest(hinge, Real(0.5)); },
        [&] { world.setMotorSpeed(hinge, 2); },
        [&] { world.setSpringRotation(turn, scenes::turnAbout(1, 0, 0, 0.5)); },
        [&] { world.setMotorVelocity(turn, vec(0, 1, 0)); },
        [&] { world.setSteering(steered, Real(0.4)); },
    };
    for (const auto& call : calls) {
        const std::uint64_t before = world.hash();
        call();
        EXPECT_NE(world.hash(), before);
        world.step(kStep);
        world.step(kStep);
    }
    world.record(nullptr);
    for (const int threads : {1, 3}) {
        const ReplayReport report = replay(log.bytes, threads);
        EXPECT_FALSE(report.difference.has_value());
        EXPECT_EQ(report.hash, world.hash());
        EXPECT_EQ(report.steps, 2 * calls.size());
    }
}

}  // namespace
}  // namespace sunder
