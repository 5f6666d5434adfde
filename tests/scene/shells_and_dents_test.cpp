// Shells in scene files, and dented bodies in recordings.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/recording.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

const std::string kSheet = R"("vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "triangles": [[0, 1, 2]])";

std::string shell(const std::string& keys) { return R"({ "shape": { "type": "shell", )" + keys + " } }"; }

TEST(ShellScenes, AreRead) {
    const Scene scene = sceneOf(sceneWithBodies(shell(kSheet + R"(, "thickness": 0.02)")));
    ASSERT_EQ(scene.bodies.size(), 1u);
    const std::string text = writeScene(scene);
    EXPECT_NE(text.find("\"shell\""), std::string::npos) << text;
    EXPECT_EQ(writeScene(sceneOf(text)), text);
    // Half a square metre of 20 mm; the density of scenes where none is given is 1000 kg/m^3.
    SceneRunner runner(scene);
    EXPECT_NEAR(runner.world().mass(runner.world().bodies()[0]), Real(10), Real(1e-3));
}

TEST(ShellScenes, WhatIsWrongIsNamed) {
    const auto problemOf = [](const std::string& keys) { return problemsOf(parseScene(sceneWithBodies(shell(keys)))); };
    EXPECT_NE(problemOf(kSheet).find("bodies[0].shape.thickness"), std::string::npos) << problemOf(kSheet);
    EXPECT_NE(problemOf(kSheet + R"(, "thickness": -1)").find("bodies[0].shape.thickness"), std::string::npos);
    const std::string none = problemOf(R"("thickness": 0.02)");
    EXPECT_NE(none.find("a shell needs file (the name of a mesh), or vertices and triangles"), std::string::npos) << none;
    const std::string flat =
        problemOf(R"("vertices": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "triangles": [[0, 1, 2]], "thickness": 0.02)");
    EXPECT_NE(flat.find("bodies[0].shape.triangles[0]"), std::string::npos) << flat;
    const std::string file = problemOf(R"("file": "no such.obj", "thickness": 0.02)");
    EXPECT_NE(file.find("bodies[0].shape.file"), std::string::npos) << file;
}

// A dented body goes on as another track of its name, with the surface that it has then.
TEST(DentScenes, ADentBeginsATrack) {
    const TemporaryFolder folder;
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "rod", "material": "soft", "shape": { "type": "box", "half_extents": [0.4, 0.03, 0.03] },
             "fracture": { "method": "stress", "elements": 1500, "cell": 0.015, "pliability": 1 } },
           { "name": "ball", "material": "hard", "shape": { "type": "sphere", "radius": 0.08 }, "position": [0, 0.2, 0],
             "velocity": [0, -12, 0] })",
        R"("materials": { "soft": { "density": 2700, "young": 7e10, "strength": 5e9, "yield": 5e7 },
                          "hard": { "density": 7800, "young": 2e11 } }, )"));
    SceneRunner runner(scene);
    RunRecorder recorder(folder / "a.sunder", scene, runner);
    recorder.record(runner, runner.statsLine());
    for (int frame = 1; frame <= 4; ++frame) {
        runner.stepFrame();
        recorder.record(runner, runner.statsLine());
    }
    recorder.finish();
    Recording recording = Recording::open(folder / "a.sunder");
    ASSERT_EQ(recording.tracks().size(), 3u);
    const RecordedTrack &before = recording.tracks()[0], &after = recording.tracks()[2];
    EXPECT_EQ(after.def.name, before.def.name);
    EXPECT_EQ(after.firstFrame, before.endFrame);
    EXPECT_NE(after.def.surface, before.def.surface);
    EXPECT_TRUE(std::holds_alternative<Surface>(recording.surface(after.def.surface).solids.at(0).solid));
}

}  // namespace
}  // namespace sunder
