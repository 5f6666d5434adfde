// Bodies that deform: the vertices that were recorded come back within the stated tolerance, from any frame, also after the
// surface tore; damaged data is refused; recordings of the format before them are read as ever.
#include <gtest/gtest.h>

#include "core/random.h"
#include "scene/moving_for_tests.h"
#include "scene/recording/format.h"
#include "scene/scene_for_tests.h"
#include "sunder/scene/runner.h"
#include "world/vertices_for_tests.h"

namespace sunder {
namespace {

const std::filesystem::path kData = std::filesystem::path(SUNDER_TEST_SOURCE_DIR) / "tests/scene/recording/data";

void expectVertices(const Recording& recording, std::span<const Vec3> expected, double extent) {
    ASSERT_EQ(recording.moved().size(), 1u);
    const MovedSurface& moved = recording.moved()[0];
    ASSERT_EQ(moved.positions.size(), expected.size());
    // The tolerance, and float's rounding of a coordinate of about a metre.
    const double bound = recording.info().vertexTolerance * extent + 2e-7;
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            ASSERT_NEAR(component(moved.positions[i], axis), component(expected[i], axis), bound)
                << "vertex " << i << " in frame " << recording.frame();
}

void expectFrame(const Recording& recording, const WavingRun& run) {
    const int frame = recording.frame();
    expectVertices(recording, run.cube.positions(frame), 1);
    const MovedSurface& moved = recording.moved()[0];
    EXPECT_EQ(moved.track, 1u);
    EXPECT_EQ(moved.surface, frame < WavingCube::kTearFrame ? 1u : 3u);
    const Surface surface = recording.surfaceOf(moved);
    EXPECT_EQ(surface.triangles, run.cube.surface(frame).triangles);
    EXPECT_EQ(surface.ranges, run.cube.surface(frame).ranges);
    ASSERT_EQ(recording.poses().size(), 3u);
    EXPECT_LE(length(recording.poses()[1].position - WavingRun::pose(1, frame).position), recording.info().quantum);
}

TEST(MovingSurface, VerticesComeBackWithinTheTolerance) {
    const TemporaryFolder folder;
    const WavingRun run;
    run.write(folder / "a.sunder");
    Recording recording = Recording::open(folder / "a.sunder");
    ASSERT_EQ(recording.frameCount(), run.frames);
    EXPECT_TRUE(recording.tracks()[1].def.deforms);
    EXPECT_FALSE(recording.tracks()[2].def.deforms);
    EXPECT_EQ(recording.tracks()[1].changes, (std::vector<SurfaceChange>{{WavingCube::kTearFrame, 3}}));
    for (int frame = 0; frame < run.frames; ++frame) {
        recording.seek(frame);
        expectFrame(recording, run);
    }
}

TEST(MovingSurface, SeekingInAnyOrderGivesTheSameVertices) {
    const TemporaryFolder folder;
    const WavingRun run;
    run.write(folder / "a.sunder");
    Recording recording = Recording::open(folder / "a.sunder");
    for (const int frame : {39, 0, 16, 17, 18, 5, 20, 19, 31, 30, 10, 9, 38, 17}) {
        recording.seek(frame);
        expectFrame(recording, run);
    }
}

// Facets of a smooth wave: at rest the normals are those of the cube, and moved ones are those of the moved triangles.
TEST(MovingSurface, NormalsAreThoseOfTheMovedSurface) {
    const TemporaryFolder folder;
    const WavingRun run;
    run.write(folder / "a.sunder");
    Recording recording = Recording::open(folder / "a.sunder");
    for (const int frame : {0, 16, 25}) {
        recording.seek(frame);
        const Surface surface = recording.surfaceOf(recording.moved()[0]);
        for (const auto& t : surface.triangles) {
            const Vec3& a = surface.positions[t[0]];
            const Vec3 face = normalizeOr(cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a), {0, 0, 0});
            for (const std::uint32_t corner : t) {
                EXPECT_NEAR(length(surface.normals[corner]), 1, 1e-5);
                EXPECT_GT(dot(surface.normals[corner], face), 0.9) << frame;  // neighbours are bent by less than 25 degrees
            }
        }
    }
}

TEST(MovingSurface, AFileThatWasCutOffHasWholeFrames) {
    const TemporaryFolder folder;
    WavingRun run;
    run.frames = 22;
    run.write(folder / "a.sunder", false);
    Recording recording = Recording::open(folder / "a.sunder");
    EXPECT_EQ(recording.frameCount(), 22);
    EXPECT_EQ(recording.tracks()[1].changes.size(), 1u);
    for (const int frame : {21, 16, 17}) {
        recording.seek(frame);
        expectFrame(recording, run);
    }
}

TEST(MovingSurface, FramesInWhichNothingMovesCostNextToNothing) {
    const TemporaryFolder folder;
    RecordingInfo info;
    info.keyframeInterval = 1000;
    RecordingWriter writer(folder / "a.sunder", info);
    const WavingCube cube(20);
    writer.addTrack({"cube", kNoTrack, writer.addMovingSurface(cube.whole), Motion::Dynamic, 0, true});
    const std::vector<Vec3> positions = cube.positions(10);
    const MovingVertices moving{0, positions};
    const Pose pose;
    writer.writeFrame({&pose, 1}, {}, {}, 0, {&moving, 1});
    const std::uint64_t first = writer.sizes().vertices;
    for (int frame = 0; frame < 100; ++frame)
        writer.writeFrame({&pose, 1}, {}, {}, 0, {&moving, 1});
    EXPECT_LE(writer.sizes().vertices - first, 200u);  // a length and two bits
}

// A wave in 5,000 vertices at 30 Hz: as float a vertex takes 12 bytes a frame. What is left is mostly the wave's third
// derivative in time, which is smooth over the surface.
TEST(MovingSurface, AWaveTakesASmallPartOfItsFloats) {
    const TemporaryFolder folder;
    RecordingWriter writer(folder / "a.sunder", {});
    const WavingCube cube(28);
    const std::size_t vertices = cube.whole.positions.size();
    EXPECT_EQ(vertices, 6u * 29 * 29);
    writer.addTrack({"cube", kNoTrack, writer.addMovingSurface(cube.whole), Motion::Dynamic, 0, true});
    const Pose pose;
    constexpr int kFrames = 60;
    std::vector<Vec3> positions = cube.whole.positions;
    for (int frame = 0; frame < kFrames; ++frame) {
        for (std::size_t i = 0; i < vertices; ++i) {
            const Vec3& p = cube.whole.positions[i];
            const Real t = Real(frame) / 30;
            positions[i] =
                p + Vec3{std::sin(5 * p.y + 6 * t), std::cos(4 * p.z + 5 * t), std::sin(6 * p.x - 4 * t)} * Real(0.08);
        }
        const MovingVertices moving{0, positions};
        writer.writeFrame({&pose, 1}, {}, {}, 0, {&moving, 1});
    }
    EXPECT_LT(double(writer.sizes().vertices) / kFrames / double(vertices), 1.5);
}

// Jumps of all sizes, vertices that are not finite, surfaces that are far larger than at rest: no prediction holds, none may
// lose anything.
TEST(MovingSurface, MotionThatNobodyCanPredictComesBack) {
    const TemporaryFolder folder;
    core::Random random(5);
    const Surface cube = cubeOfSquares(3, true);
    std::vector<std::vector<Vec3>> truth(50, cube.positions);
    {
        RecordingInfo info;
        info.keyframeInterval = 7;
        RecordingWriter writer(folder / "a.sunder", info);
        writer.addTrack({"cube", kNoTrack, writer.addMovingSurface(cube), Motion::Dynamic, 0, true});
        for (std::size_t frame = 0; frame < truth.size(); ++frame) {
            std::vector<Vec3>& expected = truth[frame];
            if (frame > 0)
                expected = truth[frame - 1];
            for (Vec3& p : expected)
                if (random.below(2) == 0)
                    p = Vec3{Real(random.between(-1, 1)), Real(random.between(-1, 1)), Real(random.between(-1, 1))} *
                        Real(std::pow(10.0, random.between(-5, 1)));
            std::vector<Vec3> given = expected;
            if (frame > 0)
                given[frame] = {kInfinity, 0, 0}, expected[frame] = truth[frame - 1][frame];
            const MovingVertices moving{0, given};
            const Pose pose;
            writer.writeFrame({&pose, 1}, {}, {}, 0, {&moving, 1});
        }
        writer.finish();
    }
    Recording recording = Recording::open(folder / "a.sunder");
    for (int frame = 0; frame < recording.frameCount(); ++frame) {
        recording.seek(frame);
        expectVertices(recording, truth[std::size_t(frame)], 1.05);  // 5 % for coordinates of 10 m in float
    }
}

TEST(MovingSurface, WhatDoesNotFitIsRefused) {
    const TemporaryFolder folder;
    RecordingWriter writer(folder / "a.sunder", {});
    const std::uint32_t rigid = writer.addSurface(drawnShape(Box{}));
    Surface surface = cubeOfSquares(2, false);
    const std::uint32_t moving = writer.addMovingSurface(surface);
    EXPECT_THROW(writer.addTrack({"a", kNoTrack, rigid, Motion::Dynamic, 0, true}), Error);
    EXPECT_THROW(writer.changeSurface(0, rigid), Error);
    Surface bad = surface;
    bad.positions[3].y = kInfinity;
    EXPECT_THROW(writer.addMovingSurface(bad), Error);
    bad = surface;
    bad.triangles[0][1] = 1000;
    EXPECT_THROW(writer.addMovingSurface(bad), Error);
    bad = surface;
    bad.normals.pop_back();
    EXPECT_THROW(writer.addMovingSurface(bad), Error);
    EXPECT_THROW(writer.addMovingSurface({}), Error);
    surface.normals.clear();
    surface.textureCoordinates.clear();
    writer.addMovingSurface(surface);
    writer.addTrack({"a", kNoTrack, moving, Motion::Dynamic, 0, true});
    const std::vector<Vec3> few(3);
    const MovingVertices wrong{0, few};
    const Pose pose;
    EXPECT_THROW(writer.writeFrame({&pose, 1}, {}, {}, 0, {&wrong, 1}), Error);
    RecordingInfo info;
    info.vertexTolerance = 0;
    EXPECT_THROW(RecordingWriter(folder / "b.sunder", info), Error);
}

// Reads all there is; whether it was sound.
bool readsThrough(std::vector<std::byte> bytes) {
    try {
        Recording recording = Recording::fromBytes(std::move(bytes), "x");
        for (int frame = 0; frame < recording.frameCount(); ++frame) {
            recording.seek(frame);
            for (const MovedSurface& moved : recording.moved()) {
                EXPECT_EQ(moved.positions.size(), moved.normals.size());
                EXPECT_EQ(recording.surfaceOf(moved).positions.size(), moved.positions.size());
            }
        }
        for (int i = 0; i < recording.surfaceCount(); ++i)
            recording.surface(std::uint32_t(i));
        return recording.warning().empty();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).rfind("x: ", 0), 0u) << error.what();
        return false;
    }
}

