// A world that is taken back goes on as it did the first time, to the bit; bytes that are not a snapshot change nothing.
#include <gtest/gtest.h>

#include <cstring>

#include "support/hashes.h"
#include "support/random_calls.h"
#include "world/persist/snapshot.h"

namespace sunder {
namespace {

using support::hashesOf;
using support::kStep;
using support::RandomCalls;

struct Case {
    const char* name;
    Stepper stepper;
    int threads;
};

WorldDef definitionOf(const Case& c) {
    WorldDef def;
    def.stepper = c.stepper;
    def.threads = c.threads;
    return def;
}

class SnapshotOf : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(, SnapshotOf,
                         testing::Values(Case{"FrameRate1", Stepper::FrameRate, 1}, Case{"FrameRate2", Stepper::FrameRate, 2},
                                         Case{"FrameRate3", Stepper::FrameRate, 3}, Case{"FrameRate4", Stepper::FrameRate, 4},
                                         Case{"Impulse1", Stepper::Impulse, 1}, Case{"Impulse4", Stepper::Impulse, 4},
                                         Case{"Damped1", Stepper::Damped, 1}, Case{"Timewarp1", Stepper::Timewarp, 1},
                                         Case{"TimewarpSafer2", Stepper::TimewarpSafer, 2}),
                         [](const auto& kind) { return kind.param.name; });

// Fact 27. Restored in the same world, in a new one on another number of threads, and from memory.
TEST_P(SnapshotOf, AnyFrameContinuesAsItDid) {
    constexpr int kFrames = 24, kAhead = 12;
    World world(definitionOf(GetParam()));
    RandomCalls calls(world, 7);
    calls.populate(25);
    std::vector<std::vector<std::byte>> snapshots;
    std::vector<Checkpoint> checkpoints;
    std::vector<std::uint64_t> hashes;
    for (int frame = 0; frame < kFrames + kAhead; ++frame) {
        if (frame < kFrames) {
            snapshots.push_back(world.snapshot());
            checkpoints.push_back(world.checkpoint());
        }
        hashes.push_back(world.hash());
        world.step(kStep);
    }
    WorldDef other = definitionOf(GetParam());
    other.threads = 3 - GetParam().threads % 2;
    other.gravity = {};
    for (int frame = kFrames - 1; frame >= 0; frame -= 3) {
        const std::vector<std::uint64_t> expected(hashes.begin() + frame + 1, hashes.begin() + frame + kAhead);
        World fresh(other);
        fresh.restore(snapshots[frame]);
        EXPECT_EQ(fresh.settings().threads, other.threads);
        EXPECT_EQ(fresh.hash(), hashes[frame]);
        EXPECT_TRUE(fresh.snapshot() == snapshots[frame]);
        EXPECT_EQ(hashesOf(fresh, kAhead - 1), expected) << "frame " << frame;
        world.restore(snapshots[frame]);
        EXPECT_TRUE(world.snapshot() == snapshots[frame]);
        EXPECT_EQ(hashesOf(world, kAhead - 1), expected) << "frame " << frame;
        world.rewind(checkpoints[frame]);
        EXPECT_TRUE(world.snapshot() == snapshots[frame]);
        EXPECT_EQ(hashesOf(world, kAhead - 1), expected) << "frame " << frame;
    }
}

// Every call between two steps, and bodies added and removed after the snapshot.
TEST_P(SnapshotOf, ContinuesAfterAnyCall) {
    World world(definitionOf(GetParam())), shadow(definitionOf(GetParam()));
    RandomCalls calls(world, 11);
    calls.populate(8);
    const int rounds = (GetParam().stepper == Stepper::FrameRate && GetParam().threads == 1 ? 2 : 1) * int(RandomCalls::kKinds);
    for (int round = 0; round < rounds; ++round) {
        calls.call(std::uint32_t(round) % RandomCalls::kKinds);
        const std::vector<std::byte> snapshot = world.snapshot();
        shadow.restore(snapshot);
        ASSERT_EQ(shadow.hash(), world.hash()) << "round " << round;
        RandomCalls disturbance(shadow, std::uint64_t(round));
        for (int i = 0; i < 10; ++i)
            disturbance.call();
        shadow.step(kStep);
        shadow.restore(snapshot);
        ASSERT_TRUE(shadow.snapshot() == snapshot) << "round " << round;
        // What is added next gets the handle it would have got.
        ASSERT_EQ(shadow.addBody({}), world.addBody({})) << "round " << round;
        ASSERT_EQ(hashesOf(world, 2), hashesOf(shadow, 2)) << "round " << round;
        ASSERT_EQ(world.contactEvents().size(), shadow.contactEvents().size());
    }
}

TEST(Snapshot, HandlesMeanWhatTheyMeantThen) {
    World world;
    const BodyId kept = world.addBody({.name = "kept", .position = {0, 1, 0}, .userData = 5});
    const BodyId removed = world.addBody({.name = "removed"});
    world.removeBody(removed);
    const std::vector<std::byte> snapshot = world.snapshot();
    const BodyId later = world.addBody({.name = "later"});  // in the slot of the removed one
    EXPECT_EQ(later.index, removed.index);
    world.setUserData(kept, 6);
    world.removeBody(kept);
    world.restore(snapshot);
    EXPECT_TRUE(world.isValid(kept));
    EXPECT_EQ(world.userData(kept), 5u);
    EXPECT_EQ(world.name(kept), "kept");
    EXPECT_FALSE(world.isValid(removed));
    EXPECT_FALSE(world.isValid(later));
    EXPECT_EQ(world.bodies().size(), 1u);
    EXPECT_EQ(world.addBody({}), later);
}

TEST(Snapshot, KeepsResultsOfTheLastStep) {
    World world;
    world.addBody({.shape = Box{{5, 1, 5}}, .motion = Motion::Static, .position = {0, -1, 0}});
    const BodyId lost = world.addBody({.name = "lost", .position = {9, 9, 9}});
    const BodyId cube = world.addBody({.position = {0, Real(0.49), 0}});
    world.setVelocity(lost, {std::numeric_limits<Real>::max(), 0, 0});
    world.step(kStep);
    world.removeBody(cube);  // the end of its contact is yet to be reported
    const WorldStats stats = world.stats();
    World fresh;
    fresh.restore(world.snapshot());
    ASSERT_EQ(fresh.errorEvents().size(), 1u);
    EXPECT_EQ(fresh.errorEvents()[0].message, world.errorEvents()[0].message);
    ASSERT_EQ(fresh.contactEvents().size(), 1u);
    EXPECT_EQ(fresh.contactEvents()[0].b, cube);
    EXPECT_EQ(fresh.contactEvents()[0].impulse, world.contactEvents()[0].impulse);
    EXPECT_EQ(fresh.stats().step, stats.step);
    EXPECT_EQ(fresh.stats().contacts, stats.contacts);
    EXPECT_EQ(fresh.stats().maxPenetration, stats.maxPenetration);
    EXPECT_EQ(fresh.stats().passesPerContact, stats.passesPerContact);
    fresh.step(kStep);
    ASSERT_EQ(fresh.contactEvents().size(), 1u);
    EXPECT_EQ(fresh.contactEvents()[0].phase, ContactPhase::End);
}

// Shapes are stored once, and those that are still there are used again.
TEST(Snapshot, SharesShapes) {
    World world;
    Hull hull;
    RandomCalls random(world, 3);
    for (int i = 0; i < 200; ++i)
        hull.points.push_back(random.vector(1));
    const SharedShape shared = buildShape(hull);
    const BodyId first = world.addBody({.shape = shared});
    const std::size_t one = world.snapshot().size();
    for (int i = 1; i < 50; ++i)
        world.addBody({.shape = i % 2 ? Shape(shared) : Shape(hull), .position = {Real(3 * i), 0, 0}});
    const std::vector<std::byte> snapshot = world.snapshot();
    EXPECT_LT(snapshot.size(), one + 49 * 150 * sizeof(Real));  // a hull alone takes 200 * 12 bytes
    const long uses = shared.use_count();
    world.restore(snapshot);
    EXPECT_EQ(std::get<SharedShape>(world.shape(first)), shared);
    EXPECT_GE(shared.use_count(), uses);
    World fresh;
    fresh.restore(snapshot);
    const std::vector<BodyId> bodies = fresh.bodies();
    EXPECT_EQ(std::get<SharedShape>(fresh.shape(bodies[1])), std::get<SharedShape>(fresh.shape(bodies[3])));
    EXPECT_EQ(std::get<Hull>(fresh.shape(bodies[2])).points, hull.points);
    // A compound that is made of it still is.
    world.addBody({.shape = buildShape(Compound{{{.shape = shared}, {.shape = Sphere{}}}})});
    fresh.restore(world.snapshot());
    EXPECT_EQ(hashesOf(world, 3), hashesOf(fresh, 3));
}

std::vector<std::byte> smallSnapshot() {
    World world;
    RandomCalls calls(world, 5);
    world.addBody({.name = "floor", .shape = Box{{3, 1, 3}}, .motion = Motion::Static, .position = {0, -1, 0}});
    world.addBody({.shape = calls.solid(4), .position = {0, Real(0.2), 0}});
    world.addBody({.shape = buildShape(calls.solid(5)), .position = {0, Real(0.6), 0}});
    world.removeBody(world.addBody({}));
    for (int i = 0; i < 5; ++i)
        world.step(kStep);
    return world.snapshot();
}

std::string whyRefused(World& world, std::span<const std::byte> bytes) {
    try {
        world.restore(bytes);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Snapshot, RefusesEveryDamage) {
    const std::vector<std::byte> good = smallSnapshot();
    World world;
    RandomCalls(world, 1).populate(3);
    world.step(kStep);
    const std::uint64_t before = world.hash();
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::vector<std::byte> bad = good;
        for (const int bit : {0, 7}) {
            bad[at] = good[at] ^ std::byte(1 << bit);
            ASSERT_EQ(whyRefused(world, bad).rfind("snapshot: ", 0), 0u) << "byte " << at;
        }
        ASSERT_NE(whyRefused(world, std::span(good).first(at)), "") << "cut at " << at;
    }
    std::vector<std::byte> longer = good;
    longer.push_back({});
    EXPECT_NE(whyRefused(world, longer), "");
    EXPECT_EQ(world.hash(), before);
    EXPECT_EQ(whyRefused(world, good), "");
}

TEST(Snapshot, SaysWhyItRefuses) {
    const std::vector<std::byte> good = smallSnapshot();
    World world;
    const auto whyAfter = [&](std::size_t at) {
        std::vector<std::byte> bad = good;
        bad[at] ^= std::byte(6);
        return whyRefused(world, bad);
    };
    EXPECT_NE(whyAfter(0).find("not a snapshot"), std::string::npos);
    EXPECT_NE(whyAfter(8).find("version 1 is not known (7)"), std::string::npos) << whyAfter(8);
    EXPECT_NE(whyAfter(12).find("bytes per number"), std::string::npos) << whyAfter(12);
    EXPECT_NE(whyAfter(16).find("another version"), std::string::npos) << whyAfter(16);
    EXPECT_NE(whyAfter(24).find("size"), std::string::npos) << whyAfter(24);
    EXPECT_NE(whyAfter(50).find("checksum"), std::string::npos) << whyAfter(50);
}

// Contents that lie under a checksum that matches: refused, or a world that steps.
TEST(Snapshot, LiesWithAGoodChecksumDoNoHarm) {
    const std::vector<std::byte> good = smallSnapshot();
    const std::span<const std::byte> contents = std::span(good).subspan(world::kSnapshotHeaderSize);
    int refused = 0, accepted = 0;
    for (std::size_t at = 0; at < contents.size(); ++at)
        for (const int flip : {0x01, 0xc0}) {
            std::vector<std::byte> lie(contents.begin(), contents.end());
            lie[at] ^= std::byte(flip);
            World world;
            if (!whyRefused(world, world::sealSnapshot(lie)).empty()) {
                ++refused;
                continue;
            }
            ++accepted;
            world.step(kStep);
        }
    EXPECT_GT(refused, 500);
    EXPECT_GT(accepted, 500);
}

TEST(Snapshot, OfAnEmptyWorld) {
    World world, other;
    other.addBody({});
    other.step(kStep);
    other.restore(world.snapshot());
    EXPECT_EQ(other.hash(), world.hash());
    EXPECT_TRUE(other.bodies().empty());
    EXPECT_THROW(other.rewind({}), Error);
    other.rewind(world.checkpoint());
    EXPECT_THROW(other.restore({}), Error);
}

}  // namespace
}  // namespace sunder
