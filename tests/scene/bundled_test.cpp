// The bundled scenes load, say what they show, and are what benchmarks.md and the papers describe.
#include "sunder/scene/bundled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "collision/built_shape.h"
#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

const std::filesystem::path kFolder = SUNDER_TEST_SOURCE_DIR "/scenes";

Scene bundled(const std::string& name) {
    SceneResult result = loadScene(kFolder / (name + ".json"));
    EXPECT_TRUE(result) << problemsOf(result);
    return result ? *result.scene : Scene{};
}

const BodyDef& bodyOf(const Scene& scene, const std::string& name) {
    for (const BodyDef& body : scene.bodies)
        if (body.name == name)
            return body;
    throw Error("no body " + name);
}

TEST(BundledScenes, AllAreListedWithALine) {
    std::set<std::string> names;
    for (const BundledScene& scene : listScenes(kFolder)) {
        names.insert(scene.name);
        EXPECT_FALSE(scene.description.empty()) << scene.name;
    }
    for (const char* name : {"wall",
                             "su09_fig2_stack",
                             "su09_fig3_incline",
                             "s1_pyramid",
                             "s2t_pile",
                             "s2w_wide_pile",
                             "s2_deep_pile",
                             "s3_stack",
                             "s4_hulls",
                             "s5_spinner",
                             "s6_incline",
                             "s7_bullet",
                             "s8_heavy_on_light",
                             "leaning_tower",
                             "mixed_pile",
                             "zero_gravity_cluster",
                             "su09_fig1_pillar",
                             "su09_fig1_plates",
                             "su09_fig4_three_points",
                             "su09_fig4_ball_breaks",
                             "su09_fig5_cylinder",
                             "su09_fig6_bunny",
                             "su09_fig7_wall_twice",
                             "su09_fig8_table_25",
                             "su09_fig8_table_100",
                             "su09_fig8_table_1000",
                             "su09_fig9_realistic",
                             "li18_beam",
                             "li18_plate",
                             "li18_chain",
                             "bonded_arch",
                             "bonded_bridge",
                             "bonded_pillar",
                             "bonded_wall",
                             "chain_net"})
        EXPECT_EQ(names.count(name), 1u) << name;
}

TEST(BundledScenes, HaveTheirBodies) {
    const std::pair<const char*, std::size_t> counts[] = {{"s1_pyramid", 210 + 1},
                                                          {"s2t_pile", 1000 + 5},
                                                          {"s2w_wide_pile", 8000 + 5},
                                                          {"s2_deep_pile", 8000 + 5},
                                                          {"s3_stack", 20 + 1},
                                                          {"s4_hulls", 2000 + 5},
                                                          {"s5_spinner", 1},
                                                          {"s7_bullet", 16 + 1},
                                                          {"leaning_tower", 11},
                                                          {"mixed_pile", 501},
                                                          {"wall", 3},
                                                          {"zero_gravity_cluster", 128}};
    for (const auto& [name, count] : counts)
        EXPECT_EQ(bundled(name).bodies.size(), count) << name;
}

// Bodies of the inclines lie flat on them: the cube's centre is half its size plus half the plate's above the plate's, along
// the common normal, to the rounding of the file's digits.
TEST(BundledScenes, CubesLieOnTheirInclines) {
    for (const char* name : {"s6_incline", "su09_fig3_incline"}) {
        const Scene scene = bundled(name);
        const BodyDef &incline = bodyOf(scene, "incline"), &cube = bodyOf(scene, "cube");
        EXPECT_EQ(incline.orientation, cube.orientation);
        const double dx = cube.position.x - incline.position.x, dy = cube.position.y - incline.position.y;
        EXPECT_NEAR(std::sqrt(dx * dx + dy * dy), 1, 2e-7);
        // To the rounding of the quaternion: a few parts in 1e7. The normal of a plane turned by -a about z is (sin a, cos a);
        // the quaternion has sin(a / 2) and cos(a / 2).
        const double s = -incline.orientation.z, c = incline.orientation.w;
        EXPECT_NEAR(dx, 2 * s * c, 5e-7);
        EXPECT_NEAR(dy, c * c - s * s, 5e-7);
    }
}

