// Parts of recordings.
#include "sunder/scene/trim.h"

#include <gtest/gtest.h>

#include "math/quat.h"
#include "scene/recording/track_looks.h"
#include "scene/recording_for_tests.h"
#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/exports.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

TEST(Trim, FramesAndCamera) {
    const TemporaryFolder folder;
    FormulaRun().write(folder / "run.sunder");
    Recording whole = Recording::open(folder / "run.sunder");
    const Camera camera{{1, 2, 3}, {0, 1, 0}, 50};
    ASSERT_TRUE(trimRecording(whole, folder / "part.sunder", {.first = 10, .last = 20, .camera = camera}));
    Recording part = Recording::open(folder / "part.sunder");
    ASSERT_EQ(part.frameCount(), 11);
    ASSERT_TRUE(part.info().camera);
    EXPECT_EQ(part.info().camera->position, camera.position);
    for (int frame = 0; frame < part.frameCount(); ++frame) {
        part.seek(frame);
        whole.seek(frame + 10);
        ASSERT_EQ(part.living().size(), whole.living().size()) << frame;
        EXPECT_EQ(part.hash(), whole.hash());
        EXPECT_EQ(part.events().size(), whole.events().size());
        for (std::size_t i = 0; i < part.living().size(); ++i) {
            const TrackDef &a = part.tracks()[part.living()[i]].def, &b = whole.tracks()[whole.living()[i]].def;
            EXPECT_EQ(a.name, b.name);
            if (b.parent != kNoTrack) {
                ASSERT_NE(a.parent, kNoTrack);
                EXPECT_EQ(part.tracks()[a.parent].def.name, whole.tracks()[b.parent].def.name);
            }
            // Rounded twice, to one quantum.
            EXPECT_LE(length(part.poses()[i].position - whole.poses()[i].position), whole.info().quantum);
        }
    }
}

// Frames after a break: the pieces know what they broke off, have its colours, though it was fixed, and one parent in a GLB.
TEST(Trim, PiecesKeepWhatTheyBrokeOff) {
    const TemporaryFolder folder;
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "block", "motion": "static", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] },
             "fracture": { "pattern": "ice", "threshold": 1 } },
           { "name": "ball", "shape": { "type": "sphere", "radius": 0.2 }, "position": [3, 0, 0] })",
        R"("gravity": [0, 0, 0], "events": [ { "time": 0.05, "break": { "body": "block", "at": [0, 0, 0.5], "normal": [0, 0, 1] } } ],)"));
    SceneRunner runner(scene);
    RunRecorder recorder(folder / "run.sunder", scene, runner);
    recorder.record(runner, runner.statsLine());
    for (int frame = 0; frame < 8; ++frame) {
        runner.stepFrame();
        recorder.record(runner, runner.statsLine());
    }
    recorder.finish();
    Recording whole = Recording::open(folder / "run.sunder");
    ASSERT_TRUE(trimRecording(whole, folder / "part.sunder", {.first = 4, .last = 7}));
    Recording part = Recording::open(folder / "part.sunder");
    EXPECT_EQ(part.warning(), "");
    ASSERT_GT(part.living().size(), 4u);
    scene::TrackLooks looksOfWhole, looksOfPart;
    whole.seek(4);
    std::size_t pieces = 0;
    for (std::size_t i = 0; i < part.living().size(); ++i) {
        const TrackDef& def = part.tracks()[part.living()[i]].def;
        const Vec3 albedo = looksOfPart.of(part)[part.living()[i]].albedo;
        EXPECT_EQ(albedo, looksOfWhole.of(whole)[whole.living()[i]].albedo) << def.name;
        if (def.name == "ball")
            continue;
        ++pieces;
        ASSERT_NE(def.parent, kNoTrack) << def.name;
        EXPECT_EQ(part.tracks()[def.parent].def.name, "block");
        EXPECT_EQ(part.tracks()[def.parent].firstFrame, part.tracks()[def.parent].endFrame);
    }
    EXPECT_GT(pieces, 3u);
    ASSERT_TRUE(writeGlb(part, folder / "part.glb"));
    EXPECT_NE(contentsOf(folder / "part.glb").find("\"name\":\"block and its pieces\""), std::string::npos);
    // What was not finished has no index: it is read frame by frame.
    std::filesystem::resize_file(folder / "part.sunder", std::filesystem::file_size(folder / "part.sunder") - 8);
    EXPECT_EQ(Recording::open(folder / "part.sunder").tracks().size(), part.tracks().size());
}

