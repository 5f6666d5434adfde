// Drawn patterns from files to broken bodies: what is drawn is what breaks off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/vec3.h"
#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/pattern_files.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

const fs::path kAssets = fs::path(SUNDER_TEST_SOURCE_DIR) / "assets";
constexpr double kThickness = 0.6;  // m, of the block that is broken

double volumeOf(const std::vector<Vec3>& points, const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    double six = 0;
    for (const auto& [a, b, c] : triangles) {
        const Vec3 &p = points[a], &q = points[b], &r = points[c];
        six += double(p.x) * (double(q.y) * double(r.z) - double(q.z) * double(r.y)) +
               double(p.y) * (double(q.z) * double(r.x) - double(q.x) * double(r.z)) +
               double(p.z) * (double(q.x) * double(r.y) - double(q.y) * double(r.x));
    }
    return six / 6;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

struct Broken {
    std::vector<double> volumes, masses;  // of the surfaces, and by mass over density; both ascending by volume
};

// Blocks of 2.5 x 0.6 x 2.5 m with either placement, struck from above beside their middles: level sets and boxes drawn by
// their grids, or level sets and meshes that are cut.
std::vector<Broken> breakBlocks(const std::string& pattern, const fs::path& folder, const std::string& cell,
                                bool isCut = false) {
    std::string bodies, events;
    for (int i = 0; i < 4; ++i) {
        const std::string box = R"({ "type": "box", "half_extents": [1.25, 0.3, 1.25] })", at = std::to_string(4 * i);
        std::string body =
            R"({ "name": "block_NUMBER", "position": [AT, 0, 0], "shape": SHAPE, "fracture": { "pattern": "drawn",
            "placement": "PLACEMENT", "threshold": 1e9, "smallest": 1e-6, "most_pieces": 200 MORE } })";
        const std::string levelSet = R"({ "type": "level_set", "cell": CELL, )";
        const std::string other = isCut ? levelSet + R"("file": "block.obj" })" : box;
        body = replaced(body, "SHAPE", i % 2 == 0 ? levelSet + R"("solid": )" + box + "}" : other);
        body = replaced(body, "PLACEMENT", i < 2 ? "general" : "aligned");
        body = replaced(body, "MORE", isCut ? R"(, "surface": "cut")" : (i % 2 == 0 ? "" : R"(, "cell": CELL)"));
        body = replaced(body, "CELL", cell);
        std::string event =
            R"({ "time": 0, "break": { "body": "block_NUMBER", "at": [AT.107, HEIGHT, -0.093], "normal": [0, 1, 0] } })";
        bodies += (i > 0 ? ", " : "") + replaced(replaced(body, "AT", at), "NUMBER", std::to_string(i));
        events += (i > 0 ? ", " : "") + replaced(replaced(event, "AT", at), "NUMBER", std::to_string(i));
        // A drawing that ends in the plane of the surface leaves a film of the rest on it, as deep as the grid rounds.
        events = replaced(events, "HEIGHT", isCut ? "0.27" : "0.3");
    }
    SceneOptions options;
    options.folder = folder;
    options.assets = kAssets;
    SceneRunner runner(sceneOf(R"({ "sunder": 1, "gravity": [0, 0, 0], "patterns": { "drawn": )" + pattern +
                                   R"( }, "bodies": [)" + bodies + R"(], "events": [)" + events + "] }",
                               options));
    runner.stepFrame();
    std::vector<Broken> all;
    for (const BreakEvent& event : runner.broken()) {
        std::vector<std::pair<double, double>> pieces;
        for (const BodyId piece : event.pieces) {
            const DrawnSurface surface = runner.world().surface(piece);
            pieces.emplace_back(volumeOf(surface.positions, surface.triangles), double(runner.world().mass(piece)) / 1000);
        }
        std::sort(pieces.begin(), pieces.end());
        Broken& broken = all.emplace_back();
        for (const auto& [volume, mass] : pieces) {
            broken.volumes.push_back(volume);
            broken.masses.push_back(mass);
        }
    }
    return all;
}

