// TetGen's files of nodes and tetrahedra, and scenes that name them.
#include "sunder/scene/tet_files.h"

#include <gtest/gtest.h>

#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/scene.h"

namespace sunder {
namespace {

// Two tetrahedra on a common face.
constexpr const char* kNodes = "# a comment\n5 3 1 0\n1 0 0 0 7\n2 1 0 0 7\n\n3 0 1 0 7 # another\n4 0 0 1 7\n5 1 1 1 7\n";
constexpr const char* kTets = "2 4 0\n1  1 2 3 4\n2  2 5 3 4\n";

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string errorOf(const TemporaryFolder& folder, const std::string& nodes, const std::string& tets) {
    write(folder / "a.node", nodes);
    write(folder / "a.ele", tets);
    try {
        loadTets(folder / "a.ele");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(TetFiles, NodesAndTetrahedraAreRead) {
    const TemporaryFolder folder;
    write(folder / "a.node", kNodes);
    write(folder / "a.ele", kTets);
    for (const char* name : {"a.node", "a.ele"}) {
        const TetFile file = loadTets(folder / name);
        ASSERT_EQ(file.nodes.size(), 5u);
        EXPECT_EQ(file.nodes[4].z, 1);
        ASSERT_EQ(file.tets.size(), 2u);
        EXPECT_EQ(file.tets[1], (std::array<std::uint32_t, 4>{1, 4, 2, 3}));
    }
    // The other convention: two nodes of each have changed places, and change back.
    write(folder / "a.ele", "2 4 0\n1  1 2 4 3\n2  2 5 4 3\n");
    EXPECT_EQ(loadTets(folder / "a.node").tets[0], (std::array<std::uint32_t, 4>{0, 1, 2, 3}));
}

TEST(TetFiles, BadFilesAreRefusedWithTheirLine) {
    const TemporaryFolder folder;
    const auto has = [&](const std::string& nodes, const std::string& tets, const std::string& wanted) {
        const std::string error = errorOf(folder, nodes, tets);
        EXPECT_NE(error.find(wanted), std::string::npos) << "wanted " << wanted << " got " << error;
    };
    has(kNodes, "2 4 0\n1  1 2 3 4\n2  2 6 3 4\n", "line 3: a node: 6 is not allowed (an integer, 1 to 5)");
    has(kNodes, "2 4 0\n1  1 2 3 4\n", "it ends where tetrahedron 2 of 2 should follow");
    has("4 2 0 0\n", kTets, "line 1: dimensions: 2 is not allowed");
    has("4 3 0 0\n0 0 0 0\n1 1 x 0\n", kTets, "line 3: 'x' is not allowed");
    has("4 3 0 0\n0 0 0 0\n2 1 0 0\n", kTets, "line 3: number of the node: 2 is not allowed");
    EXPECT_THROW(loadTets(folder / "a.vtk"), Error);
}

std::string sceneWith(const std::string& deformable) {
    return R"({ "sunder": 1, "bodies": [{ "name": "two", "shape": { "type": "box", "half_extents": [1, 1, 1] }, "deformable": )" +
           deformable + " }] }";
}

TEST(TetFiles, ASceneNamesThem) {
    const TemporaryFolder folder;
    write(folder / "a.node", kNodes);
    write(folder / "a.ele", kTets);
    write(folder / "scene.json", sceneWith(R"({ "file": "a.node" })"));
    const SceneResult result = loadScene(folder / "scene.json");
    ASSERT_TRUE(result.scene) << problemsOf(result);
    ASSERT_EQ(result.scene->bodies.size(), 1u);
    EXPECT_EQ(result.scene->bodies[0].deformable->tets.size(), 2u);
    // Written out again, they are in the scene.
    write(folder / "scene.json", sceneWith(R"({ "nodes": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tets": [[0,1,2,3]] })"));
    const SceneResult inlined = loadScene(folder / "scene.json");
    ASSERT_TRUE(inlined.scene) << problemsOf(inlined);
    EXPECT_EQ(inlined.scene->bodies[0].deformable->nodes.size(), 4u);

    const auto problems = [&](const std::string& deformable) {
        write(folder / "scene.json", sceneWith(deformable));
        return problemsOf(loadScene(folder / "scene.json"));
    };
    EXPECT_NE(problems(R"({ "file": "b.node" })").find("bodies[0].deformable.file"), std::string::npos);
    EXPECT_NE(problems(R"({ "file": "a.node", "tets": [[0,1,2,3]] })").find("one or the other"), std::string::npos);
    const std::string inverted = problems(R"({ "nodes": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tets": [[0,1,3,2]] })");
    EXPECT_NE(inverted.find("tets[0]"), std::string::npos) << inverted;
    EXPECT_NE(inverted.find("inverted"), std::string::npos) << inverted;
}

}  // namespace
}  // namespace sunder
