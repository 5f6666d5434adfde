// The playground without a browser: what the page reads of bodies whose vertices move, live and from a recording. A source in
// place of the world makes one of its rigid bodies wave and tear.
#include "playground.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "math/quat.h"
#include "scene/moving_for_tests.h"

namespace sunder::web {
namespace {

constexpr const char* kScene = R"({ "sunder": 1, "bodies": [
  { "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [5, 0.5, 5] }, "position": [0, -0.5, 0] },
  { "name": "cube", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "position": [0, 3, 0] } ] })";

// Vertices of the one body that moves.
void expectMover(Playground& playground, const std::vector<Vec3>& expected) {
    ASSERT_EQ(playground.movers().size(), 1u);
    const ListedMover& mover = playground.movers()[0];
    ASSERT_EQ(mover.vertices, expected.size());
    ASSERT_EQ(playground.moverPositions().size(), 3 * expected.size());
    ASSERT_EQ(playground.moverNormals().size(), 3 * expected.size());
    EXPECT_EQ(playground.surfaces().at(int(mover.surface)).positions.size(), 3 * expected.size());
    EXPECT_EQ(playground.bodies()[1].surface, mover.surface);
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            ASSERT_NEAR(playground.moverPositions()[3 * i + std::size_t(axis)], component(expected[i], axis), 2e-5);
}

class MovingPlayground : public testing::Test {
protected:
    MovingPlayground() {
        playground_.useMovingSurfaces([this](BodyId body) -> std::optional<MovingSurface> {
            if (body.index != 1)
                return std::nullopt;
            const int frame = playground_.frame();
            positions_ = cube_.positions(frame);
            return MovingSurface{&cube_.surface(frame), frame < WavingCube::kTearFrame ? 1u : 2u, positions_};
        });
        EXPECT_NE(playground_.load(kScene, "", "/").find("\"ok\":true"), std::string::npos);
    }

    Playground playground_;
    WavingCube cube_;
    std::vector<Vec3> positions_;
};

TEST_F(MovingPlayground, TheLiveViewHasTheVerticesOfNow) {
    for (int frame = 0; frame <= 20; ++frame) {
        expectMover(playground_, cube_.positions(frame));
        const std::uint32_t before = playground_.revision();
        playground_.stepFrame();
        // The list changes when the triangles do, not while vertices move.
        EXPECT_EQ(playground_.revision() != before, playground_.frame() == WavingCube::kTearFrame);
    }
    const int surfaces = playground_.surfaces().count();
    playground_.goTo(3);
    expectMover(playground_, cube_.positions(3));
    EXPECT_EQ(playground_.surfaces().count(), surfaces);  // known from before
}

TEST_F(MovingPlayground, ARecordingMadeHereHasThem) {
    const TemporaryFolder folder;
    playground_.startRecording((folder / "run.sunder").string());
    for (int frame = 1; frame <= 20; ++frame)
        playground_.stepFrame();
    playground_.stopRecording();
    EXPECT_NE(playground_.openRecording((folder / "run.sunder").string()).find("\"ok\":true"), std::string::npos);
    for (const int frame : {0, 16, 17, 20, 5}) {
        playground_.goTo(frame);
        expectMover(playground_, cube_.positions(frame));
    }
}

TEST(Playground, ASceneOfRigidBodiesHasNoMovers) {
    Playground playground;
    playground.load(kScene, "", "/");
    playground.stepFrame();
    EXPECT_TRUE(playground.movers().empty());
    EXPECT_TRUE(playground.moverPositions().empty());
}