std::vector<std::byte> smallRecording() {
    const TemporaryFolder folder;
    WavingRun run;
    run.frames = 21;
    run.cube = WavingCube(1);
    run.write(folder / "a.sunder");
    return bytesOf(folder / "a.sunder");
}

TEST(MovingSurface, CutOffOrWithAFlippedBitItGivesFramesOrAnError) {
    const std::vector<std::byte> bytes = smallRecording();
    ASSERT_TRUE(readsThrough(bytes));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::vector<std::byte> damaged = bytes;
        damaged[i] ^= std::byte(1u << (i % 8));
        const bool spare = i >= bytes.size() - scene::kFootBytes || (i >= 12 && i < 16);
        EXPECT_EQ(readsThrough(std::move(damaged)), spare) << "byte " << i;
        readsThrough({bytes.begin(), bytes.begin() + std::ptrdiff_t(i)});
    }
}

// Contents that lie under checksums that match: no crash, no endless loop, no giant allocation.
TEST(MovingSurface, ForgedContentsAreSurvived) {
    const std::vector<std::byte> bytes = smallRecording();
    std::vector<std::uint64_t> offsets;
    scene::Chunk chunk;
    for (std::uint64_t at = scene::kHeadBytes; scene::readChunk(bytes, at, chunk) == scene::ChunkFault::None;
         at += scene::kChunkHeadBytes + chunk.contents.size())
        offsets.push_back(at);
    core::Random random(11);
    for (int round = 0; round < 5000; ++round) {
        std::vector<std::byte> forged = bytes;
        const std::uint64_t at = offsets[1 + random.bits() % (offsets.size() - 1)];
        scene::readChunk(bytes, at, chunk);
        const std::size_t begin = at + scene::kChunkHeadBytes, size = chunk.contents.size();
        for (std::uint64_t k = 0, changes = 1 + random.bits() % 4; k < changes; ++k)
            forged[begin + random.bits() % size] = std::byte(random.bits() & 0xff);
        const std::uint64_t sum = scene::chunkChecksum(chunk.type, std::span<const std::byte>(forged).subspan(begin, size));
        std::memcpy(forged.data() + at + 8, &sum, sizeof sum);
        readsThrough(std::move(forged));
    }
}