// [Su09] figure 4: one pattern, three walls, each broken about the point where its ball hits.
TEST(BundledScenes, ThreeWallsBreakWhereTheyAreHit) {
    SceneRunner runner(bundled("su09_fig4_three_points"));
    std::vector<Vec3> points;
    for (int frame = 0; frame < 12; ++frame) {
        runner.stepFrame();
        for (const BreakEvent& event : runner.world().breakEvents()) {
            points.push_back(event.point);
            EXPECT_GT(event.pieces.size(), 20u);
        }
    }
    ASSERT_EQ(points.size(), 3u);
    std::sort(points.begin(), points.end(), [](const Vec3& a, const Vec3& b) { return a.x < b.x; });
    const Vec3 hits[] = {{Real(-6.7), Real(2.1), Real(0.13)}, {0, Real(1.5), Real(0.13)}, {Real(6.9), Real(0.7), Real(0.13)}};
    for (int i = 0; i < 3; ++i)
        EXPECT_LT(length(points[i] - hits[i]), 0.2) << i;
}

// S8: the ratio of the masses is 1000.
TEST(BundledScenes, HeavyIsAThousandTimesLight) {
    const Scene scene = bundled("s8_heavy_on_light");
    const Vec3 h = std::get<SharedShape>(bodyOf(scene, "light").shape)->halfExtents;
    EXPECT_NEAR(*bodyOf(scene, "heavy").mass / (8 * h.x * h.y * h.z * bodyOf(scene, "light").material.density), 1000, 1e-3);
}

TEST(BundledScenes, AreFoundByNameOrPath) {
    EXPECT_EQ(findScene("wall", kFolder).file.filename(), "wall.json");
    EXPECT_EQ(findScene("wall.json", kFolder).file.filename(), "wall.json");
    EXPECT_EQ(findScene((kFolder / "wall.json").string(), {}).file, kFolder / "wall.json");
    // Results of a run often lie in a folder of the scene's name: it does not hide the scene.
    const std::filesystem::path here = std::filesystem::current_path();
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "wall");
    std::filesystem::current_path(folder.path());
    EXPECT_EQ(findScene("wall", kFolder).file.filename(), "wall.json");
    std::filesystem::current_path(here);
    EXPECT_NE(findScene("s1_pyramyd", kFolder).problem.find("did you mean \"s1_pyramid\"?"), std::string::npos);
    EXPECT_NE(findScene("no/such.json", kFolder).problem.find("no such file"), std::string::npos);
}

TEST(BundledScenes, FilesThatAreNoScenesAreNotListed) {
    const TemporaryFolder folder;
    folder.write("a.json", R"({ "sunder": 1, "description": "d", "bodies": [] })");
    folder.write("b.json", "{ broken");
    folder.write("c.json", "{}");
    folder.write("d.txt", "text");
    const std::vector<BundledScene> scenes = listScenes(folder.path());
    ASSERT_EQ(scenes.size(), 1u);
    EXPECT_EQ(scenes[0].name, "a");
    EXPECT_TRUE(listScenes(folder / "absent").empty());
}

TEST(BundledScenes, FolderIsFoundFromBuildAndInstallTrees) {
    const TemporaryFolder folder;
    folder.write("source/scenes/wall.json", "{}");
    folder.write("prefix/share/sunder/scenes/wall.json", "{}");
    EXPECT_EQ(findSceneFolder(folder / "source/build/bin/sunder"), std::filesystem::canonical(folder / "source/scenes"));
    EXPECT_EQ(findSceneFolder(folder / "source/build/dev/bin/sunder"), std::filesystem::canonical(folder / "source/scenes"));
    EXPECT_EQ(findSceneFolder(folder / "prefix/bin/sunder"), std::filesystem::canonical(folder / "prefix/share/sunder/scenes"));
    EXPECT_TRUE(findSceneFolder(folder / "elsewhere/bin/sunder").empty());
}

}  // namespace
}  // namespace sunder
