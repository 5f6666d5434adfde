// What is recorded comes back, within the stated errors, from any frame, also from a file that was cut off.
#include "sunder/scene/recording.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "scene/recording/format.h"
#include "scene/recording_for_tests.h"
#include "scene/scene_for_tests.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

// 3/2 of the stated angle's error in float: comparing two rotations in float adds its own rounding.
constexpr double kAngle = sizeof(Real) == 8 ? kRecordedAngleError : 1.5 * kRecordedAngleError;

void expectFrame(const Recording& recording) {
    const int frame = recording.frame();
    std::size_t i = 0;
    for (std::uint32_t track = 0; track < 5; ++track) {
        if (!FormulaRun::isThere(track, frame))
            continue;
        ASSERT_LT(i, recording.living().size());
        ASSERT_EQ(recording.living()[i], track);
        const Pose expected = FormulaRun::pose(track, frame), got = recording.poses()[i++];
        // Half a quantum per axis, and float's rounding of a few metres.
        const double bound = recording.info().quantum / 2 + 1e-6;
        EXPECT_NEAR(got.position.x, expected.position.x, bound) << track << " in frame " << frame;
        EXPECT_NEAR(got.position.y, expected.position.y, bound) << track << " in frame " << frame;
        EXPECT_NEAR(got.position.z, expected.position.z, bound) << track << " in frame " << frame;
        EXPECT_LE(angleBetween(got.orientation, expected.orientation), kAngle) << track << " in frame " << frame;
    }
    EXPECT_EQ(i, recording.living().size());
    EXPECT_EQ(recording.stats()[0], frame);
    EXPECT_EQ(recording.hash(), std::uint64_t(frame) * 77);
    EXPECT_EQ(recording.events().size(), frame == FormulaRun::kBreakFrame ? 1u : 0u);
}

TEST(Recording, GivesBackEveryFrame) {
    const TemporaryFolder folder;
    FormulaRun run;
    run.write(folder / "a.sunder");
    Recording recording = Recording::open(folder / "a.sunder");
    EXPECT_EQ(recording.warning(), "");
    ASSERT_EQ(recording.frameCount(), run.frames);
    for (int frame = 0; frame < run.frames; ++frame) {
        recording.seek(frame);
        expectFrame(recording);
    }
    recording.seek(FormulaRun::kBreakFrame);
    ASSERT_EQ(recording.events().size(), 1u);
    const RecordedEvent& event = recording.events()[0];
    EXPECT_EQ(event.type, RecordedEventType::Break);
    EXPECT_EQ(event.a, 2u);
    EXPECT_EQ(event.b, kNoTrack);
    EXPECT_NEAR(event.point.x, -1, 1e-3);
    EXPECT_EQ(event.normal, (Vec3{0, 1, 0}));
    EXPECT_EQ(event.impulse, 7);
    EXPECT_EQ(event.text, "broke");
    EXPECT_EQ(recording.info().name, "formula");
    EXPECT_EQ(recording.info().camera->target.y, 1);
    ASSERT_EQ(recording.thumbnails().size(), 1u);
    EXPECT_EQ(recording.thumbnails()[0].png, "not really a picture");
    EXPECT_EQ(recording.thumbnails()[0].frame, 20);
}

TEST(Recording, SeekingInAnyOrderGivesTheSameFrames) {
    const TemporaryFolder folder;
    FormulaRun run;
    run.write(folder / "a.sunder");
    Recording recording = Recording::open(folder / "a.sunder");
    for (const int frame : {39, 0, 12, 13, 14, 26, 27, 10, 9, 38, 1, 20, 20}) {
        recording.seek(frame);
        EXPECT_EQ(recording.frame(), frame);
        expectFrame(recording);
    }
    EXPECT_THROW(recording.seek(40), Error);
    EXPECT_THROW(recording.seek(-1), Error);
}

