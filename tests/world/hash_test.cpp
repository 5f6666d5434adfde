// The hash of the state: the same for any number of threads and any task runner, different after any change.
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "scenes/bit_flips.h"
#include "scenes/piles.h"
#include "support/hashes.h"

namespace sunder {
namespace {

using scenes::vec;
using support::hashesOf;
using support::kStep;

// Fact 26.
TEST(Hash, IsTheSameForAnyNumberOfThreads) {
    std::vector<std::uint64_t> expected;
    for (int threads = 1; threads <= 4; ++threads) {
        WorldDef def;
        def.threads = threads;
        scenes::BoxScene scene = scenes::boxPile(def, 6, 4, {.restitution = Real(0.3)});
        const std::vector<std::uint64_t> hashes = hashesOf(scene.world, 60);
        if (threads == 1)
            expected = hashes;
        EXPECT_EQ(hashes, expected) << threads << " threads";
    }
    EXPECT_NE(expected.front(), expected.back());
}

TEST(Hash, IsTheSameForMixedShapesOnAnyNumberOfThreads) {
    std::vector<std::uint64_t> expected;
    for (int threads = 1; threads <= 4; ++threads) {
        WorldDef def;
        def.threads = threads;
        scenes::MixedPile pile = scenes::mixedPile(def, 6, 3);
        const std::vector<std::uint64_t> hashes = hashesOf(pile.world, 40);
        if (threads == 1)
            expected = hashes;
        EXPECT_EQ(hashes, expected) << threads << " threads";
    }
}

// A host's own threads: every task in reverse order, on two threads.
class BackwardRunner : public TaskRunner {
public:
    int concurrency() const override { return 2; }
    void run(int count, void (*function)(void* context, int index), void* context) override {
        ++calls;
        const int half = count / 2;
        std::thread other([&] {
            for (int i = half - 1; i >= 0; --i)
                function(context, i);
        });
        for (int i = count - 1; i >= half; --i)
            function(context, i);
        other.join();
    }
    int calls = 0;
};

TEST(Hash, IsTheSameOnTheHostsThreads) {
    scenes::BoxScene own = scenes::boxPile({}, 5, 3.5);
    BackwardRunner runner;
    scenes::BoxScene hosted = scenes::boxPile({}, 0, 3.5);
    hosted.world = World(WorldDef{}, &runner);
    for (const auto* records : {&own.fixed, &own.moving})
        for (const scenes::BoxRecord& box : *records)
            hosted.world.addBody({.shape = Box{box.halfExtents},
                                  .motion = box.fixed ? Motion::Static : Motion::Dynamic,
                                  .position = own.world.position(box.id),
                                  .angularVelocity = own.world.angularVelocity(box.id)});
    EXPECT_EQ(own.world.hash(), hosted.world.hash());
    EXPECT_EQ(hashesOf(own.world, 40), hashesOf(hosted.world, 40));
    EXPECT_GT(runner.calls, 0);
}

TEST(Hash, SeesEveryBitOfABodysState) {
    scenes::BoxScene scene = scenes::boxPile({}, 3, 2.2);
    for (int i = 0; i < 30; ++i)
        scene.world.step(kStep);
    for (const std::size_t i : {std::size_t(0), std::size_t(13)}) {
        const scenes::BitFlips flips = scenes::flipEveryBit(scene.world, scene.moving[i].id);
        EXPECT_EQ(flips.missed, 0) << "first " << flips.firstMissed;
        EXPECT_GT(flips.tried, 500);
    }
}

// What is not a number of its own but also decides what happens next.
TEST(Hash, SeesEveryOtherChange) {
    World world;
    const BodyId floor = world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    const BodyId cube = world.addBody({.position = vec(0, 0.5, 0)});
    const BodyId lift = world.addBody({.motion = Motion::Kinematic, .position = vec(5, 0.5, 0)});
    for (int i = 0; i < 5; ++i)
        world.step(kStep);
    const std::vector<std::pair<const char*, std::function<void()>>> changes{
        {"addForce", [&] { world.addForce(cube, vec(1, 0, 0)); }},
        {"addTorque", [&] { world.addTorque(cube, vec(1, 0, 0)); }},
        {"addImpulse", [&] { world.addImpulse(cube, vec(1, 0, 0)); }},
        {"moveTo", [&] { world.moveTo(lift, vec(5, 0.5, 1), {}); }},
        {"setLockedAxes", [&] { world.setLockedAxes(cube, kLockRz); }},
        {"setFilter, layer", [&] { world.setFilter(cube, 3, 0xffffffffu); }},
        {"setFilter, mask", [&] { world.setFilter(cube, 3, 0x7fffffffu); }},
        {"setCenterOfMass", [&] { world.setCenterOfMass(cube, vec(0.1, 0, 0)); }},
        {"setShape, dynamic", [&] { world.setShape(cube, Box{vec(0.5, 0.5, 0.4)}); }},
        {"setShape, static", [&] { world.setShape(floor, Box{vec(20, 0.5, 10)}); }},
        {"setMotion", [&] { world.setMotion(lift, Motion::Static); }},
        {"addBody", [&] { world.addBody({.position = vec(0, 9, 0)}); }},
        {"removeBody", [&] { world.removeBody(lift); }},
        {"step", [&] { world.step(kStep); }},
    };
    for (const auto& [name, change] : changes) {
        const std::uint64_t before = world.hash();
        change();
        EXPECT_NE(world.hash(), before) << name;
    }
}

TEST(Hash, SeesKeyframes) {
    const auto hashWith = [](double height) {
        World world;
        BodyDef def{.motion = Motion::Kinematic};
        def.keyframes = {{.time = 0}, {.time = 1, .position = vec(0, height, 0)}};
        world.addBody(def);
        return world.hash();
    };
    EXPECT_NE(hashWith(1), hashWith(2));
}

// User data and names do not change what happens.
TEST(Hash, DoesNotSeeUserData) {
    World world;
    const BodyId cube = world.addBody({});
    const std::uint64_t before = world.hash();
    world.setUserData(cube, 5);
    EXPECT_EQ(world.hash(), before);
}

// Fact 24.
TEST(Hash, StaysInAStepOfZeroLength) {
    scenes::BoxScene scene = scenes::boxPile({}, 3, 2.2);
    for (int i = 0; i < 20; ++i)
        scene.world.step(kStep);
    scene.world.addForce(scene.moving[0].id, vec(5, 0, 0));
    const std::uint64_t before = scene.world.hash();
    const Vec3 position = scene.world.position(scene.moving[5].id);
    scene.world.step(0);
    EXPECT_EQ(scene.world.hash(), before);
    EXPECT_EQ(scene.world.position(scene.moving[5].id), position);
    EXPECT_TRUE(scene.world.contactEvents().empty());
    EXPECT_TRUE(scene.world.errorEvents().empty());
}

// The same calls give the same bits, in a world of its own and after another has run.
TEST(Hash, IsTheSameWhenRepeated) {
    scenes::BoxScene first = scenes::boxPile({}, 4, 3);
    const std::vector<std::uint64_t> hashes = hashesOf(first.world, 40);
    scenes::BoxScene second = scenes::boxPile({}, 4, 3);
    EXPECT_EQ(hashesOf(second.world, 40), hashes);
}

}  // namespace
}  // namespace sunder
