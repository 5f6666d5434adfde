// What `sunder check` and reports say of bodies: their measures, the blows they took, and what is probably not meant.
#include "sunder/scene/check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/exports.h"
#include "sunder/scene/recording.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

constexpr const char* kPattern = R"("patterns": { "cells": { "type": "voronoi", "pieces": 8, "nodes": 33 } },)";

SceneFacts factsOfText(const std::string& text) {
    const Scene scene = sceneOf(text);
    return factsOf(scene, SceneRunner(scene));
}

std::string all(const std::vector<std::string>& texts) {
    std::string joined;
    for (const std::string& text : texts)
        joined += text + "\n";
    return joined;
}

TEST(SceneCheck, ListsWhatBodiesAreLike) {
    const SceneFacts facts = factsOfText(sceneWithBodies(
        R"({ "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [9, 0.5, 9] }, "position": [0, -0.5, 0] },
           { "wall": { "count": [3, 2], "ends": "ragged" }, "name": "brick",
             "body": { "shape": { "type": "box", "half_extents": [0.2, 0.1, 0.12] }, "position": [0, 0.1, 0] } },
           { "name": "slab", "position": [5, 1, 0], "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.1] },
             "fracture": { "pattern": "cells", "cell": 0.05, "threshold": 40 } })",
        kPattern));
    EXPECT_EQ(all(facts.warnings), "");
    ASSERT_EQ(facts.bodies.size(), 3u);
    const BodyFacts &ground = facts.bodies[0], &bricks = facts.bodies[1], &slab = facts.bodies[2];
    EXPECT_EQ(ground.text(), "ground");
    EXPECT_FALSE(ground.isDynamic);
    EXPECT_EQ(bricks.text(), "brick_0 to brick_5 (6)");
    EXPECT_NEAR(bricks.mass, 19.2, 1e-3);
    EXPECT_NEAR(slab.mass, 200, 1e-2);
    EXPECT_NEAR(slab.size[2], 0.2, 1e-6);
    EXPECT_NEAR(slab.wall / slab.cell, 4, 0.1);  // the field is exact beside a flat face, up to its steps
    EXPECT_NEAR(slab.threshold, 40, 1e-4);
}

TEST(SceneCheck, WarnsOfCentimetresOverlapAndThinWalls) {
    const SceneFacts facts = factsOfText(sceneWithBodies(
        R"({ "name": "vase", "shape": { "type": "box", "half_extents": [40, 90, 40] } },
           { "name": "a", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "position": [200, 0, 0] },
           { "name": "b", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "position": [200.9, 0, 0] },
           { "name": "meant", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "position": [200, 0.9, 0], "tolerate_overlap": true },
           { "name": "pane", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.03] }, "position": [300, 0, 0],
             "fracture": { "pattern": "cells", "cell": 0.04, "threshold": 5 } })",
        kPattern));
    ASSERT_EQ(facts.warnings.size(), 3u) << all(facts.warnings);
    EXPECT_EQ(facts.warnings[0].find("vase: 180 m long; lengths are metres"), 0u) << facts.warnings[0];
    EXPECT_EQ(facts.warnings[1].find("pane: 1."), 0u) << facts.warnings[1];
    EXPECT_NE(facts.warnings[1].find("cells of its grid across its thinnest wall"), std::string::npos) << facts.warnings[1];
    EXPECT_NEAR(facts.bodies.back().wall, 0.06, 0.006);  // of 1.5 cells, which have one layer of nodes inside
    EXPECT_EQ(facts.warnings[2].find("a and b: overlap by 0.1 m at the start"), 0u) << facts.warnings[2];
}

// What overlaps and can break is named too: pushed apart, it would break in the moment in which overlaps are looked for.
TEST(SceneCheck, WarnsOfOverlapsOfBodiesThatBreak) {
    const SceneFacts facts = factsOfText(sceneWithBodies(
        R"({ "name": "slab", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.1] },
             "fracture": { "pattern": "cells", "cell": 0.05, "threshold": 1e-3 } },
           { "name": "block", "shape": { "type": "box", "half_extents": [0.3, 0.3, 0.3] }, "position": [0, 0, 0.2] })",
        kPattern));
    ASSERT_EQ(facts.warnings.size(), 1u) << all(facts.warnings);
    EXPECT_EQ(facts.warnings[0].find("slab and block: overlap by 0.2 m at the start"), 0u) << facts.warnings[0];
}