// A strip of rubber in the air without gravity, held at its left end where it is pinned; it tears where it is weak.
std::string stripScene(const char* options) {
    return std::string(R"({ "sunder": 1, "frame_rate": 60, "gravity": [0, 0, 0],
        "materials": { "rubber": { "density": 1000, "young": 2e5, "poisson": 0.3, "strength": 3e4 } },
        "bodies": [ { "name": "strip", "material": "rubber", "shape": { "type": "box", "half_extents": [0.5, 0.05, 0.05] },
          "deformable": { "cell": 0.1)") +
           options + " } } ] }";
}

// m: from a point in the world to the nearest vertex of a deformable body.
double nearestVertex(Playground& playground, const Vec3& point) {
    double least = 1e9;
    std::size_t first = 0;
    for (std::size_t body = 0; body < playground.movers().size(); ++body) {
        const float* pose = &playground.poses()[7 * body];
        const Quat turn{pose[3], pose[4], pose[5], pose[6]};
        for (std::uint32_t i = 0; i < playground.movers()[body].vertices; ++i, first += 3) {
            const float* p = &playground.moverPositions()[first];
            const Vec3 at = Vec3{pose[0], pose[1], pose[2]} + rotate(turn, Vec3{p[0], p[1], p[2]});
            least = std::min(least, double(length(at - point)));
        }
    }
    return least;
}

TEST(Playground, ANodeThatIsGrabbedGoesWhereItIsPulled) {
    Playground playground;
    ASSERT_NE(playground.load(stripScene(R"(, "pinned": [{"low": [-1, -1, -1], "high": [-0.49, 1, 1]}])"), "", "/")
                  .find("\"ok\":true"),
              std::string::npos);
    ASSERT_TRUE(playground.grab(0, {Real(0.5), Real(0.05), Real(0.05)}));
    const Vec3 target{Real(0.5), Real(0.4), Real(0.05)};
    playground.pullTo(target);
    for (int frame = 0; frame < 60; ++frame)
        playground.stepFrame();
    EXPECT_LT(nearestVertex(playground, target), 1e-3);
    // Frames are kept without the pull: from one of these it goes back.
    playground.goTo(50);
    EXPECT_LT(nearestVertex(playground, target), 0.01);
    double farthest = 0;  // it swings
    for (int frame = 0; frame < 120; ++frame) {
        playground.stepFrame();
        farthest = std::max(farthest, nearestVertex(playground, target));
    }
    EXPECT_GT(farthest, 0.2);
}

TEST(Playground, ABodyTearsAsItIsPulledAndIsCut) {
    Playground playground;
    playground.load(stripScene(R"(, "tears": true, "pinned": [{"low": [-1, -1, -1], "high": [-0.49, 1, 1]}])"), "", "/");
    ASSERT_EQ(playground.bodies().size(), 1u);
    ASSERT_TRUE(playground.grab(0, {Real(0.5), 0, 0}));
    playground.pullTo({3, 0, 0});
    for (int frame = 0; frame < 90; ++frame)
        playground.stepFrame();
    const std::size_t torn = playground.bodies().size();
    EXPECT_GT(torn, 1u);
    playground.release();
    playground.load(stripScene(""), "", "/");
    playground.cut(0, {Real(0.1), 0, 0}, {1, 0, 0});
    playground.stepFrame();
    EXPECT_EQ(playground.bodies().size(), 2u);
}

// What a slider for the stiffness of bonds shows: what the bonds give, or what their material gives.
TEST(Playground, BondsThatGiveNoStiffnessShowTheirMaterials) {
    const auto valueOf = [](const std::string& bonds) {
        Playground playground;
        playground.load(R"({ "sunder": 1, "materials": { "m": { "young": 5e8 } }, "bodies": [ { "name": "row", "material": "m",
            "shape": { "type": "brick_wall", "count": [3, 1], "size": [0.2, 0.1, 0.1] }, "bonds": )" +
                            bonds + " } ] }",
                        "", "/");
        const std::string settings = playground.settings();
        const std::size_t field = settings.find(R"("path":"bodies.row.bonds.young")");
        if (field == std::string::npos)
            return settings;
        const std::size_t value = settings.find("\"value\":", field) + 8;
        return settings.substr(value, settings.find('}', value) - value);
    };
    EXPECT_EQ(valueOf("{}"), "500000000.0");
    EXPECT_EQ(valueOf(R"({ "young": 2e9 })"), "2000000000.0");
}

// The map of a blow is there from its frame on: on the body, and where the body was struck for half a second once it has
// broken.
TEST(StressPlayground, BlowsAreKeptAndForgotten) {
    Playground playground;
    ASSERT_NE(playground
                  .load(R"({ "sunder": 1, "frame_rate": 30,
                       "materials": { "stone": { "density": 2400, "young": 3e10, "strength": 3e6, "toughness": 20 } }, "bodies": [
                       { "name": "post", "motion": "static", "material": "stone",
                         "shape": { "type": "box", "half_extents": [0.05, 0.5, 0.3] }, "position": [0, -0.5, 0] },
                       { "name": "plate", "material": "stone", "shape": { "type": "box", "half_extents": [0.4, 0.03, 0.2] },
                         "position": [0, 0.05, 0], "velocity": [0, -3, 0],
                         "fracture": { "method": "stress", "elements": 3000 } } ] })",
                        "", "/")
                  .find("\"ok\":true"),
              std::string::npos);
    EXPECT_TRUE(playground.stress().empty());
    while (playground.stress().empty() && playground.frame() < 5)
        playground.stepFrame();
    ASSERT_EQ(playground.stress().size(), 1u);
    const int struck = playground.frame();
    const ListedStress map = playground.stress()[0];
    EXPECT_EQ(map.body, -1);  // it broke
    EXPECT_EQ(map.strength, 3e6f);
    EXPECT_GT(map.worst, map.strength);
    ASSERT_EQ(playground.stressVertices().size(), 4 * std::size_t(map.vertices));
    ASSERT_EQ(playground.stressTriangles().size(), 3 * std::size_t(map.triangles));
    for (const std::uint32_t corner : playground.stressTriangles())
        ASSERT_LT(corner, std::uint32_t(map.vertices));
    for (int i = 0; i < 16; ++i)
        playground.stepFrame();
    for (const ListedStress& shown : playground.stress())
        EXPECT_GE(shown.body, 0);
    playground.goTo(struck - 1);
    EXPECT_TRUE(playground.stress().empty());
}