TEST(Recording, KnowsWhenBodiesAreThereAndWhatTheyCameFrom) {
    const TemporaryFolder folder;
    FormulaRun{}.write(folder / "a.sunder");
    const Recording recording = Recording::open(folder / "a.sunder");
    ASSERT_EQ(recording.tracks().size(), 5u);
    const auto life = [&](int track) {
        return std::pair{recording.tracks()[track].firstFrame, recording.tracks()[track].endFrame};
    };
    EXPECT_EQ(life(0), std::pair(0, 40));
    EXPECT_EQ(life(2), std::pair(0, 13));
    EXPECT_EQ(life(3), std::pair(13, 40));
    EXPECT_EQ(life(4), std::pair(13, 27));
    EXPECT_EQ(recording.tracks()[1].def.parent, kNoTrack);
    EXPECT_EQ(recording.tracks()[3].def.parent, 2u);
    EXPECT_EQ(recording.tracks()[0].def.motion, Motion::Static);
}

TEST(Recording, SurfacesComeBackOnceEach) {
    const TemporaryFolder folder;
    FormulaRun{}.write(folder / "a.sunder");
    const Recording recording = Recording::open(folder / "a.sunder");
    ASSERT_EQ(recording.surfaceCount(), 4);
    EXPECT_EQ(std::get<Box>(recording.surface(1).solids[0].solid).halfExtents, (Vec3{Real(0.2f), Real(0.3f), Real(0.4f)}));
    const Surface expected = brokenOctahedron(), got = std::get<Surface>(recording.surface(3).solids[0].solid);
    EXPECT_EQ(got.triangles, expected.triangles);
    EXPECT_EQ(got.ranges, expected.ranges);
    for (std::size_t i = 0; i < expected.positions.size(); ++i) {
        // 2^-19 of the extent of 0.6 m; half a step of 2^-12 of a right angle's half; 2^-17 of an extent of 2.
        EXPECT_LE(length(got.positions[i] - expected.positions[i]), 0.6 / (1 << 18));
        EXPECT_GE(dot(got.normals[i], expected.normals[i]), 1 - 1e-6);
        EXPECT_NEAR(got.textureCoordinates[i][0], expected.textureCoordinates[i][0], 2.0 / (1 << 16));
    }
}

TEST(Recording, TheIndexIsTheSameAsGoingThroughTheFile) {
    const TemporaryFolder folder;
    FormulaRun{}.write(folder / "whole.sunder");
    std::vector<std::byte> bytes = bytesOf(folder / "whole.sunder");
    const Recording whole = Recording::fromBytes(bytes);
    bytes.resize(bytes.size() - scene::kFootBytes);  // the index chunk is there, nothing points at it
    const Recording scanned = Recording::fromBytes(bytes);
    EXPECT_EQ(scanned.warning(), "");
    EXPECT_EQ(whole.frameCount(), scanned.frameCount());
    EXPECT_EQ(whole.surfaceCount(), scanned.surfaceCount());
    EXPECT_EQ(whole.thumbnails().size(), scanned.thumbnails().size());
    ASSERT_EQ(whole.tracks().size(), scanned.tracks().size());
    for (std::size_t i = 0; i < whole.tracks().size(); ++i) {
        EXPECT_EQ(whole.tracks()[i].def, scanned.tracks()[i].def);
        EXPECT_EQ(whole.tracks()[i].firstFrame, scanned.tracks()[i].firstFrame);
        EXPECT_EQ(whole.tracks()[i].endFrame, scanned.tracks()[i].endFrame);
    }
}

TEST(Recording, AnEndedRunLeavesNoFileWithoutAFrameAndAReadableOneWithout) {
    const TemporaryFolder folder;
    FormulaRun run;
    run.frames = 0;
    run.write(folder / "none.sunder", false);
    EXPECT_FALSE(std::filesystem::exists(folder / "none.sunder"));
    run.frames = 15;
    run.write(folder / "some.sunder", false);
    Recording recording = Recording::open(folder / "some.sunder");
    EXPECT_EQ(recording.frameCount(), 15);
    EXPECT_NE(recording.warning().find("after frame 14"), std::string::npos) << recording.warning();
    recording.seek(14);
    expectFrame(recording);
}