// The grid rounds the edges of pieces, so that volumes are less by some 5 over the square of the cells across. Masses share the
// cubes about nodes between the pieces on both sides of a crack, and are off where three pieces meet: by up to 4 over that
// square.
struct Tolerance {
    double volume, mass;
    const char* cell = "0.02";  // m
};

// The rest of the block is the largest piece and left out.
void expectPieces(std::vector<double> drawn, const std::string& pattern, const fs::path& folder, const Tolerance& tolerance) {
    std::sort(drawn.begin(), drawn.end());
    const std::vector<Broken> all = breakBlocks(pattern, folder, tolerance.cell);
    ASSERT_EQ(all.size(), 4u);
    for (std::size_t block = 0; block < 4; ++block) {
        SCOPED_TRACE(std::string(block < 2 ? "general" : "aligned") + (block % 2 == 0 ? ", level set" : ", box"));
        const Broken& broken = all[block];
        ASSERT_EQ(broken.volumes.size(), drawn.size() + 1);
        double worst = 0, worstMass = 0;
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            worst = std::max(worst, std::fabs(broken.volumes[i] / drawn[i] - 1));
            worstMass = std::max(worstMass, std::fabs(broken.masses[i] / drawn[i] - 1));
        }
        EXPECT_LT(worst, tolerance.volume);
        EXPECT_LT(worstMass, tolerance.mass);
    }
}

constexpr const char* kPieces = R"({ "type": "drawn", "file": "drawn_pieces.glb", "unit": 1, "center": [0, 0.25, 0] })";
constexpr const char* kLabels = R"({ "type": "drawn", "file": "drawn_labels.npy", "unit": 0.01, "center": [24, 48, 24] })";

std::vector<double> volumesOfPieces() {
    std::vector<double> volumes;
    for (const DrawnPiece& piece : loadPieces(kAssets / "drawn_pieces.glb"))
        volumes.push_back(volumeOf(piece.mesh.vertices, piece.mesh.triangles));
    return volumes;
}

std::vector<double> volumesOfLabels() {
    DrawnFrame frame;
    frame.unit = Real(0.01);
    PatternInfo info = inspectPattern(*loadPattern(kAssets / "drawn_labels.npy", frame));  // counts voxels
    info.volumes.erase(info.volumes.begin() + std::ptrdiff_t(info.rest.value()));
    return info.volumes;
}

TEST(DrawnPatternFiles, FortyPiecesOfAGlb) {
    const std::vector<double> volumes = volumesOfPieces();
    ASSERT_EQ(volumes.size(), 40u);
    expectPieces(volumes, kPieces, kAssets, {0.035, 0.015});  // some 15 cells across
}

TEST(DrawnPatternFiles, LabelsOfAnNpy) {
    const std::vector<double> volumes = volumesOfLabels();
    ASSERT_EQ(volumes.size(), 27u);
    expectPieces(volumes, kLabels, kAssets, {0.04, 0.015, "0.0125"});  // 13 cells across
}

void expectCutPieces(std::vector<double> drawn, const std::string& pattern, const std::string& cell, double tolerance) {
    const TemporaryFolder folder;
    folder.write("block.obj",
                 "v -1.25 -.3 -1.25\nv 1.25 -.3 -1.25\nv -1.25 .3 -1.25\nv 1.25 .3 -1.25\nv -1.25 -.3 1.25\n"
                 "v 1.25 -.3 1.25\nv -1.25 .3 1.25\nv 1.25 .3 1.25\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\n"
                 "f 1 5 7 3\nf 2 4 8 6\n");
    std::sort(drawn.begin(), drawn.end());
    const std::vector<Broken> all = breakBlocks(pattern, folder.path(), cell, true);
    ASSERT_EQ(all.size(), 4u);
    for (std::size_t block = 0; block < 4; ++block) {
        SCOPED_TRACE(std::string(block < 2 ? "general" : "aligned") + (block % 2 == 0 ? ", level set" : ", mesh"));
        ASSERT_EQ(all[block].volumes.size(), drawn.size() + 1);
        double worst = 0;
        for (std::size_t i = 0; i < drawn.size(); ++i)
            worst = std::max(worst, std::fabs(all[block].volumes[i] / drawn[i] - 1));
        EXPECT_LT(worst, tolerance);
    }
}

