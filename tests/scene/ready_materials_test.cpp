// Materials that need no definition, and how materials look in what a run leaves.
#include <gtest/gtest.h>

#include <algorithm>

#include "scene/recording/track_looks.h"
#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/materials.h"
#include "sunder/scene/check.h"
#include "sunder/scene/exports.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

// From the one that breaks first to the one that breaks last.
const std::vector<std::string> kInOrder = {"plaster", "ice", "glass", "ceramic", "brick", "stone", "concrete", "wood"};

// A fixed slab of 0.6 x 0.6 x 0.1 m of each, and a ball of 2 kg in front of it.
std::string slabs(const std::string& speed) {
    std::string bodies;
    for (std::size_t i = 0; i < kInOrder.size(); ++i) {
        const std::string at = std::to_string(3 * i);
        bodies += (i > 0 ? ", " : "") + std::string(R"({ "name": ")") + kInOrder[i] + R"(", "material": ")" + kInOrder[i] +
                  R"(", "motion": "static", "shape": { "type": "box", "half_extents": [0.3, 0.3, 0.05] }, "position": [)" + at +
                  R"(, 0, 0], "fracture": { "resolution": [33, 33, 9] } },
                  { "name": "ball_)" +
                  kInOrder[i] + R"(", "mass": 2, "shape": { "type": "sphere", "radius": 0.08 }, "position": [)" + at +
                  R"(, 0.02, 0.14], "velocity": [0, 0, -)" + speed + "] }";
    }
    return sceneWithBodies(bodies, R"("gravity": [0, 0, 0],)");
}

std::vector<std::string> brokenBy(const std::string& speed) {
    const Scene scene = sceneOf(slabs(speed));
    SceneRunner runner(scene);
    std::vector<std::string> broken;
    for (int frame = 0; frame < 6; ++frame) {
        runner.stepFrame();
        for (const std::string& name : kInOrder)
            if (runner.world().find(name).isNull() && std::find(broken.begin(), broken.end(), name) == broken.end())
                broken.push_back(name);
    }
    std::sort(broken.begin(), broken.end(), [](const std::string& a, const std::string& b) {
        return std::find(kInOrder.begin(), kInOrder.end(), a) < std::find(kInOrder.begin(), kInOrder.end(), b);
    });
    return broken;
}

TEST(ReadyMaterials, AreChangedByLike) {
    const auto withMaterials = [](const std::string& materials) {
        return sceneWithBodies(ball(R"("material": "mine")"), R"("materials": { "mine": )" + materials + " }, ");
    };
    const Scene changed = sceneOf(withMaterials(R"({ "like": "glass", "density": 2600, "opacity": 0.3 })"));
    const ReadyMaterial& glass = *findReadyMaterial("glass");
    EXPECT_EQ(changed.bodies[0].material.density, Real(2600));
    EXPECT_EQ(changed.bodies[0].material.strength, glass.material.material.strength);
    EXPECT_EQ(changed.bodies[0].material.young, glass.material.material.young);
    EXPECT_EQ(changed.materials[0].name, "mine");
    EXPECT_EQ(changed.materials[0].look.color, glass.material.look.color);
    EXPECT_EQ(changed.materials[0].look.opacity, Real(0.3));
    EXPECT_EQ(sceneOf(withMaterials(R"("steel")")).bodies[0].material.density, namedMaterial("steel")->density);
    EXPECT_EQ(sceneOf(withMaterials(R"({ "like": "steel" })")).bodies[0].material.young, namedMaterial("steel")->young);
    const auto problemOf = [&](const std::string& materials) { return problemsOf(parseScene(withMaterials(materials))); };
    EXPECT_NE(problemOf(R"({ "like": "glas" })").find("materials.mine.like: unknown material \"glas\""), std::string::npos)
        << problemOf(R"({ "like": "glas" })");
    EXPECT_NE(problemOf(R"({ "like": 3 })").find("materials.mine.like: 3 is not allowed"), std::string::npos)
        << problemOf(R"({ "like": 3 })");
    EXPECT_NE(problemOf(R"("glas")").find("materials.mine: unknown material"), std::string::npos) << problemOf(R"("glas")");
}

TEST(ReadyMaterials, NeedNoDefinition) {
    const Scene scene = sceneOf(slabs("1"));
    ASSERT_EQ(scene.materials.size(), 8u);
    ASSERT_EQ(scene.patterns.size(), 8u);
    EXPECT_EQ(scene.bodies[4].material.density, Real(2500));
    EXPECT_EQ(scene.patterns[2].name, "glass");
    const std::string written = writeScene(scene);
    EXPECT_EQ(writeScene(sceneOf(written)), written);
    const SceneFacts facts = factsOf(scene, SceneRunner(scene));
    double last = 0;
    for (std::size_t i = 0; i < kInOrder.size(); ++i) {
        EXPECT_GT(facts.bodies[2 * i].threshold, last) << kInOrder[i];
        last = facts.bodies[2 * i].threshold;
    }
}

// A scene's own definition stands in the place of the ready one; a name that is neither is refused.
TEST(ReadyMaterials, AreOverriddenAndListed) {
    const char* body =
        R"({ "shape": { "type": "sphere", "radius": 0.5 }, "material": "glass", "fracture": { "threshold": 5 } })";
    const Scene own = sceneOf(sceneWithBodies(body, R"("materials": { "glass": { "density": 5 } },)"));
    EXPECT_EQ(own.bodies[0].material.density, Real(5));
    EXPECT_EQ(own.patterns.size(), 1u);
    const std::string problems =
        problemsOf(parseScene(sceneWithBodies(R"({ "shape": { "type": "sphere", "radius": 0.5 }, "material": "glas" })")));
    EXPECT_NE(problems.find("bodies[0].material: unknown material \"glas\"; did you mean \"glass\"?"), std::string::npos)
        << problems;
}

// A tap of 1 N s; about 30 N s, between what ceramic and brick of this size bear; 200 N s.
TEST(ReadyMaterials, BreakInTheExpectedOrder) {
    EXPECT_EQ(brokenBy("0.5"), std::vector<std::string>{});
    EXPECT_EQ(brokenBy("15"), (std::vector<std::string>{"plaster", "ice", "glass", "ceramic"}));
    EXPECT_EQ(brokenBy("100"), kInOrder);
}

class MaterialLooks : public testing::Test {
protected:
    void SetUp() override {
        const Scene scene = sceneOf(sceneWithBodies(
            R"({ "name": "pane", "material": "glass", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.1] }, "fracture": {} },
               { "name": "block", "motion": "static", "material": "painted", "position": [3, 0, 0],
                 "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "fracture": { "pattern": "ice", "threshold": 1 } },
               { "name": "plain", "position": [6, 0, 0], "shape": { "type": "sphere", "radius": 0.5 } },
               { "name": "late", "joins_at": 0.05, "material": "painted", "position": [9, 0, 0],
                 "shape": { "type": "sphere", "radius": 0.5 } })",
            R"("gravity": [0, 0, 0], "materials": { "painted": { "color": [0.1, 0.2, 0.9], "inner_color": [0.9, 0.8, 0.1],
               "inner_name": "core", "gloss": 0.5 } },
               "events": [ { "time": 0.05, "break": { "body": "pane", "at": [0, 0, 0.1], "normal": [0, 0, 1] } },
                           { "time": 0.05, "break": { "body": "block", "at": [3, 0, 0.5], "normal": [0, 0, 1] } } ],)"));
        SceneRunner runner(scene);
        RunRecorder recorder(folder_ / "run.sunder", scene, runner);
        recorder.record(runner, runner.statsLine());
        for (int frame = 0; frame < 4; ++frame) {
            runner.stepFrame();
            recorder.record(runner, runner.statsLine());
        }
        recorder.finish();
    }
    Recording recording() const { return Recording::open(folder_ / "run.sunder"); }

    TemporaryFolder folder_;
};