// Written by the code of version 1, from the same formulas.
TEST(MovingSurface, ARecordingOfVersion1IsRead) {
    Recording recording = Recording::open(kData / "v1.sunder");
    EXPECT_EQ(recording.warning(), "");
    ASSERT_EQ(recording.frameCount(), 40);
    ASSERT_EQ(recording.tracks().size(), 5u);
    EXPECT_EQ(recording.tracks()[4].endFrame, FormulaRun::kVanishFrame);
    EXPECT_FALSE(recording.tracks()[1].def.deforms);
    for (const int frame : {39, 0, 12, 13, 27}) {
        recording.seek(frame);
        EXPECT_TRUE(recording.moved().empty());
        EXPECT_EQ(recording.hash(), std::uint64_t(frame) * 77);
        for (std::size_t i = 0; i < recording.living().size(); ++i) {
            const Pose expected = FormulaRun::pose(recording.living()[i], frame);
            EXPECT_LE(length(recording.poses()[i].position - expected.position), recording.info().quantum);
        }
    }
    std::vector<std::byte> bytes = bytesOf(kData / "v1.sunder");
    bytes.resize(bytes.size() - scene::kFootBytes - 100);  // without its index
    EXPECT_EQ(Recording::fromBytes(std::move(bytes)).frameCount(), 40);
}