// Where surfaces are cut, modelled pieces have the faces that were drawn.
TEST(DrawnPatternFiles, CutPiecesAreThoseOfTheGlb) { expectCutPieces(volumesOfPieces(), kPieces, "0.02", 0.002); }

// A drawing of 2 x 2 m that ends in the surface of the block: its pieces have that surface, all of it.
TEST(DrawnPatternFiles, CutPiecesKeepTheSurfaceTheyEndIn) {
    SceneOptions options;
    options.folder = kAssets;
    SceneRunner runner(sceneOf(R"({ "sunder": 1, "gravity": [0, 0, 0], "patterns": { "drawn": )" + std::string(kPieces) +
                                   R"( }, "bodies": [ { "name": "block", "shape": { "type": "level_set", "cell": 0.02,
            "solid": { "type": "box", "half_extents": [1.25, 0.3, 1.25] } },
          "fracture": { "pattern": "drawn", "threshold": 1e9, "smallest": 1e-2, "surface": "cut" } } ],
        "events": [ { "time": 0, "break": { "body": "block", "at": [0.107, 0.3, -0.093], "normal": [0, 1, 0] } } ] })",
                               options));
    runner.stepFrame();
    ASSERT_EQ(runner.broken().size(), 1u);
    const World& world = runner.world();
    std::vector<BodyId> pieces(runner.broken()[0].pieces.begin(), runner.broken()[0].pieces.end());
    ASSERT_EQ(pieces.size(), 41u);
    std::sort(pieces.begin(), pieces.end(), [&](BodyId a, BodyId b) { return world.mass(a) < world.mass(b); });
    pieces.pop_back();  // the rest of the block
    double area = 0;
    for (const BodyId piece : pieces) {
        const DrawnSurface surface = world.surface(piece);
        for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
            const auto& [a, b, c] = surface.triangles[i];
            const Vec3 &p = surface.positions[a], &q = surface.positions[b], &r = surface.positions[c];
            area += surface.slots[i] == DrawnSurface::kOldSurface ? double(length(cross(q - p, r - p))) / 2 : 0;
        }
    }
    EXPECT_NEAR(area, 4, 0.01);
}

// The edges of voxels are rounded by a tenth of a square voxel each; pieces are 15 voxels across.
TEST(DrawnPatternFiles, CutPiecesAreThoseOfTheLabels) { expectCutPieces(volumesOfLabels(), kLabels, "0.0125", 0.01); }

TEST(DrawnPatternFiles, SectorsOfAnSvg) {
    const TemporaryFolder folder;
    folder.write("cracks.svg", R"svg(<?xml version="1.0"?><!-- <path d="M 0 0 L 9 9"/> --><svg viewBox="0 0 100 100">
        <defs><circle r="5"/></defs><g transform="translate(50,50)"><circle r="30"/><path d="M-60 0H60M0-60V60"/></g></svg>)svg");
    const double inner = 3.14159265 * 0.36 / 4, outer = 1 - inner;  // m^2, at 0.02 m per unit
    std::vector<double> volumes(4, inner * kThickness);
    volumes.insert(volumes.end(), 4, outer * kThickness);
    expectPieces(volumes, R"({ "type": "drawn", "file": "cracks.svg", "unit": 0.02 })", folder.path(), {0.01, 0.006, "0.0175"});
}

TEST(DrawnPatternFiles, CellsOfAPng) {
    const TemporaryFolder folder;
    Image image{200, 200, std::vector<std::uint8_t>(200 * 200 * 3, 255)};
    const auto isLine = [](int x) { return (x >= 60 && x < 63) || (x >= 130 && x < 133); };
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x)
            if (isLine(x) || (y >= 98 && y < 103))
                std::fill_n(image.rgb.begin() + 3 * (x + 200 * y), 3, std::uint8_t(30));
    writePng(image, (folder / "cracks.png").string());
    std::vector<double> volumes;
    for (const double width : {61.5, 70.0, 68.5})
        for (const double height : {100.5, 99.5})
            volumes.push_back(width * height * 1e-4 * kThickness);  // two metres are 200 pixels
    expectPieces(volumes, R"({ "type": "drawn", "file": "cracks.png", "unit": 2 })", folder.path(), {0.01, 0.01});
}