// Whatever is left of a recording either opens, with only whole frames in it, or says in one message what is wrong.
TEST(Recording, CutOffAnywhereItGivesWholeFramesOrAnError) {
    const TemporaryFolder folder;
    FormulaRun{}.write(folder / "a.sunder");
    const std::vector<std::byte> bytes = bytesOf(folder / "a.sunder");
    int opened = 0, lastCount = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        try {
            Recording recording = Recording::fromBytes({bytes.begin(), bytes.begin() + std::ptrdiff_t(size)}, "cut.sunder");
            ++opened;
            EXPECT_GE(recording.frameCount(), lastCount);
            if (recording.frameCount() != lastCount || size % 97 == 0) {
                lastCount = recording.frameCount();
                recording.seek(lastCount - 1);
                expectFrame(recording);
            }
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).rfind("cut.sunder: is ", 0), 0u) << error.what();
            EXPECT_EQ(lastCount, 0) << "at " << size;
        }
    }
    EXPECT_EQ(lastCount, 40);
    EXPECT_GT(opened, 1000);
}

// Reads all there is; whether it was sound.
bool readsThrough(std::vector<std::byte> bytes) {
    try {
        Recording recording = Recording::fromBytes(std::move(bytes), "x");
        for (int frame = 0; frame < recording.frameCount(); ++frame) {
            recording.seek(frame);
            EXPECT_EQ(recording.poses().size(), recording.living().size());
        }
        for (int i = 0; i < recording.surfaceCount(); ++i)
            recording.surface(std::uint32_t(i));
        recording.thumbnails();
        return recording.warning().empty();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).rfind("x: ", 0), 0u) << error.what();
        return false;
    }
}

TEST(Recording, AFlippedBitIsFound) {
    const TemporaryFolder folder;
    FormulaRun run;
    run.frames = 30;
    run.write(folder / "a.sunder");
    const std::vector<std::byte> bytes = bytesOf(folder / "a.sunder");
    ASSERT_TRUE(readsThrough(bytes));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::vector<std::byte> damaged = bytes;
        damaged[i] ^= std::byte(1u << (i % 8));
        // The foot is not needed to read the file, and four bytes of the head are kept for later.
        const bool spare = i >= bytes.size() - scene::kFootBytes || (i >= 12 && i < 16);
        EXPECT_EQ(readsThrough(std::move(damaged)), spare) << "byte " << i;
    }
}

// Contents that lie under checksums that match: no crash, no endless loop, no giant allocation.
TEST(Recording, ForgedContentsAreSurvived) {
    const TemporaryFolder folder;
    FormulaRun run;
    run.frames = 16;
    run.write(folder / "a.sunder");
    const std::vector<std::byte> bytes = bytesOf(folder / "a.sunder");
    core::Random random(7);
    for (int round = 0; round < 3000; ++round) {
        std::vector<std::byte> forged = bytes;
        std::vector<std::uint64_t> offsets;
        scene::Chunk chunk;
        for (std::uint64_t at = scene::kHeadBytes; scene::readChunk(bytes, at, chunk) == scene::ChunkFault::None;
             at += scene::kChunkHeadBytes + chunk.contents.size())
            offsets.push_back(at);
        const std::uint64_t at = offsets[random.bits() % offsets.size()];
        scene::readChunk(bytes, at, chunk);
        const std::size_t begin = at + scene::kChunkHeadBytes, size = chunk.contents.size();
        for (std::uint64_t k = 0, changes = 1 + random.bits() % 4; k < changes; ++k)
            forged[begin + random.bits() % size] = std::byte(random.bits() & 0xff);
        const std::uint64_t sum = scene::chunkChecksum(chunk.type, std::span<const std::byte>(forged).subspan(begin, size));
        std::memcpy(forged.data() + at + 8, &sum, sizeof sum);
        readsThrough(std::move(forged));
    }
}

