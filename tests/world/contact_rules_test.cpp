// The host's contact filter and pre-solve function: who collides, and how.
#include "sunder/contacts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "scenes/piles.h"
#include "sunder/replay.h"
#include "support/at_rates.h"
#include "support/hashes.h"

namespace sunder {
namespace {

using scenes::vec;

class ContactRules : public AtRate {};
INSTANTIATE_TEST_SUITE_P(, ContactRules, testing::Values(30.0, 60.0, 240.0));

BodyId addFloor(World& world) {
    return world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
}

// Bodies whose numbers are both odd pass through each other, here as fast as they fall and as thin as they are.
TEST_P(ContactRules, FiltersLetBodiesPass) {
    for (const double speed : {0.0, 5.0, 60.0}) {
        World world;
        world.setContactFilter([&](BodyId a, BodyId b) { return !(world.userData(a) % 2 && world.userData(b) % 2); });
        world.addBody({.shape = Box{vec(3, 0.05, 3)}, .motion = Motion::Static, .userData = 1});
        const BodyId passes = world.addBody(
            {.shape = Sphere{Real(0.2)}, .position = vec(-1, 1, 0), .velocity = vec(0, -speed, 0), .userData = 3});
        const BodyId stays =
            world.addBody({.shape = Sphere{Real(0.2)}, .position = vec(1, 1, 0), .velocity = vec(0, -speed, 0), .userData = 2});
        run(world, 1);
        EXPECT_NEAR(world.position(passes).y, 1 - speed - 0.5 * 9.81, 0.2 + 0.01 * speed);
        EXPECT_GT(world.position(stays).y, 0.2);
    }
}

TEST(ContactFilters, HoldForSensorsAndCanBeTakenBack) {
    World world;
    world.setContactFilter([](BodyId, BodyId) { return false; });
    const BodyId floor = addFloor(world);
    world.addBody({.shape = Box{vec(1, 1, 1)}, .motion = Motion::Static, .position = vec(0, 1, 0), .sensor = true});
    const BodyId box = world.addBody({.position = vec(0, 1.5, 0)});
    for (int i = 0; i < 6; ++i) {
        world.step(support::kStep);
        EXPECT_TRUE(world.contactEvents().empty());
    }
    world.setPose(box, vec(0, 0.5, 0), {});
    world.setVelocity(box, {});
    world.setContactFilter({});
    for (int i = 0; i < 60; ++i)
        world.step(support::kStep);
    EXPECT_NEAR(world.position(box).y, 0.5, 5e-3);
    EXPECT_FALSE(world.isAwake(box));
    // A filter wakes what rests on what it takes away, and ends the contact.
    world.setContactFilter([&](BodyId a, BodyId b) { return a != floor && b != floor; });
    EXPECT_TRUE(world.isAwake(box));
    world.step(support::kStep);
    bool ended = false;
    for (const ContactEvent& event : world.contactEvents())
        ended = ended || (event.phase == ContactPhase::End && !event.sensor);
    EXPECT_TRUE(ended);
    for (int i = 0; i < 20; ++i)
        world.step(support::kStep);
    EXPECT_LT(world.position(box).y, 0);
}

// Whoever comes from below passes; whoever comes from above is held. The platform is a box, or one triangle thin.
PreSolve oneWay(BodyId platform) {
    return [platform](ContactManifoldView& manifold) {
        if (manifold.a != platform && manifold.b != platform)
            return;
        const Real sign = manifold.a == platform ? Real(1) : Real(-1);  // upwards out of the platform
        for (const ManifoldPoint& point : manifold.points)
            if (sign * manifold.normal.y < Real(0.5) || point.depth > Real(0.05) || sign * point.velocity.y > Real(0.01))
                manifold.isEnabled = false;
    };
}

TEST_P(ContactRules, OneWayPlatformsLetPassFromBelow) {
    for (const bool isMesh : {false, true})
        for (const double speed : {6.5, 9.0, 40.0}) {
            World world;
            const Shape plate = isMesh ? Shape(Mesh{{vec(-5, 0, -5), vec(-5, 0, 5), vec(5, 0, 5), vec(5, 0, -5)},
                                                    {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}}})
                                       : Shape(Box{vec(5, 0.05, 5)});
            const BodyId platform = world.addBody({.shape = plate, .motion = Motion::Static, .position = vec(0, 1, 0)});
            const BodyId player = world.addBody({.shape = Capsule{Real(0.2), Real(0.3)},
                                                 .velocity = vec(0, speed, 0),
                                                 .lockedAxes = kLockRx | kLockRy | kLockRz});
            world.setPreSolve(oneWay(platform));
            const double top = isMesh ? 1 : 1.05, highest = speed * speed / (2 * 9.81);
            double peak = 0;
            for (int i = 0; i < int(std::lround((2 * speed / 9.81 + 1) * rate())); ++i) {
                world.step(dt());
                peak = std::fmax(peak, double(world.position(player).y));
            }
            EXPECT_NEAR(peak, highest, 0.05 + speed / rate()) << isMesh << " at " << speed;
            EXPECT_NEAR(world.position(player).y, top + 0.5, 0.01) << isMesh << " at " << speed;
        }
}

// A belt whose speed a function gives, one direction on each half: boxes are carried with it.
TEST_P(ContactRules, BeltsCarryBothWays) {
    World world;
    const BodyId belt = addFloor(world);
    const BodyId right = world.addBody({.position = vec(0, 0.5, 3)}), left = world.addBody({.position = vec(0, 0.5, -3)});
    world.setPreSolve([belt](ContactManifoldView& manifold) {
        const Real sign = manifold.a == belt ? Real(1) : Real(-1);
        manifold.surfaceVelocity = {manifold.points[0].position.z > 0 ? 2 * sign : -2 * sign, 5, 0};
    });
    run(world, 3);
    EXPECT_NEAR(world.velocity(right).x, 2, 0.01);
    EXPECT_NEAR(world.velocity(left).x, -2, 0.01);
    EXPECT_NEAR(world.position(right).y, 0.5, 5e-3);
}

// Ice on one half: a box that is pushed there slides on, its twin stops after v^2 / (2 mu g). Rubber on the other: it bounces.
TEST_P(ContactRules, FrictionAndRestitutionAreTheHosts) {
    World world;
    addFloor(world);
    const BodyId ice = world.addBody({.position = vec(0, 0.5, 3), .velocity = vec(3, 0, 0)});
    const BodyId rough = world.addBody({.position = vec(0, 0.5, -3), .velocity = vec(3, 0, 0)});
    const BodyId rubber = world.addBody({.shape = Sphere{Real(0.25)}, .position = vec(0, 2.25, 9)});
    world.setPreSolve([](ContactManifoldView& manifold) {
        const Vec3& at = manifold.points[0].position;
        manifold.friction = at.z > 0 ? Real(0) : Real(0.4);
        manifold.restitution = at.z > 6 ? Real(0.8) : Real(7);  // the latter is ignored
    });
    double peak = 0;
    bool hasBounced = false;
    for (int i = 0; i < int(2 * rate()); ++i) {
        world.step(dt());
        hasBounced = hasBounced || world.velocity(rubber).y > 1;
        peak = hasBounced && i < int(1.4 * rate()) ? std::fmax(peak, double(world.position(rubber).y)) : peak;
    }
    EXPECT_NEAR(world.velocity(ice).x, 3, 0.01);
    EXPECT_NEAR(world.position(rough).x, 9.0 / (2 * 0.4 * 9.81), 0.03);
    EXPECT_NEAR(peak - 0.25, 2 * 0.64, 0.08);
}

// What it sees: bodies in the order they were added, the normal from the first to the second, depths and closing speeds.
TEST(PreSolveView, TellsWhereAndHowBodiesMeet) {
    World world;
    const BodyId box = world.addBody({.position = vec(3, 0.49, 4), .velocity = vec(1, -2, 0)});
    const BodyId floor = addFloor(world);
    std::atomic<int> calls = 0;
    world.setPreSolve([&](ContactManifoldView& manifold) {
        EXPECT_EQ(manifold.a, box);
        EXPECT_EQ(manifold.b, floor);
        EXPECT_NEAR(manifold.normal.y, -1, 1e-5);
        EXPECT_EQ(manifold.points.size(), 4u);
        for (const ManifoldPoint& point : manifold.points) {
            EXPECT_NEAR(point.depth, 0.01, 1e-4);
            EXPECT_NEAR(std::fabs(point.position.x - 3), 0.5, 1e-3);
            EXPECT_NEAR(point.velocity.x, -1, 1e-4);  // of the floor against the box
            EXPECT_NEAR(point.velocity.y, 2, 1e-4);
        }
        EXPECT_NEAR(manifold.friction, 0.5, 1e-6);
        ++calls;
    });
    world.step(Real(1) / 60);
    EXPECT_GE(calls, 1);
}

// The same on any number of threads, after a restore into a world with the same functions, and in a replay that sets them.
TEST(PreSolveView, KeepsRunsReproducible) {
    const auto prepare = [](World& world) {
        world.setContactFilter([&world](BodyId a, BodyId b) { return world.userData(a) != 7 || world.userData(b) != 7; });
        world.setPreSolve([](ContactManifoldView& manifold) {
            manifold.friction = manifold.points[0].position.x > 0 ? Real(0.1) : Real(0.9);
            if (manifold.points[0].velocity.y > 2)
                manifold.isEnabled = false;
        });
    };
    class Log : public CallLog {
    public:
        void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
        std::vector<std::byte> bytes;
    };
    std::vector<std::uint64_t> expected;
    for (const int threads : {1, 2, 4}) {
        WorldDef def;
        def.threads = threads;
        scenes::BoxScene scene = scenes::boxPile(def, 5, 3);
        for (std::size_t i = 0; i < scene.moving.size(); i += 3)
            scene.world.setUserData(scene.moving[i].id, 7);
        prepare(scene.world);
        Log log;
        scene.world.record(&log);
        std::vector<std::uint64_t> hashes = support::hashesOf(scene.world, 20);
        const std::vector<std::byte> middle = scene.world.snapshot();
        const std::vector<std::uint64_t> rest = support::hashesOf(scene.world, 20);
        hashes.insert(hashes.end(), rest.begin(), rest.end());
        World other;
        prepare(other);
        other.restore(middle);
        EXPECT_EQ(support::hashesOf(other, 20), rest);
        scene.world.record(nullptr);
        const ReplayReport report = replay(log.bytes, 0, prepare);
        EXPECT_FALSE(report.difference.has_value());
        EXPECT_EQ(report.steps, 40u);
        EXPECT_TRUE(replay(log.bytes).difference.has_value());  // without them it goes another way
        if (threads == 1)
            expected = hashes;
        EXPECT_EQ(hashes, expected) << threads;
    }
}

// The papers' stepper asks too.
TEST(PreSolveView, HoldsForTheImpulseStepper) {
    World world({.stepper = Stepper::Impulse});
    const BodyId floor = addFloor(world);
    const BodyId ghost = world.addBody({.position = vec(0, 0.6, 0)}), solid = world.addBody({.position = vec(4, 0.6, 0)});
    world.setPreSolve([&](ContactManifoldView& manifold) { manifold.isEnabled = manifold.a != ghost && manifold.b != ghost; });
    for (int i = 0; i < 60; ++i)
        world.step(support::kStep);
    EXPECT_LT(world.position(ghost).y, -5);
    EXPECT_NEAR(world.position(solid).y, 0.5, 0.02);
    EXPECT_TRUE(world.isValid(floor));
}

}  // namespace
}  // namespace sunder