// Pieces that were modelled on the body break there, wherever it is hit.
TEST(DrawnPatternFiles, FixedInTheBody) {
    std::vector<double> drawn;
    for (const DrawnPiece& piece : loadPieces(kAssets / "drawn_pieces.glb"))
        drawn.push_back(volumeOf(piece.mesh.vertices, piece.mesh.triangles));
    std::sort(drawn.begin(), drawn.end());
    const char* scene = R"({ "sunder": 1, "gravity": [0, 0, 0],
        "patterns": { "modelled": { "type": "drawn", "file": "drawn_pieces.glb", "unit": 1, "fixed": true, "rest": "nearest" } },
        "bodies": [ { "name": "block", "shape": { "type": "box", "half_extents": [1, 0.25, 1] },
          "fracture": { "pattern": "modelled", "threshold": 1e9, "cell": 0.02, "smallest": 1e-6 } } ],
        "events": [ { "time": 0, "break": { "body": "block", "at": [-0.9, 0.1, 1], "normal": [0, 0, 1] } } ] })";
    SceneOptions options;
    options.folder = kAssets;
    SceneRunner runner(sceneOf(scene, options));
    runner.stepFrame();
    ASSERT_EQ(runner.broken().size(), 1u);
    std::vector<double> volumes;
    for (const BodyId piece : runner.broken()[0].pieces) {
        const DrawnSurface surface = runner.world().surface(piece);
        volumes.push_back(volumeOf(surface.positions, surface.triangles));
    }
    std::sort(volumes.begin(), volumes.end());
    ASSERT_EQ(volumes.size(), drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i)
        EXPECT_NEAR(volumes[i] / drawn[i], 1, 0.035) << i;  // some 15 cells across
}

// A drawing in the scene itself, laid on the front of a wall: it breaks along the line there, whatever side is hit. The wall is
// 2 m wide; the line is 0.3 m to the right of its middle and tilted, so that mirrored or turned drawings would give other
// pieces.
TEST(DrawnPatternFiles, LaidOnASideOfTheBody) {
    const std::string scene =
        R"({ "sunder": 1, "gravity": [0, 0, 0], "patterns": { "line": { "type": "drawn", "unit": 0.01, "fixed": true,
        "svg": "<svg viewBox='-110 -60 220 120'><polyline points='20,-60 40,60'/></svg>", "at": [0, 0, SIDE], "facing": [0, 0, SIDE] } },
        "bodies": [ { "name": "wall", "shape": { "type": "box", "half_extents": [1, 0.5, 0.1] },
          "fracture": { "pattern": "line", "threshold": 1e9, "cell": 0.02 } } ],
        "events": [ { "time": 0, "break": { "body": "wall", "at": [-1, 0, 0], "normal": [-1, 0, 0] } } ] })";
    for (const double side : {1.0, -1.0}) {
        SceneRunner runner(sceneOf(replaced(scene, "SIDE", side > 0 ? "1" : "-1")));
        runner.stepFrame();
        ASSERT_EQ(runner.broken().size(), 1u);
        ASSERT_EQ(runner.broken()[0].pieces.size(), 2u);
        const World& world = runner.world();
        const BodyId *a = &runner.broken()[0].pieces[0], *b = &runner.broken()[0].pieces[1];
        if (world.mass(*a) < world.mass(*b))
            std::swap(a, b);
        // Seen from the front, the smaller piece is on the right; seen from behind, on the left.
        EXPECT_NEAR(double(world.mass(*b)), 140, 2);  // 0.7 x 1 x 0.2 m
        EXPECT_NEAR(double(world.centerOfMass(*b).x), side * 0.6484, 0.005);
        // The line runs down to the right: y of the smaller piece's centre is above the middle. A trapezium, 0.783 m wide at
        // its top and 0.617 m at its foot.
        EXPECT_NEAR(double(world.centerOfMass(*b).y), 0.0198, 0.003);
    }
}