TEST_F(MaterialLooks, AreKeptThroughABreak) {
    const Recording run = recording();
    scene::TrackLooks found;
    const std::vector<render::Look>& looks = found.of(run);
    ASSERT_GT(run.tracks().size(), 6u);
    int late = 0;
    for (std::size_t track = 0; track < run.tracks().size(); ++track) {
        const std::string& name = run.tracks()[track].def.name;
        if (name.rfind("block", 0) == 0) {  // fixed while it was whole
            EXPECT_EQ(looks[track].albedo, (Vec3{Real(0.1), Real(0.2), Real(0.9)})) << name;
            EXPECT_EQ(looks[track].opened, (Vec3{Real(0.9), Real(0.8), Real(0.1)})) << name;
        }
        if (name == "late") {
            EXPECT_EQ(looks[track].albedo, (Vec3{Real(0.1), Real(0.2), Real(0.9)})) << name;
            ++late;
        }
        if (name.rfind("pane", 0) == 0) {
            EXPECT_EQ(looks[track].opacity, Real(0.25)) << name;
        }
    }
    EXPECT_EQ(late, 1);
}

TEST_F(MaterialLooks, AreNamedInGlbAndUsd) {
    Recording run = recording();
    ASSERT_TRUE(writeGlb(run, folder_ / "run.glb"));
    const std::string glb = contentsOf(folder_ / "run.glb");
    for (const char* text : {"\"name\":\"glass\"", "\"name\":\"glass inside\"", "\"name\":\"painted\"", "\"name\":\"core\"",
                             "\"alphaMode\":\"BLEND\"", "\"name\":\"pane and its pieces\"", "\"frame_rate\":30.0"})
        EXPECT_NE(glb.find(text), std::string::npos) << text;
    EXPECT_EQ(glb.find("\"name\":\"plain and its pieces\""), std::string::npos);
    ASSERT_TRUE(writeUsda(run, folder_ / "run.usda"));
    const std::string usda = contentsOf(folder_ / "run.usda");
    for (const char* text : {"def Material \"glass_", "def Material \"core_", "inputs:opacity = 0.25", "def Camera \"Camera\"",
                             "def Xform \"pane_0_and_pieces\"", "boundCamera = \"/World/Camera\""})
        EXPECT_NE(usda.find(text), std::string::npos) << text;
    EXPECT_EQ(std::count(usda.begin(), usda.end(), '{'), std::count(usda.begin(), usda.end(), '}'));
}

}  // namespace
}  // namespace sunder