// Colours and opacity of the scene's materials: of bodies from the start, of those that join later or are added, and of pieces.
TEST(Playground, BodiesLookAsTheirMaterialsSay) {
    Playground playground;
    ASSERT_NE(
        playground
            .load(R"({ "sunder": 1, "gravity": [0, 0, 0], "materials": { "red": { "color": [0.8, 0.1, 0.1] } }, "bodies": [
        { "name": "plain", "shape": { "type": "sphere", "radius": 0.5 }, "position": [0, 5, 0] },
        { "name": "late", "joins_at": 0.01, "material": "red", "shape": { "type": "sphere", "radius": 0.5 }, "position": [4, 0, 0] },
        { "name": "pane", "material": "glass", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.05] },
          "fracture": { "resolution": [33, 33, 9] } } ] })",
                  "", "/")
            .find("\"ok\":true"),
        std::string::npos);
    const nlohmann::json looks = nlohmann::json::parse(playground.looks());
    ASSERT_EQ(looks.size(), 2u);
    const auto lookAt = [&](std::size_t place) { return playground.bodies()[place].look; };
    EXPECT_EQ(lookAt(0), kNoLook);
    EXPECT_NEAR(looks[lookAt(1)]["opacity"].get<double>(), 0.25, 1e-6);
    EXPECT_NEAR(looks[lookAt(1)]["inner_color"][1].get<double>(), 0.90, 1e-6);
    playground.cut(1, {0, 0, 0}, {1, 0, 0});
    playground.stepFrame();
    playground.stepFrame();
    ASSERT_EQ(playground.bodies().size(), 4u);  // plain, late and the two halves
    int panes = 0, reds = 0;
    for (const ListedBody& body : playground.bodies()) {
        panes += int(body.look != kNoLook && looks[body.look]["opacity"] != 1);
        reds += int(body.look != kNoLook && looks[body.look]["color"][0].get<double>() > 0.7);
    }
    EXPECT_EQ(panes, 2);
    EXPECT_EQ(reds, 1);
    playground.add(R"({ "sunder": 1, "bodies": [
        { "name": "thrown", "material": "wood", "shape": { "type": "sphere", "radius": 0.1 }, "position": [0, 9, 0] },
        { "name": "plain", "shape": { "type": "sphere", "radius": 0.1 }, "position": [0, 12, 0] } ] })",
                   "/");
    const nlohmann::json more = nlohmann::json::parse(playground.looks());
    ASSERT_EQ(more.size(), 3u);
    EXPECT_EQ(more[2]["color"][0], nlohmann::json(Real(.38)));
    EXPECT_EQ(std::count_if(playground.bodies().begin(), playground.bodies().end(),
                            [](const ListedBody& body) { return body.look == 2; }),
              1);
}

