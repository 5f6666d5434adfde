// A log repeats a run to the bit, says at which step another run differs, and survives a crash up to its last record.
#include "sunder/replay.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/checksum.h"
#include "support/random_calls.h"
#include "world/persist/recorder.h"

namespace sunder {
namespace {

using support::RandomCalls;

constexpr Real kStep = Real(1) / 30;

class MemoryLog : public CallLog {
public:
    void write(std::span<const std::byte> record) override {
        starts.push_back(bytes.size());
        bytes.insert(bytes.end(), record.begin(), record.end());
    }
    std::vector<std::byte> bytes;
    std::vector<std::size_t> starts;  // of the header, then of the records
};

// Random calls and steps, a restore and a rewind among them; returns the last hash.
std::uint64_t recordRun(CallLog& log, int steps, const WorldDef& def = {}, std::uint64_t seed = 3) {
    World world(def);
    RandomCalls calls(world, seed);
    world.record(&log);
    calls.populate(10);
    std::vector<std::byte> snapshot;
    Checkpoint checkpoint;
    for (int i = 0; i < steps; ++i) {
        for (int j = 0; j < 3; ++j)
            calls.call();
        if (i == steps / 4) {
            snapshot = world.snapshot();
            checkpoint = world.checkpoint();
        }
        if (i == steps / 2)
            world.restore(snapshot);
        if (i == 3 * steps / 4)
            world.rewind(checkpoint);
        world.step(kStep);
    }
    world.record(nullptr);
    const std::uint64_t hash = world.hash();
    calls.call(0);  // no longer recorded
    return hash;
}

TEST(Replay, RepeatsEveryCallOnAnyThreads) {
    for (const Stepper stepper :
         {Stepper::FrameRate, Stepper::Impulse, Stepper::Damped, Stepper::Timewarp, Stepper::TimewarpSafer}) {
        WorldDef def;
        def.stepper = stepper;
        def.threads = 2;
        MemoryLog log;
        const std::uint64_t hash = recordRun(log, 24, def);
        for (const int threads : {0, 1, 3}) {
            const ReplayReport report = replay(log.bytes, threads);
            EXPECT_FALSE(report.difference.has_value());
            EXPECT_FALSE(report.cutShort);
            EXPECT_EQ(report.steps, 24u);
            EXPECT_GT(report.calls, 24u + 12u);
            EXPECT_EQ(report.hash, hash);
        }
    }
}

// Every method that changes a world is in the log: each kind of call on its own.
TEST(Replay, MissesNoMethod) {
    for (std::uint32_t kind = 0; kind < RandomCalls::kKinds; ++kind) {
        MemoryLog log;
        World world;
        RandomCalls calls(world, 40 + kind);
        calls.populate(6);
        world.step(kStep);
        world.record(&log);
        for (int i = 0; i < 4; ++i) {
            calls.call(kind);
            world.step(kStep);
        }
        const ReplayReport report = replay(log.bytes);
        EXPECT_FALSE(report.difference.has_value()) << "kind " << kind;
        EXPECT_EQ(report.hash, world.hash()) << "kind " << kind;
    }
}

TEST(Replay, LogsOnlyWhatWasAccepted) {
    MemoryLog log;
    World world;
    world.record(&log);
    const BodyId body = world.addBody({});
    const std::size_t records = log.starts.size();
    EXPECT_THROW(world.addBody({.linearDamping = -1}), Error);
    EXPECT_THROW(world.setVelocity({5, 5}, {}), Error);
    EXPECT_THROW(world.moveTo(body, {}, {}), Error);
    EXPECT_THROW(world.setMotion(body, Motion(7)), Error);
    EXPECT_THROW(world.setShape(body, Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}), Error);
    EXPECT_FALSE(world.removeBody({5, 5}));
    EXPECT_THROW(world.step(-1), Error);
    EXPECT_EQ(log.starts.size(), records);
    world.addImpulseAt(body, {1, 0, 0}, {0, 1, 0});  // one call, although it is two impulses
    EXPECT_EQ(log.starts.size(), records + 1);
}

// What cannot be built is known only once it is tried: such calls leave no record, and the world as it was.
TEST(Replay, LeavesOutWhatCannotBeBuilt) {
    MemoryLog log;
    World world;
    world.record(&log);
    FractureDef coarse;
    coarse.method = Prescored{.pattern = buildPattern({.nodes = 33})};
    coarse.threshold = Real(1e6);
    coarse.cell = Real(0.2);
    world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    BodyDef cube{.position = {0, Real(0.5), 0}};
    cube.fracture = coarse;
    const BodyId body = world.addBody(cube);
    const BodyId other = world.addBody({.position = {0, Real(1.5), 0}});
    for (int i = 0; i < 40; ++i)
        world.step(kStep);
    const std::size_t records = log.starts.size();
    const std::uint64_t before = world.hash();
    const Box thin{{1, Real(0.01), 1}};
    BodyDef plate{.shape = thin};
    plate.fracture = coarse;
    BodyDef unbonded{.shape = Box{}};
    unbonded.bonds = BondsDef{};
    unbonded.bonds->bonds.push_back({.a = 0, .b = 1});
    const Hull flat{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}}};
    EXPECT_THROW(world.addBody(plate), Error);
    EXPECT_THROW(world.addBody(unbonded), Error);
    EXPECT_THROW(world.addBody({.shape = flat}), Error);
    EXPECT_THROW(world.setShape(body, thin), Error);
    EXPECT_THROW(world.setShape(other, flat), Error);
    EXPECT_EQ(log.starts.size(), records);
    EXPECT_EQ(world.hash(), before);
    EXPECT_TRUE(std::holds_alternative<Box>(world.shape(body)));
    EXPECT_EQ(std::get<Box>(world.shape(body)).halfExtents, Box{}.halfExtents);
    for (int i = 0; i < 20; ++i)
        world.step(kStep);
    const ReplayReport report = replay(log.bytes);
    EXPECT_FALSE(report.difference);
    EXPECT_EQ(report.hash, world.hash());
}