TEST(Recording, OtherFilesAndVersionsAreNamed) {
    const TemporaryFolder folder;
    const auto messageOf = [](const std::filesystem::path& path) -> std::string {
        try {
            Recording::open(path);
        } catch (const Error& error) {
            return error.what();
        }
        return "opened";
    };
    EXPECT_NE(messageOf(folder.write("text", "hello, this is not a recording")).find("is not a recording"), std::string::npos);
    EXPECT_NE(messageOf(folder.write("empty", "")).find("is not a recording"), std::string::npos);
    EXPECT_NE(messageOf(folder / "absent").find("absent: cannot be read"), std::string::npos);
    EXPECT_NE(messageOf(folder.path()).find("is a folder"), std::string::npos);
    FormulaRun{}.write(folder / "a.sunder");
    std::string text = contentsOf(folder / "a.sunder");
    text[8] = 5;
    EXPECT_NE(messageOf(folder.write("new.sunder", text)).find("version 5 is not known (1 to 4)"), std::string::npos);
    EXPECT_THROW(RecordingWriter(folder / "no/such/folder/a.sunder", {}), Error);
}

// 500 bodies that stay: the runs and the frame's own numbers are all that is left.
TEST(Recording, BodiesThatDoNotMoveCostNothing) {
    const TemporaryFolder folder;
    RecordingInfo info;
    info.keyframeInterval = 1000;
    RecordingWriter writer(folder / "a.sunder", info);
    const std::uint32_t box = writer.addSurface(drawnShape(Box{}));
    std::vector<Pose> poses;
    for (int i = 0; i < 500; ++i) {
        writer.addTrack({"box", kNoTrack, box, Motion::Dynamic, std::uint32_t(i)});
        poses.push_back({{Real(i), 0, 0}, {}});
    }
    writer.writeFrame(poses, {}, {}, 0);
    const std::uint64_t first = writer.sizes().poses;
    for (int frame = 0; frame < 100; ++frame)
        writer.writeFrame(poses, {}, {}, 0);
    EXPECT_LE(writer.sizes().poses - first, 100u * 12);
}

TEST(Recording, APoseThatIsNotFiniteLeavesTheBodyWhereItWas) {
    const TemporaryFolder folder;
    {
        RecordingWriter writer(folder / "a.sunder", {});
        writer.addTrack({"box", kNoTrack, writer.addSurface(drawnShape(Box{})), Motion::Dynamic, 0});
        for (const Real x : {Real(1), kInfinity, Real(2), std::numeric_limits<Real>::quiet_NaN()}) {
            const Pose pose{{x, 0, 0}, {}};
            writer.writeFrame({&pose, 1}, {}, {}, 0);
        }
        writer.finish();
    }
    Recording recording = Recording::open(folder / "a.sunder");
    const Real expected[] = {1, 1, 2, 2};
    for (int frame = 0; frame < 4; ++frame) {
        recording.seek(frame);
        EXPECT_EQ(recording.poses()[0].position.x, expected[frame]);
    }
}

