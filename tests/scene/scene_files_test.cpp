// A scene reads files of its own folder and the bundled assets; every way out is closed.
#include <gtest/gtest.h>

#include "collision/built_shape.h"
#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

class SceneFilesTest : public testing::Test {
protected:
    SceneFilesTest() {
        folder_.write("scenes/rock.obj", kTetrahedron);
        folder_.write("scenes/deep/rock.obj", kTetrahedron);
        folder_.write("outside/rock.obj", kTetrahedron);
        folder_.write("assets/bundled.obj", kTetrahedron);
        fs::create_symlink(folder_ / "outside/rock.obj", folder_ / "scenes/link.obj");
        fs::create_directory_symlink(folder_ / "outside", folder_ / "scenes/linked");
        fs::create_symlink("deep/rock.obj", folder_ / "scenes/inner_link.obj");
        options_.assets = folder_ / "assets";
    }

    SceneResult load(const std::string& name) {
        const fs::path file =
            folder_.write("scenes/scene.json",
                          sceneWithBodies(R"({ "motion": "static", "shape": { "type": "mesh", "file": ")" + name + "\" } }"));
        return loadScene(file, options_);
    }
    std::string problem(const std::string& name) {
        const SceneResult result = load(name);
        EXPECT_EQ(result.problems.size(), 1u) << name;
        return result.problems.empty() ? "" : result.problems[0].text();
    }

    TemporaryFolder folder_;
    SceneOptions options_;
};

TEST_F(SceneFilesTest, FilesBesideAndBelowTheSceneAreRead) {
    for (const char* name : {"rock.obj", "./rock.obj", "deep/rock.obj", "deep/../rock.obj", "inner_link.obj"}) {
        const SceneResult result = load(name);
        EXPECT_TRUE(result) << problemsOf(result);
    }
    EXPECT_TRUE(load((folder_ / "scenes/rock.obj").string()));
}

TEST_F(SceneFilesTest, BundledAssetsAreFoundByName) { EXPECT_TRUE(load("bundled.obj")); }

TEST_F(SceneFilesTest, NoPathLeavesTheFolder) {
    const std::string names[] = {"../outside/rock.obj",
                                 "deep/../../outside/rock.obj",
                                 (folder_ / "outside/rock.obj").string(),
                                 "link.obj",
                                 "linked/rock.obj",
                                 "/etc/passwd",
                                 "../../../../../../../../etc/passwd",
                                 "../scenes_other/x.obj"};
    for (const std::string& name : names) {
        const std::string text = problem(name);
        EXPECT_NE(text.find("bodies[0].shape.file: \"" + name.substr(0, 20)), std::string::npos) << text;
        EXPECT_NE(text.find("is outside the scene's folder (--allow-path DIR allows another)"), std::string::npos) << text;
    }
}

TEST_F(SceneFilesTest, AFolderWithTheSameStartIsStillOutside) {
    folder_.write("scenes2/rock.obj", kTetrahedron);
    EXPECT_NE(problem("../scenes2/rock.obj").find("is outside"), std::string::npos);
}

TEST_F(SceneFilesTest, AllowedFoldersAreOpen) {
    options_.allowedFolders = {folder_ / "outside"};
    EXPECT_TRUE(load("../outside/rock.obj"));
    EXPECT_TRUE(load("link.obj"));
    EXPECT_FALSE(load("/etc/passwd"));
}

TEST_F(SceneFilesTest, WhatIsNoMeshIsNamed) {
    folder_.write("scenes/bad.obj", "v 0 0\nf 1 2 3\n");
    EXPECT_NE(problem("bad.obj").find("bad.obj"), std::string::npos);
    EXPECT_NE(problem("absent.obj").find("no such file in the scene's folder"), std::string::npos);
    EXPECT_NE(problem("deep").find("no such file"), std::string::npos);
    EXPECT_NE(problem("").find("not a file name"), std::string::npos);
    EXPECT_NE(problem("a\\u0000b").find("not a file name"), std::string::npos);
}

TEST_F(SceneFilesTest, ScenesGivenAsTextMayNameNoFiles) {
    const SceneResult result =
        parseScene(sceneWithBodies(R"({ "motion": "static", "shape": { "type": "mesh", "file": "rock.obj" } })"));
    EXPECT_FALSE(result);
}

TEST_F(SceneFilesTest, HullsTakeTheVerticesAndTheScale) {
    const fs::path file = folder_.write(
        "scenes/hull.json", sceneWithBodies(R"({ "shape": { "type": "hull", "mesh": "rock.obj", "scale": [2, 1, 1] } })"));
    const SceneResult result = loadScene(file);
    ASSERT_TRUE(result) << problemsOf(result);
    EXPECT_EQ(std::get<SharedShape>(result.scene->bodies[0].shape)->localBounds.high, (Vec3{2, 1, 1}));
}

TEST_F(SceneFilesTest, ScenesThatCannotBeReadAreNamed) {
    EXPECT_EQ(loadScene(folder_ / "absent.json").problems[0].text(), (folder_ / "absent.json").string() + ": no such file");
    EXPECT_NE(loadScene(folder_.path()).problems[0].text().find("is a folder"), std::string::npos);
    EXPECT_NE(loadScene("/dev/zero").problems[0].text().find("too large (at most 64 MB)"), std::string::npos);
    EXPECT_NE(loadScene("/dev/null").problems[0].text().find("empty"), std::string::npos);
}

}  // namespace
}  // namespace sunder