// The same pieces bonded: they hang together until something breaks their bonds. On cells of 4 cm the neck of one piece is
// lost.
TEST(DrawnPatternFiles, PiecesOfAGlbAsABondedBody) {
    const char* scene = R"({ "sunder": 1, "frames": 1,
        "patterns": { "modelled": { "type": "drawn", "file": "drawn_pieces.glb", "unit": 1, "fixed": true, "rest": "nearest", "nodes": 65 } },
        "bodies": [ { "name": "block", "bonds": {}, "shape": { "type": "scored_solid", "cell": 0.03, "pattern": "modelled",
          "solid": { "type": "box", "half_extents": [1, 0.25, 1] } } } ] })";
    SceneOptions options;
    options.folder = kAssets;
    const Scene read = sceneOf(scene, options);
    ASSERT_EQ(read.bodies.size(), 1u);
    std::uint32_t last = 0;
    for (const Bond& bond : read.bodies[0].bonds->bonds)
        last = std::max({last, bond.a, bond.b});
    EXPECT_EQ(last, 39u);
    EXPECT_GT(read.bodies[0].bonds->bonds.size(), 60u);
    SceneRunner runner(read);
    runner.stepFrame();
    EXPECT_NEAR(double(runner.world().mass(runner.world().bodies()[0])), 2000, 40);  // 2 m^3 on cells of 3 cm
}

TEST(DrawnPatternFiles, ObjectsOfObjAndPartsOfPly) {
    const TemporaryFolder folder;
    std::string obj, ply;
    const auto corner = [](int box, int i) {
        return std::to_string(box + (i & 1)) + " " + std::to_string(i >> 1 & 1) + " " + std::to_string(i >> 2) + "\n";
    };
    const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int box = 0; box < 2; ++box) {
        obj += "o box_" + std::to_string(box) + "\n";
        for (int i = 0; i < 8; ++i)
            obj += "v " + corner(box, i);
        for (const auto& f : faces) {
            obj += "f";
            for (const int i : f)
                obj += " " + std::to_string(8 * box + i + 1);
            obj += "\n";
        }
    }
    ply =
        "ply\nformat ascii 1.0\nelement vertex 16\nproperty float x\nproperty float y\nproperty float z\nelement face 12\n"
        "property list uchar int vertex_indices\nend_header\n";
    for (int box = 0; box < 2; ++box)
        for (int i = 0; i < 8; ++i)
            ply += corner(box, i);
    for (int box = 0; box < 2; ++box)
        for (const auto& f : faces) {
            ply += "4";
            for (const int i : f)
                ply += " " + std::to_string(8 * box + i);
            ply += "\n";
        }
    const std::vector<DrawnPiece> objects = loadPieces(folder.write("boxes.obj", obj));
    ASSERT_EQ(objects.size(), 2u);
    EXPECT_EQ(objects[1].name, "box_1");
    EXPECT_NEAR(volumeOf(objects[1].mesh.vertices, objects[1].mesh.triangles), 1, 1e-6);
    const std::vector<DrawnPiece> parts = loadPieces(folder.write("boxes.ply", ply));
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].name, "part 1");
}

TEST(DrawnPatternFiles, SavedOnesAreTheSame) {
    const TemporaryFolder folder;
    DrawnFrame frame;
    frame.unit = Real(0.01);
    const SharedPattern built = loadPattern(kAssets / "drawn_labels.npy", frame);
    savePattern(*built, folder / "labels.pattern");
    EXPECT_EQ(patternBytes(*loadPattern(folder / "labels.pattern")), patternBytes(*built));
    EXPECT_THROW(loadPattern(folder / "labels.pattern", frame), Error);
}

// A scene with a drawn pattern is written as it was read.
TEST(DrawnPatternFiles, ScenesAreWrittenAndReadAgain) {
    SceneOptions options;
    options.folder = kAssets;
    const Scene scene =
        sceneOf(R"({ "sunder": 1, "patterns": { "cracks": { "type": "drawn", "file": "drawn_cracks.svg", "unit": 0.002 } },
        "bodies": [ { "shape": { "type": "box", "half_extents": [1, 1, 1] }, "fracture": { "pattern": "cracks", "threshold": 5 } } ] })",
                options);
    const std::string written = writeScene(scene);
    EXPECT_NE(written.find("cracks.svg"), std::string::npos);
    EXPECT_EQ(writeScene(sceneOf(written, options)), written);
}