// Texture coordinates, vertex colours, materials and pictures of a mesh, whole and broken.
TEST(Playground, SurfacesHaveWhatTheirMeshBrought) {
    Playground playground;
    const std::string answer =
        playground.load(R"({ "sunder": 1, "gravity": [0, 0, 0], "patterns": { "cells": { "type": "voronoi", "pieces": 6 } },
        "bodies": [ { "name": "vase", "shape": { "type": "level_set", "file": "glazed_vase.glb", "cell": 0.03 },
                      "fracture": { "pattern": "cells", "threshold": 1e6, "surface": "cut" } } ] })",
                        "", SUNDER_ASSETS);
    ASSERT_NE(answer.find("\"ok\":true"), std::string::npos) << answer;
    const auto expectLook = [&](const Triangles& surface) {
        const std::size_t vertices = surface.positions.size() / 3;
        EXPECT_EQ(surface.textureCoordinates.size(), 2 * vertices);
        EXPECT_EQ(surface.colors.size(), 4 * vertices);
        EXPECT_EQ(surface.materials, 0u);
        std::size_t next = 0;
        for (const SurfaceGroup& group : surface.groups) {
            EXPECT_EQ(group.first, next);
            next += group.count;
        }
        EXPECT_EQ(next, surface.indices.size());
    };
    const Triangles whole = playground.surfaces().at(int(playground.bodies()[0].surface));
    expectLook(whole);
    ASSERT_EQ(whole.groups.size(), 2u);  // two materials
    EXPECT_EQ(whole.groups[1].slot, 2u);
    ASSERT_EQ(playground.surfaces().materials().size(), 1u);
    const nlohmann::json materials = nlohmann::json::parse(playground.surfaces().materialsText(0));
    ASSERT_EQ(materials.size(), 2u);
    std::size_t textured = 0;
    for (const nlohmann::json& material : materials)
        textured += material["textures"].contains("base_color") ? 1 : 0;
    EXPECT_GE(textured, 1u);
    ASSERT_GE(playground.surfaces().images().size(), 1u);
    EXPECT_EQ(playground.surfaces().images()[0]->mediaType, "image/png");
    playground.cut(0, {0, 0.3, 0}, {1, 0, 0});
    playground.stepFrame();
    ASSERT_GE(playground.bodies().size(), 2u);
    for (const ListedBody& body : playground.bodies()) {
        const Triangles& piece = playground.surfaces().at(int(body.surface));
        expectLook(piece);
        EXPECT_EQ(piece.groups.back().slot, 1u);
        EXPECT_EQ(piece.groups.back().first, piece.outsideIndices);
    }
    EXPECT_EQ(playground.surfaces().materials().size(), 1u);
}