// Files of a part take their places among those of the whole run.
TEST(Trim, FramesKeepTheNumbersOfTheRun) {
    const TemporaryFolder folder;
    FormulaRun().write(folder / "run.sunder");
    Recording whole = Recording::open(folder / "run.sunder");
    ASSERT_TRUE(trimRecording(whole, folder / "part.sunder", {.first = 12, .last = 30}));
    Recording part = Recording::open(folder / "part.sunder");
    EXPECT_EQ(part.info().firstFrame, 12);
    part.seek(1);
    EXPECT_EQ(part.runFrame(), 13);
    EXPECT_NEAR(part.time(), 13 / 30.0, 1e-9);
    ASSERT_TRUE(writePlySequence(part, folder / "part"));
    ASSERT_TRUE(writePlySequence(whole, folder / "whole"));
    EXPECT_FALSE(std::filesystem::exists(folder / "part/frame_00011.ply"));
    EXPECT_FALSE(std::filesystem::exists(folder / "part/frame_00031.ply"));
    for (const char* frame : {"frame_00012.ply", "frame_00013.ply", "frame_00030.ply"})
        EXPECT_EQ(contentsOf(folder / "part" / frame).size(), contentsOf(folder / "whole" / frame).size()) << frame;
    ASSERT_TRUE(writeUsda(part, folder / "part.usda"));
    const std::string usd = contentsOf(folder / "part.usda");
    EXPECT_NE(usd.find("startTimeCode = 12\n    endTimeCode = 30\n"), std::string::npos);
    // The ball breaks at frame 13, a piece vanishes at 27.
    EXPECT_NE(usd.find("visibility.timeSamples = { 12: \"invisible\", 13: \"inherited\", 27: \"invisible\", }"),
              std::string::npos);
    EXPECT_NE(usd.find("visibility.timeSamples = { 12: \"inherited\", 13: \"invisible\", }"), std::string::npos);
    ASSERT_TRUE(writeGlb(part, folder / "part.glb"));
    EXPECT_NE(contentsOf(folder / "part.glb").find("\"first_frame\":12"), std::string::npos);
    PictureFiles files;
    ASSERT_TRUE(writePictures(part, folder.path(), "part", {.width = 64, .samples = 1}, files));
    ASSERT_EQ(files.stills.size(), 3u);
    EXPECT_EQ(files.stills.front().filename(), "frame_00012.png");
    EXPECT_EQ(files.stills.back().filename(), "frame_00030.png");
    // A part of the part is asked for by the same numbers.
    ASSERT_TRUE(trimRecording(part, folder / "small.sunder", {.first = 20, .last = 21}));
    EXPECT_EQ(Recording::open(folder / "small.sunder").info().firstFrame, 20);
    ASSERT_TRUE(trimRecording(part, folder / "rest.sunder", {.first = 25}));
    EXPECT_EQ(Recording::open(folder / "rest.sunder").frameCount(), 6);
    EXPECT_THROW(trimRecording(part, folder / "none.sunder", {.first = 5, .last = 20}), Error);
}

TEST(Trim, FramesBeyondTheEndAreRefused) {
    const TemporaryFolder folder;
    FormulaRun().write(folder / "run.sunder");
    Recording whole = Recording::open(folder / "run.sunder");
    EXPECT_THROW(trimRecording(whole, folder / "part.sunder", {.first = 10, .last = 100000}), Error);
    EXPECT_THROW(trimRecording(whole, folder / "part.sunder", {.first = 5, .last = 4}), Error);
}

}  // namespace
}  // namespace sunder
