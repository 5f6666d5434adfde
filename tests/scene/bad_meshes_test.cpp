// Meshes that are open, inverted, crossing, degenerate, empty, flat or enormous: a clear error, or a repair that is stated.
#include <gtest/gtest.h>

#include "scene/temporary_folder.h"
#include "sunder/scene/scene.h"

namespace sunder {
namespace {

using Corners = std::vector<std::array<double, 3>>;
using Triangles = std::vector<std::array<int, 3>>;

const Corners kCube = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
const Triangles kSides = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

std::string objOf(const Corners& corners, const Triangles& triangles) {
    std::string text;
    for (const auto& [x, y, z] : corners)
        text += "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
    for (const auto& [a, b, c] : triangles)
        text += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
    return text;
}

// What is said of a level set of this mesh: the first problem, or all notes.
std::string saidOf(const std::string& obj, const std::string& surface = "level_set") {
    const TemporaryFolder folder;
    folder.write("mesh.obj", obj);
    folder.write("scene.json",
                 R"({ "sunder": 1, "patterns": { "p": { "type": "slabs", "nodes": 9 } }, "bodies": [ { "shape":
                 { "type": "level_set", "file": "mesh.obj", "resolution": [12, 12, 12] },
                 "fracture": { "pattern": "p", "threshold": 1, "surface": ")" +
                     surface + R"(" } } ] })");
    const SceneResult result = loadScene(folder / "scene.json");
    if (!result)
        return result.problems.at(0).path + ": " + result.problems.at(0).message;
    std::string text;
    for (const std::string& note : result.scene->notes)
        text += note;
    return text;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// How pieces of a mesh are drawn where the file does not say so.
FractureSurface surfaceOf(const std::string& obj, const std::string& fracture, const std::string& more = "") {
    const TemporaryFolder folder;
    folder.write("mesh.obj", obj);
    folder.write("scene.json", R"({ "sunder": 1, "patterns": { "p": { "type": "slabs", "nodes": 9 } }, "bodies": [ { "shape":
                 { "type": "level_set", )" +
                                   (more.empty() ? R"("file": "mesh.obj")" : more) +
                                   R"(, "resolution": [12, 12, 12] }, "fracture": { )" + fracture + R"( } } ] })");
    const SceneResult result = loadScene(folder / "scene.json");
    EXPECT_TRUE(result);
    return result.scene->bodies[0].fracture->surface;
}

TEST(BadMeshes, ClosedOnesAreCutWhereTheFileDoesNotSay) {
    const std::string closed = objOf(kCube, kSides), open = objOf(kCube, Triangles(kSides.begin(), kSides.end() - 1));
    const std::string pattern = R"("pattern": "p", "threshold": 1)";
    EXPECT_EQ(surfaceOf(closed, pattern), FractureSurface::Cut);
    EXPECT_EQ(surfaceOf(closed, pattern + R"(, "surface": "level_set")"), FractureSurface::LevelSet);
    EXPECT_EQ(surfaceOf(open, pattern), FractureSurface::LevelSet);
    EXPECT_EQ(surfaceOf(closed, R"("method": "stress")"), FractureSurface::LevelSet);
    EXPECT_EQ(surfaceOf("", pattern, R"("solid": { "type": "sphere", "radius": 1 })"), FractureSurface::LevelSet);
}

TEST(BadMeshes, AGoodOneNeedsNoWord) {
    EXPECT_EQ(saidOf(objOf(kCube, kSides)), "");
    EXPECT_EQ(saidOf(objOf(kCube, kSides), "cut"), "");
}

TEST(BadMeshes, RepairsAreStated) {
    Triangles open(kSides.begin(), kSides.end() - 1);
    EXPECT_TRUE(contains(saidOf(objOf(kCube, open)), "bodies[0].shape: 3 open edges (closed by winding number)"));
    Triangles inverted;
    for (const auto& [a, b, c] : kSides)
        inverted.push_back({a, c, b});
    EXPECT_EQ(saidOf(objOf(kCube, inverted)), "bodies[0].shape: the surface faced inwards and was turned");
    EXPECT_EQ(saidOf(objOf(kCube, inverted), "cut"), saidOf(objOf(kCube, inverted)));
    Corners more = kCube;
    more.push_back({0.5, 0, 0});
    Triangles degenerate = kSides;
    degenerate.push_back({0, 8, 1});
    EXPECT_TRUE(contains(saidOf(objOf(more, degenerate)), "bodies[0].shape: 1 degenerate triangles"));
    Corners corners = kCube;
    Triangles crossing = kSides;
    for (const auto& [x, y, z] : kCube)
        corners.push_back({x + 0.5, y + 0.4, z + 0.3});
    for (const auto& [a, b, c] : kSides)
        crossing.push_back({a + 8, b + 8, c + 8});
    EXPECT_TRUE(contains(saidOf(objOf(corners, crossing)), "crossing pairs of triangles (united)"));
}

TEST(BadMeshes, WhatBoundsNoSolidIsRefused) {
    EXPECT_TRUE(contains(saidOf(""), "bodies[0].shape.file: \"mesh.obj\""));
    EXPECT_TRUE(contains(saidOf(""), "is empty"));
    EXPECT_TRUE(contains(saidOf(objOf(kCube, {{0, 1, 2}, {1, 3, 2}, {0, 2, 1}, {1, 2, 3}})), "enclose no volume"));
    Corners enormous = kCube;
    for (auto& [x, y, z] : enormous)
        x *= 1e9, y *= 1e9, z *= 1e9;
    EXPECT_TRUE(contains(saidOf(objOf(enormous, kSides)), "1000000000 is not allowed (-100000 to 100000 m)"));
    EXPECT_TRUE(contains(saidOf(objOf(kCube, {{0, 1, 9}})), "a face uses vertex 9"));
    EXPECT_TRUE(contains(saidOf("v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "not a finite number"));
}

// Named by the key that the scene has.
TEST(BadMeshes, ACutNeedsAClosedMesh) {
    Triangles open(kSides.begin(), kSides.end() - 1);
    EXPECT_EQ(saidOf(objOf(kCube, open), "cut"),
              "bodies[0].fracture.surface: the mesh cannot be cut, 3 edges are open; drawn by its level set it can be used "
              "(\"level_set\")");
}

}  // namespace
}  // namespace sunder