// Changes the n-th step's length in its last bit.
void changeStep(MemoryLog& log, int n) {
    constexpr std::uint8_t kStepCode = world::callCode<&World::step>(world::Calls{});
    for (std::size_t i = 1; i < log.starts.size(); ++i) {
        std::byte* record = log.bytes.data() + log.starts[i] + 4;
        if (record[0] != std::byte(world::RecordKind::Call) || record[1] != std::byte(kStepCode) || --n > 0)
            continue;
        record[2] ^= std::byte(1);
        const std::uint64_t sum = checksum({record, 2 + sizeof(Real)});
        std::memcpy(record + 2 + sizeof(Real), &sum, sizeof(sum));
        return;
    }
    FAIL();
}

TEST(Replay, NamesTheFirstStepThatDiffers) {
    for (const int step : {1, 2, 17, 24}) {
        MemoryLog log;
        recordRun(log, 24);
        changeStep(log, step);
        const ReplayReport report = replay(log.bytes);
        ASSERT_TRUE(report.difference.has_value()) << step;
        EXPECT_EQ(report.difference->step, std::uint64_t(step));
        EXPECT_EQ(report.steps, std::uint64_t(step));
        EXPECT_NE(report.difference->recorded, report.difference->repeated);
        EXPECT_EQ(report.hash, report.difference->repeated);
    }
}

TEST(Replay, ReadsUpToTheLastWholeRecord) {
    MemoryLog log;
    recordRun(log, 6);
    const std::span<const std::byte> whole = log.bytes;
    EXPECT_FALSE(replay(whole).cutShort);
    for (std::size_t i = 2; i < log.starts.size(); ++i) {
        EXPECT_FALSE(replay(whole.first(log.starts[i])).cutShort);
        const std::size_t next = i + 1 < log.starts.size() ? log.starts[i + 1] : whole.size();
        for (const std::size_t cut : {log.starts[i] + 1, (log.starts[i] + next) / 2, next - 1}) {
            const ReplayReport report = replay(whole.first(cut));
            EXPECT_TRUE(report.cutShort) << i;
            EXPECT_FALSE(report.difference.has_value()) << i;
        }
    }
    EXPECT_THROW(replay(whole.first(log.starts[2] - 1)), Error);  // not even a beginning
}

std::string whyRefused(std::span<const std::byte> log) {
    try {
        const ReplayReport report = replay(log);
        return report.cutShort ? "cut short" : "";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(Replay, RefusesWhatIsDamaged) {
    MemoryLog log;
    World world;
    world.record(&log);
    world.addBody({.shape = buildShape(Box{})});
    world.addBody({.name = "ball", .shape = Sphere{}});
    world.step(kStep);
    for (std::size_t at = 0; at < log.bytes.size(); ++at) {
        std::vector<std::byte> bad = log.bytes;
        bad[at] ^= std::byte(4);
        const std::string why = whyRefused(bad);
        EXPECT_TRUE(why == "cut short" || why.rfind("log: ", 0) == 0) << "byte " << at << ": " << why;
    }
    EXPECT_NE(whyRefused({}).find("not a log"), std::string::npos);
    EXPECT_NE(whyRefused(world.snapshot()).find("not a log"), std::string::npos);
}

}  // namespace
}  // namespace sunder