// Steps from far below a quantum to kilometres, turns of all sizes: every prediction fails sometimes, none may lose anything.
TEST(Recording, MotionThatNobodyCanPredictComesBack) {
    constexpr int kBodies = 40, kFrames = 200;
    const TemporaryFolder folder;
    core::Random random(3);
    const auto step = [&] { return random.between(-1, 1) * std::pow(10.0, random.between(-7, random.below(50) == 0 ? 4 : 0)); };
    std::vector<std::vector<Pose>> truth(kFrames, std::vector<Pose>(kBodies));
    RecordingInfo info;
    {
        RecordingWriter writer(folder / "a.sunder", info);
        const std::uint32_t box = writer.addSurface(drawnShape(Box{}));
        for (std::uint32_t i = 0; i < kBodies; ++i)
            writer.addTrack({"box", kNoTrack, box, Motion::Dynamic, i});
        for (int frame = 0; frame < kFrames; ++frame) {
            for (int i = 0; i < kBodies; ++i) {
                Pose pose = frame == 0 ? Pose{} : truth[frame - 1][i];
                if (frame > 0 && random.below(3) != 0) {
                    pose.position += Vec3{Real(step()), Real(step()), Real(step())};
                    pose.orientation = normalize(
                        pose.orientation * quatFromRotationVector(Vec3{Real(step()), Real(step()), Real(step())} * Real(0.3)));
                }
                truth[frame][i] = pose;
            }
            writer.writeFrame(truth[frame], {}, {}, 0);
        }
        writer.finish();
    }
    Recording recording = Recording::open(folder / "a.sunder");
    for (int frame = 0; frame < kFrames; ++frame) {
        recording.seek(frame);
        for (int i = 0; i < kBodies; ++i) {
            const Pose &expected = truth[frame][i], &got = recording.poses()[i];
            // Half a quantum per axis, and the rounding of coordinates of up to 1e4 m.
            const Real far = max(abs(expected.position).x, max(abs(expected.position).y, abs(expected.position).z));
            EXPECT_LE(length(got.position - expected.position), Real(info.quantum) + 4 * kEpsilon * far) << frame << ' ' << i;
            EXPECT_LE(angleBetween(got.orientation, expected.orientation), kAngle) << frame << ' ' << i;
        }
    }
}

TEST(Recording, FollowsARunWithBodiesThatComeAndGo) {
    const TemporaryFolder folder;
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [5, 0.5, 5] }, "position": [0, -0.5, 0] },
           { "name": "a", "shape": { "type": "sphere", "radius": 0.5 }, "position": [0, 0.6, 0] },
           { "name": "b", "shape": { "type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]] }, "position": [2, 1, 0] })"));
    SceneRunner runner(scene);
    RunRecorder recorder(folder / "a.sunder", scene, runner, {.command = "sunder run it"});
    std::vector<Pose> truth;
    World& world = runner.world();
    const BodyId b = world.find("b");
    recorder.record(runner, runner.statsLine());
    for (int frame = 1; frame <= 20; ++frame) {
        runner.stepFrame();
        if (frame == 8)
            world.removeBody(world.find("a"));
        if (frame == 12) {
            BodyDef def;
            def.name = "late";
            def.shape = Sphere{Real(0.25)};
            def.position = {0, 3, 0};
            world.addBody(def);
        }
        if (frame == 15)
            world.setShape(b, Sphere{Real(0.3)});
        recorder.record(runner, runner.statsLine());
        truth.push_back({world.position(b), world.orientation(b)});
    }
    recorder.finish();

    Recording recording = Recording::open(folder / "a.sunder");
    ASSERT_EQ(recording.tracks().size(), 5u);  // the ground, a, b, late, and b with its new shape
    EXPECT_EQ(recording.tracks()[1].endFrame, 8);
    EXPECT_EQ(recording.tracks()[2].endFrame, 15);
    EXPECT_EQ(recording.tracks()[3].def.name, "late");
    EXPECT_EQ(recording.tracks()[3].firstFrame, 12);
    EXPECT_EQ(recording.tracks()[4].def.name, "b");
    EXPECT_EQ(recording.tracks()[4].firstFrame, 15);
    EXPECT_EQ(recording.info().command, "sunder run it");
    // A scene of about 2 m: 2^-18 of it, rounded down to a power of two.
    EXPECT_LE(recording.info().quantum, 1.0 / 65536);
    int hits = 0;
    for (int frame = 1; frame <= 20; ++frame) {
        recording.seek(frame);
        for (const RecordedEvent& event : recording.events())
            hits += event.type == RecordedEventType::Hit;
        const std::uint32_t track = frame < 15 ? 2 : 4;
        const auto living = recording.living();
        const auto at = std::find(living.begin(), living.end(), track) - living.begin();
        const Pose& pose = recording.poses()[std::size_t(at)];
        EXPECT_LE(length(pose.position - truth[frame - 1].position), recording.info().quantum);
        EXPECT_LE(angleBetween(pose.orientation, truth[frame - 1].orientation), kAngle);
    }
    EXPECT_GE(hits, 2);  // a and b land
    EXPECT_EQ(recording.hash(), world.hash());
    EXPECT_EQ(recording.info().statNames[0], "frame");
    EXPECT_EQ(recording.stats()[0], 20);
}