std::string problemsWith(const TemporaryFolder& folder, const std::string& pattern) {
    SceneOptions options;
    options.folder = folder.path();
    return problemsOf(parseScene(R"({ "sunder": 1, "patterns": { "p": )" + pattern + R"( }, "bodies": [] })", options));
}

TEST(DrawnPatternFiles, BadFilesAreNamed) {
    const TemporaryFolder folder;
    folder.write("none.svg", "<svg viewBox='0 0 10 10'><text>cracks</text></svg>");
    folder.write("one.svg", "<svg viewBox='0 0 10 10'><path d='M 2 2 L 5 5'/></svg>");
    folder.write("bad.svg", "<svg viewBox='0 0 10 10'><path id='ray' d='M 2 2 L 5 x'/></svg>");
    folder.write("bad.npy", "no labels");
    folder.write("bad.png", "no picture");
    folder.write("bad.pattern", "no pattern");
    folder.write(
        "open.obj",
        "o shard\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\no other\nf 1 3 "
        "2\n");
    const auto expect = [&](const std::string& pattern, const std::string& message) {
        const std::string problems = problemsWith(folder, pattern);
        EXPECT_NE(problems.find(message), std::string::npos) << problems;
    };
    const auto file = [](const std::string& name) { return R"({ "type": "drawn", "file": ")" + name + "\" }"; };
    expect(file("none.svg"), "patterns.p.file: \"none.svg\": has no curves (path, line");
    expect(file("one.svg"), "patterns.p.file: \"one.svg\": curves: they divide the drawing into 1 regions");
    expect(file("bad.svg"), "path 1 ('ray'): 'x' is not a number");
    expect(file("bad.npy"), "patterns.p.file: \"bad.npy\": is not a NumPy file");
    expect(file("bad.png"), "patterns.p.file: \"bad.png\": is not a PNG");
    expect(file("bad.pattern"), "patterns.p.file: \"bad.pattern\": pattern file: it does not start");
    expect(file("open.obj"), "patterns.p.file: \"open.obj\": piece \"shard\": 3 open edges (a closed mesh is allowed)");
    expect(file("gone.svg"), "no such file in the scene's folder");
    expect(file("../out.svg"), "is outside the scene's folder");
    expect(file("cracks.bmp"), "no such file");
    expect(R"({ "type": "drawn" })", "patterns.p.file: is missing (a file of a drawing, or svg: the text of one)");
    expect(R"({ "type": "drawn", "file": "one.svg", "svg": "<svg/>" })", "patterns.p.file: stands beside svg");
    expect(R"({ "type": "drawn", "svg": "<svg viewBox='0 0 10 10'><path d='M 2 2 L 5 5'/></svg>" })",
           "patterns.p.svg: curves: they divide the drawing into 1 regions");
    expect(R"({ "type": "drawn", "svg": "no drawing" })", "patterns.p.svg: ");
    const std::string cross = R"({ "type": "drawn", "svg": "<svg viewBox='0 0 10 10'><path d='M 0 5 L 10 5'/></svg>", )";
    expect(cross + R"("at": [0, 0, 1] })", "patterns.p.at: needs fixed");
    expect(cross + R"("unit": 1, "fixed": true, "facing": [0, 0, 0] })", "patterns.p.facing: [0, 0, 0] is not allowed");
    expect(cross + R"("unit": 1, "fixed": true, "at": [0, 0, 1e30] })", "patterns.p.at[2]: ");
    expect(R"({ "type": "drawn", "file": "one.svg", "rest": "some" })", "patterns.p.rest: unknown");
    expect(R"({ "type": "drawn", "file": "one.svg", "fixed": true })", "patterns.p.f");
    expect(R"({ "type": "drawnn", "file": "one.svg" })", "did you mean \"drawn\"?");
}

}  // namespace
}  // namespace sunder