// Written when version 2 was made: later readers must find the same vertices in it, on any machine and in either precision.
TEST(MovingSurface, TheSampleOfVersion2IsRead) {
    Recording recording = Recording::open(kData / "v2_waving_cube.sunder");
    WavingRun run;
    run.cube = WavingCube(3);
    ASSERT_EQ(recording.frameCount(), run.frames);
    for (const int frame : {39, 0, 16, 17, 30, 31}) {
        recording.seek(frame);
        expectFrame(recording, run);
    }
}

// A world's own deforming body needs no source: its vertices, and the triangles that it has after a tear, are in the recording.
TEST(MovingSurface, ARunRecordsTheVerticesOfTheWorldsOwnBodies) {
    const TemporaryFolder folder;
    world::VertexWorld made({0, 3, 0});
    made.vertices().velocities[6] = {Real(0.5), Real(0.25), 0};
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [5, 0.5, 5] } })"));
    SceneRunner runner(scene);
    runner.world().restore(world::takeSnapshot(made.state));
    RunRecorder recorder(folder / "a.sunder", scene, runner);
    recorder.record(runner, runner.statsLine());
    std::vector<std::vector<Vec3>> positions{made.vertices().positions};
    constexpr int kTearFrame = 6, kFrames = 12;
    for (int frame = 1; frame < kFrames; ++frame) {
        runner.stepFrame();
        made.step();
        if (frame == kTearFrame) {
            made.vertices().triangles.pop_back();
            ++made.vertices().revision;
        }
        runner.world().restore(world::takeSnapshot(made.state));
        recorder.record(runner, runner.statsLine());
        positions.push_back(made.vertices().positions);
    }
    recorder.finish();
    Recording recording = Recording::open(folder / "a.sunder");
    ASSERT_EQ(recording.tracks().size(), 2u);
    EXPECT_TRUE(recording.tracks()[1].def.deforms);
    EXPECT_EQ(recording.tracks()[1].changes.size(), 1u);
    for (const int frame : {0, 3, kTearFrame, kFrames - 1}) {
        recording.seek(frame);
        expectVertices(recording, positions[std::size_t(frame)], 1.2);
        EXPECT_EQ(recording.surfaceOf(recording.moved()[0]).triangles.size(), frame < kTearFrame ? 4u : 3u);
    }
}

// A source in place of the world makes one of its rigid bodies wave, tear, and later turn rigid.
TEST(MovingSurface, ARunIsAskedForItsDeformingBodies) {
    const TemporaryFolder folder;
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [5, 0.5, 5] }, "position": [0, -0.5, 0] },
           { "name": "cube", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "position": [0, 3, 0] })"));
    SceneRunner runner(scene);
    const WavingCube cube;
    const BodyId waving = runner.world().find("cube");
    constexpr int kRigidFrame = 25;
    std::vector<Vec3> positions;
    RecorderOptions options;
    options.moving = [&](BodyId body) -> std::optional<MovingSurface> {
        if (body != waving || runner.frame() >= kRigidFrame)
            return std::nullopt;
        positions = cube.positions(runner.frame());
        const bool isTorn = runner.frame() >= WavingCube::kTearFrame;
        return MovingSurface{&cube.surface(runner.frame()), isTorn ? 2u : 1u, positions};
    };
    RunRecorder recorder(folder / "a.sunder", scene, runner, options);
    recorder.record(runner, runner.statsLine());
    for (int frame = 1; frame <= 30; ++frame) {
        runner.stepFrame();
        recorder.record(runner, runner.statsLine());
    }
    recorder.finish();
    Recording recording = Recording::open(folder / "a.sunder");
    ASSERT_EQ(recording.tracks().size(), 3u);  // the ground, the cube, and the cube once it is rigid
    EXPECT_TRUE(recording.tracks()[1].def.deforms);
    EXPECT_EQ(recording.tracks()[1].endFrame, kRigidFrame);
    EXPECT_EQ(recording.tracks()[1].changes.size(), 1u);
    EXPECT_EQ(recording.tracks()[2].def.name, "cube");
    for (const int frame : {0, 16, 17, 24}) {
        recording.seek(frame);
        expectVertices(recording, cube.positions(frame), 1);
    }
    recording.seek(30);
    EXPECT_TRUE(recording.moved().empty());
    EXPECT_EQ(recording.hash(), runner.world().hash());
}

}  // namespace
}  // namespace sunder