TEST(Recording, KnowsWhatBrokeAndWhatItsPiecesCameFrom) {
    const TemporaryFolder folder;
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [5, 0.5, 5] }, "position": [0, -0.5, 0] },
           { "name": "cube", "shape": { "type": "box", "half_extents": [0.4, 0.4, 0.4] }, "position": [0, 1, 0], "velocity": [0, -8, 0],
             "fracture": { "pattern": "cells", "threshold": 100, "resolution": [16, 16, 16], "generations": 2 } })",
        R"("patterns": { "cells": { "type": "voronoi", "seed": 2 } }, )"));
    SceneRunner runner(scene);
    RunRecorder recorder(folder / "a.sunder", scene, runner);
    recorder.record(runner, runner.statsLine());
    for (int frame = 1; frame <= 15; ++frame) {
        runner.stepFrame();
        recorder.record(runner, runner.statsLine());
    }
    recorder.finish();
    Recording recording = Recording::open(folder / "a.sunder");
    ASSERT_GT(recording.tracks().size(), 4u);
    for (std::size_t i = 2; i < recording.tracks().size(); ++i) {
        const RecordedTrack& piece = recording.tracks()[i];
        ASSERT_LT(piece.def.parent, i);
        const RecordedTrack& parent = recording.tracks()[piece.def.parent];
        EXPECT_EQ(parent.endFrame, piece.firstFrame);
        EXPECT_EQ(parent.def.variant, piece.def.variant) << "its colour";
        recording.seek(piece.firstFrame);
        const auto isItsBreak = [&](const RecordedEvent& event) {
            return event.type == RecordedEventType::Break && event.a == piece.def.parent;
        };
        EXPECT_TRUE(std::any_of(recording.events().begin(), recording.events().end(), isItsBreak)) << i;
    }
}

// 9,000 pieces in 300 frames may take 20 MB: that share of it per piece and frame, for 500 that fall into a pit and never
// sleep.
TEST(Recording, APileTakesFewBytes) {
    const TemporaryFolder folder;
    const SceneResult loaded = loadScene(std::filesystem::path(SUNDER_TEST_SOURCE_DIR) / "scenes/mixed_pile.json");
    ASSERT_TRUE(loaded);
    SceneRunner runner(*loaded.scene);
    RunRecorder recorder(folder / "pile.sunder", *loaded.scene, runner);
    recorder.record(runner, runner.statsLine());
    constexpr int kFrames = 300;
    for (int i = 0; i < kFrames; ++i) {
        runner.stepFrame();
        recorder.record(runner, runner.statsLine());
    }
    recorder.finish();
    const RecordingSizes& sizes = recorder.writer().sizes();
    const double perPiece = double(sizes.poses + sizes.events) / kFrames / 500;
    EXPECT_LT(perPiece, 20e6 / 9000 / 300);
    Recording recording = Recording::open(folder / "pile.sunder");
    recording.seek(kFrames);
    EXPECT_EQ(recording.hash(), runner.world().hash());
}

}  // namespace
}  // namespace sunder
