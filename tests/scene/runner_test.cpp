// Lines of --stats and --trace: the fields that scripts rely on, and numbers that agree with the world.
#include "sunder/scene/runner.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/scene_for_tests.h"
#include "scene/text/json.h"

namespace sunder {
namespace {

using scene::Json;

const std::string kScene = sceneWithBodies(
    R"({ "name": "floor", "motion": "static", "shape": { "type": "box", "half_extents": [5, 0.5, 5] }, "position": [0, -0.5, 0] },
       { "name": "a \"ball\"", "mass": 2, "shape": { "type": "sphere", "radius": 0.5 }, "position": [0, 10, 0], "velocity": [3, 0, 0] },
       { "name": "lift", "motion": "kinematic", "shape": { "type": "sphere", "radius": 0.5 }, "position": [4, 1, 0] })",
    R"("gravity": [0, -10, 0], "frames": 5,)");

TEST(SceneRunner, StatsLinesHaveEveryField) {
    SceneRunner runner(sceneOf(kScene));
    for (int frame = 0; frame <= 5; ++frame) {
        const std::string line = runner.statsLine();
        EXPECT_EQ(line.find('\n'), line.size() - 1);
        const Json stats = Json::parse(line);
        const char* keys[] = {"frame",
                              "time",
                              "bodies",
                              "awake",
                              "contacts",
                              "joints",
                              "bonds",
                              "pieces",
                              "kinetic_energy",
                              "potential_energy",
                              "elastic_energy",
                              "linear_momentum",
                              "angular_momentum",
                              "max_penetration",
                              "breaks",
                              "rewinds",
                              "stored_energy",
                              "released_energy",
                              "solves",
                              "iterations",
                              "cracked",
                              "dents",
                              "step_ms",
                              "hash"};
        EXPECT_EQ(stats.size(), std::size(keys));
        for (const char* key : keys)
            EXPECT_TRUE(stats.contains(key)) << key;
        EXPECT_EQ(stats["frame"], frame);
        EXPECT_NEAR(stats["time"].get<double>(), frame / 30.0, 1e-12);
        EXPECT_EQ(stats["bodies"], 3);
        const std::string hash = stats["hash"];
        EXPECT_EQ(hash.size(), 16u);
        EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
        runner.stepFrame();
    }
}

// Kinetic m v^2 / 2, potential -m g.x, angular momentum x cross m v: of the one dynamic body.
TEST(SceneRunner, FrameZeroIsTheInitialState) {
    SceneRunner runner(sceneOf(kScene));
    const Json stats = Json::parse(runner.statsLine());
    EXPECT_NEAR(stats["kinetic_energy"].get<double>(), 9, 1e-5);
    EXPECT_NEAR(stats["potential_energy"].get<double>(), 200, 1e-4);
    EXPECT_NEAR(stats["linear_momentum"][0].get<double>(), 6, 1e-5);
    EXPECT_NEAR(stats["angular_momentum"][2].get<double>(), -60, 1e-4);
    EXPECT_EQ(stats["step_ms"].get<double>(), 0);
}

TEST(SceneRunner, TraceLinesLeaveStaticBodiesOutAndKeepIds) {
    SceneRunner runner(sceneOf(kScene));
    const Json first = Json::parse(runner.traceLine());
    ASSERT_EQ(first["bodies"].size(), 2u);
    const Json& ball = first["bodies"][0];
    EXPECT_EQ(ball["name"], "a \"ball\"");
    EXPECT_TRUE(ball["parent"].is_null());
    EXPECT_EQ(ball["position"], Json({0, 10, 0}));
    EXPECT_EQ(ball["orientation"], Json({0, 0, 0, 1}));
    EXPECT_EQ(ball["velocity"], Json({3, 0, 0}));
    EXPECT_EQ(ball["angular_velocity"], Json({0, 0, 0}));
    EXPECT_EQ(ball["mass"], 2);
    runner.stepFrame();
    const Json second = Json::parse(runner.traceLine());
    EXPECT_EQ(second["frame"], 1);
    EXPECT_EQ(second["bodies"][0]["id"], ball["id"]);
    EXPECT_EQ(Real(second["bodies"][0]["position"][1].get<double>()),
              runner.world().position(runner.world().find("a \"ball\"")).y);
    // A body that takes a removed one's place gets a new id.
    World& world = runner.world();
    ASSERT_TRUE(world.removeBody(world.find("lift")));
    BodyDef newcomer;
    newcomer.name = "new";
    newcomer.position = {0, 50, 0};
    world.addBody(newcomer);
    const Json third = Json::parse(runner.traceLine());
    EXPECT_NE(third["bodies"][1]["id"], first["bodies"][1]["id"]);
}

TEST(SceneRunner, TraceLinesTellWhatBroke) {
    SceneRunner runner(sceneOf(R"({"sunder": 1, "frame_rate": 30, "gravity": [0, 0, 0],
        "materials": {"stone": {"density": 2400, "young": 3e10, "poisson": 0.2, "strength": 3e6, "toughness": 60}},
        "bodies": [{"name": "slab", "material": "stone", "shape": {"type": "box", "half_extents": [0.5, 0.05, 0.25]},
                    "fracture": {"method": "stress", "elements": 1500}}],
        "events": [{"time": 0, "cut": {"body": "slab", "at": [0, 0, 0], "normal": [1, 0, 0]}}]})"));
    const Json before = Json::parse(runner.traceLine());
    EXPECT_FALSE(before.contains("broken"));
    runner.stepFrame();
    const Json line = Json::parse(runner.traceLine());
    ASSERT_EQ(line["broken"].size(), 1u);
    EXPECT_EQ(line["broken"][0]["body"], before["bodies"][0]["id"]);
    EXPECT_EQ(line["broken"][0]["rule"], "call");
    EXPECT_EQ(line["broken"][0]["pieces"], 2);
    EXPECT_FALSE(line["broken"][0].contains("element"));
}

TEST(SceneRunner, StepsPerFrameDivideTheFrame) {
    Scene scene = sceneOf(kScene);
    scene.stepsPerFrame = 4;
    SceneRunner runner(scene);
    runner.stepFrame();
    EXPECT_EQ(runner.world().stats().step, 4u);
    EXPECT_NEAR(runner.world().stats().time, 1.0 / 30, 1e-6);
}

}  // namespace
}  // namespace sunder