// The mean of the last three frames, of a cube that falls; what is fixed, a frame that is listed again and one that was gone
// back to are shown as they are.
TEST(Playground, AFilterChangesWhatIsShownAndNothingElse) {
    Playground plain, filtered;
    filtered.useFilter(PoseFilter{PoseFilterKind::Box, 2, 0, 0});
    for (Playground* playground : {&plain, &filtered})
        playground->load(kScene, "", "/");
    std::vector<float> heights{plain.poses()[8]};
    for (int frame = 1; frame <= 10; ++frame) {
        plain.stepFrame();
        filtered.stepFrame();
        heights.push_back(plain.poses()[8]);
        const std::size_t first = std::size_t(std::max(0, frame - 2));
        float mean = 0;
        for (std::size_t i = first; i <= std::size_t(frame); ++i)
            mean += heights[i] / float(std::size_t(frame) - first + 1);
        ASSERT_NEAR(filtered.poses()[8], mean, 1e-6) << frame;
        filtered.listBodies();
        ASSERT_NEAR(filtered.poses()[8], mean, 1e-6) << frame;
        ASSERT_EQ(filtered.poses()[1], plain.poses()[1]);
        ASSERT_EQ(filtered.hash(), plain.hash());
    }
    EXPECT_GT(filtered.poses()[8], plain.poses()[8]);
    plain.goTo(5);
    filtered.goTo(5);
    EXPECT_EQ(filtered.poses(), plain.poses());
    filtered.stepFrame();
    filtered.useFilter(std::nullopt);
    plain.stepFrame();
    EXPECT_EQ(filtered.poses(), plain.poses());
    EXPECT_THROW(filtered.useFilter(PoseFilter{PoseFilterKind::Box, -1, 0, 0}), Error);
}

// A scene names its stepper and options of it; the page shows them, and they act: the cubes end elsewhere than with the options
// as they are by themselves.
TEST(Playground, ASceneBringsItsStepperWithItsOptions) {
    struct Case {
        const char *stepper, *option, *value;
    };
    const auto sceneWith = [](const std::string& stepper) {
        return R"({ "sunder": 1, "frame_rate": 30, "stepper": )" + stepper + R"(, "bodies": [
            { "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [5, 0.5, 5] },
              "position": [0, -0.5, 0] },
            { "name": "low", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "position": [0, 0.47, 0] },
            { "name": "high", "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "position": [0.1, 1.6, 0],
              "velocity": [2, 0, 0], "angular_velocity": [0, 2, 0] } ] })";
    };
    for (const Case& c : {Case{"frame_rate", "substep_rate", "1440.0"}, Case{"impulse", "contact_passes", "3"},
                          Case{"damped", "contact_damping", "5.0"}, Case{"timewarp", "lift_rate", "40.0"},
                          Case{"timewarp_safer", "contact_passes", "2"}}) {
        const std::string type = std::string(R"({ "type": ")") + c.stepper + "\"", option = std::string("\"") + c.option + "\"";
        Playground plain, given;
        ASSERT_NE(plain.load(sceneWith(type + " }"), "", "/").find("\"ok\":true"), std::string::npos) << c.stepper;
        ASSERT_NE(given.load(sceneWith(type + ", " + option + ": " + c.value + " }"), "", "/").find("\"ok\":true"),
                  std::string::npos)
            << c.stepper;
        const nlohmann::json settings = nlohmann::json::parse(given.settings());
        bool isShown = false;
        for (const nlohmann::json& field : settings["world"])
            if (field["name"] == "stepper") {
                EXPECT_EQ(field["value"], c.stepper);
                for (const nlohmann::json& shown : field["options"][c.stepper])
                    isShown = isShown || (shown["name"] == c.option && shown["value"].dump() == c.value);
            }
        EXPECT_TRUE(isShown) << c.stepper;
        for (int i = 0; i < 30; ++i) {
            plain.stepFrame();
            given.stepFrame();
        }
        EXPECT_NE(plain.hash(), given.hash()) << c.stepper;
        // The same by a setting of the page.
        Playground set;
        const std::string byPath = std::string("stepper.") + c.option + "=" + c.value;
        ASSERT_NE(set.load(sceneWith(type + " }"), byPath, "/").find("\"ok\":true"), std::string::npos) << byPath;
        for (int i = 0; i < 30; ++i)
            set.stepFrame();
        EXPECT_EQ(set.hash(), given.hash()) << c.stepper;
    }
    Playground refused;
    const std::string answer = refused.load(sceneWith(R"({ "type": "damped", "substep_rate": 3 })"), "", "/");
    EXPECT_NE(answer.find("stepper.substep_rate: unknown key"), std::string::npos) << answer;
    EXPECT_NE(answer.find("contact_damping"), std::string::npos) << answer;  // the allowed ones are named
}

}  // namespace
}  // namespace sunder::web