// 27 pieces of 16 voxels of 1 cm: with a 200th of 3.75 m^3 as the smallest piece the block would not break at all.
TEST(SceneCheck, WarnsOfDrawnPiecesThatAreTooSmall) {
    const auto warnings = [](const std::string& fracture) {
        SceneOptions options;
        options.folder = std::filesystem::path(SUNDER_TEST_SOURCE_DIR) / "assets";
        const Scene scene = sceneOf(
            R"({ "sunder": 1, "patterns": { "cubes": { "type": "drawn", "file": "drawn_labels.npy", "unit": 0.01 } },
                 "bodies": [ { "name": "block", "shape": { "type": "box", "half_extents": [1.25, 0.3, 1.25] },
                   "fracture": { "pattern": "cubes", "threshold": 5, "cell": 0.1)" +
                fracture + " } } ] }",
            options);
        return factsOf(scene, SceneRunner(scene)).warnings;
    };
    const std::vector<std::string> found = warnings("");
    ASSERT_EQ(found.size(), 1u) << all(found);
    EXPECT_EQ(found[0].find("block: 27 of the 27 drawn pieces of its pattern are smaller than 0.01"), 0u) << found[0];
    EXPECT_NE(found[0].find("\"smallest\""), std::string::npos);
    EXPECT_EQ(all(warnings(R"(, "smallest": 1e-4)")), "");
}

TEST(SceneCheck, CellsThatAreTooLargeAreNamed) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "pane", "shape": { "type": "box", "half_extents": [1, 1, 0.01] },
             "fracture": { "pattern": "cells", "cell": 0.0625, "threshold": 5 } })",
        kPattern));
    try {
        SceneRunner runner(scene);
        FAIL() << "no node of the grid is inside the pane";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("fracture.cell: the solid is thinner than the cells of 0.0625 m"),
                  std::string::npos)
            << error.what();
    }
}

// A hollow ball is as thin as its shell, however wide it is.
TEST(SceneCheck, WallOfAHollowBody) {
    SceneResult result = parseScene(sceneWithBodies(
        R"({ "name": "vessel", "shape": { "type": "level_set", "cell": 0.05, "parts": [
             { "shape": { "type": "box", "half_extents": [1, 0.1, 1] }, "position": [0, -0.9, 0] },
             { "shape": { "type": "box", "half_extents": [0.1, 1, 1] }, "position": [-0.9, 0, 0] },
             { "shape": { "type": "box", "half_extents": [0.1, 1, 1] }, "position": [0.9, 0, 0] } ] } })"));
    ASSERT_TRUE(result) << problemsOf(result);
    const SceneFacts facts = factsOf(*result.scene, SceneRunner(*result.scene));
    ASSERT_EQ(facts.bodies.size(), 1u);
    EXPECT_NEAR(facts.bodies[0].wall, 0.2, 0.02);
}

// A ball of 1000 kg at 3 m/s that stops at a wall, which it reaches in the middle of a step: the blow is its momentum.
TEST(SceneCheck, LargestBlowsAreInRecordingAndReport) {
    const TemporaryFolder folder;
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "wall", "motion": "static", "shape": { "type": "box", "half_extents": [1, 1, 0.5] },
             "fracture": { "pattern": "cells", "threshold": 1e6 } },
           { "name": "ball", "mass": 1000, "shape": { "type": "sphere", "radius": 0.4 }, "position": [0, 0, 1.05], "velocity": [0, 0, -3] })",
        kPattern + std::string(R"("gravity": [0, 0, 0], "frames": 20,)")));
    SceneRunner runner(scene);
    runner.watchBlows();
    double largest = 0;
    {
        RunRecorder recorder(folder / "run.sunder", scene, runner);
        recorder.record(runner, runner.statsLine());
        for (int i = 0; i < scene.frames; ++i) {
            runner.stepFrame();
            for (const Blow& blow : runner.blows())
                largest = std::max(largest, double(blow.impulse));
            recorder.record(runner, runner.statsLine());
        }
        recorder.finish();
    }
    EXPECT_NEAR(largest, 3000, 30);  // what soft contacts leave is pushed out at less than 1 % of the speed
    Recording recording = Recording::open(folder / "run.sunder");
    ASSERT_EQ(recording.info().facts.bodies.size(), 2u);
    EXPECT_NEAR(recording.info().facts.bodies[1].mass, 1000, 1e-3);
    double recorded = 0;
    for (int frame = 0; frame < recording.frameCount(); ++frame) {
        recording.seek(frame);
        for (const RecordedEvent& event : recording.events())
            if (event.type == RecordedEventType::Blow && event.a == 0)
                recorded = std::max(recorded, double(event.impulse));
    }
    EXPECT_NEAR(recorded, largest, 1e-3);
    writeReport(recording, folder / "report.html", {});
    const std::string page = contentsOf(folder / "report.html");
    EXPECT_NE(page.find("largest blow, N s"), std::string::npos);
    EXPECT_NE(page.find("<td>wall</td><td>fixed</td>"), std::string::npos);
}

}  // namespace
}  // namespace sunder
