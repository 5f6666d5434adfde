// What a mesh brought is on its pieces: texture coordinates, materials, pictures, vertex colours.
#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include <map>
#include <set>

#include "math/quat.h"
#include "scene/looks_for_tests.h"
#include "scene/picture/textures.h"
#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/exports.h"
#include "sunder/scene/render.h"
#include "sunder/scene/runner.h"
#include "sunder/world.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

const fs::path kVase = fs::path(SUNDER_TEST_SOURCE_DIR) / "assets" / "glazed_vase.glb";
// Of texture coordinates: what artists are promised.
constexpr double kPromised = 1e-4;
constexpr Real kCell = Real(0.0125);

TEST(MeshLooks, OfAGlb) {
    const Mesh mesh = loadMesh(kVase);
    ASSERT_TRUE(mesh.look);
    const MeshLook& look = *mesh.look;
    ASSERT_TRUE(look.materials);
    ASSERT_EQ(look.materials->size(), 2u);
    EXPECT_EQ((*look.materials)[0].name, "glaze");
    EXPECT_EQ((*look.materials)[1].name, "slip");
    EXPECT_FLOAT_EQ((*look.materials)[1].color[0], 0.45f);
    ASSERT_EQ((*look.materials)[0].textures.size(), 1u);
    const MeshTexture& texture = (*look.materials)[0].textures[0];
    EXPECT_EQ(texture.image->mediaType, "image/png");
    EXPECT_EQ(texture.image->bytes.substr(1, 3), "PNG");
    EXPECT_EQ(texture.wrapV, TextureWrap::Clamp);
    EXPECT_EQ(look.textureCoordinates.size(), mesh.triangles.size());
    EXPECT_EQ(look.colors.size(), mesh.triangles.size());
    EXPECT_TRUE(checkClosed(mesh).isClosed());
}

TEST(MeshLooks, OfAnObjWithItsLibrary) {
    TemporaryFolder folder;
    folder.write("wood.png", "\x89PNG and so on");
    folder.write("box.mtl", "newmtl oak\nKd 0.5 0.25 0.125\nmap_Kd -s 1 1 1 wood.png\nnewmtl glass\nd 0.5\nnewmtl unused\n");
    const fs::path file = folder.write("box.obj",
                                       "mtllib box.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 0.75\nvt 0 1\n"
                                       "usemtl glass\nf 1/1 2/2 3/3\nusemtl oak\nf 1/1 3/-2 4/4\n");
    const Mesh mesh = loadMesh(file);
    ASSERT_TRUE(mesh.look && mesh.look->materials);
    ASSERT_EQ(mesh.look->materials->size(), 2u);
    const MeshMaterial &glass = (*mesh.look->materials)[0], &oak = (*mesh.look->materials)[1];
    EXPECT_EQ(glass.name, "glass");
    EXPECT_EQ(glass.alphaMode, AlphaMode::Blend);
    EXPECT_EQ(oak.name, "oak");
    EXPECT_FLOAT_EQ(oak.color[1], 0.25f);
    ASSERT_EQ(oak.textures.size(), 1u);
    EXPECT_EQ(mesh.look->materialOf, (std::vector<std::uint16_t>{0, 1}));
    // OBJ counts v from the lower edge of the picture, glTF from the upper one.
    EXPECT_EQ(mesh.look->textureCoordinates[1][1], (std::array<float, 2>{1, 0.25f}));
}

// A cube as text: the vertices of its upper half are orange on screens, the lower ones black. As PLY, and as OBJ with the
// colours behind the places.
std::string coloredCube(bool isPly) {
    std::string text = isPly ? "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
                               "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 6\n"
                               "property list uchar int vertex_indices\nend_header\n"
                             : "";
    for (int i = 0; i < 8; ++i) {
        const std::string place = std::to_string(i & 1) + " " + std::to_string(i >> 1 & 1) + " " + std::to_string(i >> 2) + " ";
        const char* color = (i >> 1 & 1) == 0 ? "0 0 0" : isPly ? "255 128 0" : "1 0.502 0";
        text += (isPly ? "" : "v ") + place + color + "\n";
    }
    const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& face : faces) {
        text += isPly ? "4" : "f";
        for (const int i : face)
            text += " " + std::to_string(isPly ? i : i + 1);
        text += "\n";
    }
    return text;
}

// 128 of 255 on screens is 0.216 of the light: 55 of 255.
constexpr std::array<std::uint8_t, 4> kOrange{255, 55, 0, 255}, kBlack{0, 0, 0, 255};

TEST(MeshLooks, VertexColoursOfPlyAndObj) {
    TemporaryFolder folder;
    for (const bool isPly : {true, false}) {
        const Mesh mesh = loadMesh(folder.write(isPly ? "cube.ply" : "cube.obj", coloredCube(isPly)));
        ASSERT_TRUE(mesh.look);
        ASSERT_EQ(mesh.look->colors.size(), 12u);
        for (std::size_t i = 0; i < 12; ++i)
            for (std::size_t k = 0; k < 3; ++k)
                EXPECT_EQ(mesh.look->colors[i][k], mesh.vertices[mesh.triangles[i][k]].y > 0 ? kOrange : kBlack) << i;
    }
}

// Through a break: what is left of the upper face of the cube stays orange, what the fracture opened is white, and frames as
// PLY files have both.
TEST(MeshLooks, VertexColoursOfAPlyThroughABreak) {
    TemporaryFolder folder;
    folder.write("cube.ply", coloredCube(true));
    SceneOptions options;
    options.folder = folder.path();
    const Scene scene = sceneOf(
        R"({ "sunder": 1, "gravity": [0, 0, 0], "patterns": { "cells": { "type": "voronoi", "pieces": 8, "seed": 2 } }, "bodies": [
        { "name": "cube", "shape": { "type": "level_set", "solid": { "type": "mesh", "file": "cube.ply" }, "cell": 0.05 },
          "fracture": { "pattern": "cells", "threshold": 1e9, "surface": "cut" } } ],
        "events": [ { "time": 0, "break": { "body": "cube", "at": [0.5, 1, 0.5], "normal": [0, 1, 0] } } ] })",
        options);
    SceneRunner runner(scene);
    RunRecorder recorder(folder / "run.sunder", scene, runner);
    runner.stepFrame();
    recorder.record(runner, runner.statsLine());
    recorder.finish();
    ASSERT_EQ(runner.broken().size(), 1u);
    std::size_t old = 0, opened = 0;
    for (const BodyId piece : runner.broken()[0].pieces) {
        const DrawnSurface surface = runner.world().surface(piece);
        ASSERT_EQ(surface.colors.size(), surface.positions.size());
        const Pose pose{runner.world().position(piece), runner.world().orientation(piece)};
        for (std::size_t i = 0; i < surface.triangles.size(); ++i)
            for (const std::uint32_t corner : surface.triangles[i]) {
                const std::array<std::uint8_t, 4>& color = surface.colors[corner];
                if (surface.slots[i] == DrawnSurface::kFractureSurface) {
                    EXPECT_EQ(color[2], 255);
                    ++opened;
                    continue;
                }
                // Colours go straight from the lower vertices to the upper ones.
                const double height = double(transformPoint(pose, surface.positions[corner]).y);
                EXPECT_NEAR(color[0], 255 * height, 1);
                EXPECT_NEAR(color[1], 55 * height, 1);
                EXPECT_EQ(color[2], 0);
                ++old;
            }
    }
    EXPECT_GT(old, 36u);
    EXPECT_GT(opened, 36u);
    Recording recording = Recording::open(folder / "run.sunder");
    ASSERT_TRUE(writePlySequence(recording, folder / "frames"));
    const Mesh frame = loadMesh(folder / "frames/frame_00000.ply");
    ASSERT_TRUE(frame.look);
    std::size_t orange = 0;
    for (const auto& corners : frame.look->colors)
        for (const auto& color : corners)
            orange += color[0] > 250 && color[1] > 50 && color[1] < 60 && color[2] < 5;
    EXPECT_GE(orange, 6u);
}

TEST(MeshLooks, OfFilesWithoutAnyIsNone) {
    TemporaryFolder folder;
    EXPECT_FALSE(loadMesh(folder.write("plain.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")).look);
}

constexpr double kNear = 0.05;  // of texture coordinates: some 3 cells

struct Seen {
    double worst = 0;
    std::size_t old = 0, opened = 0, colored = 0, wrong = 0;
    std::set<std::uint16_t> slots;
};

// The surface of a body that has not moved since the vase at `origin` broke.
Seen look(const World& world, BodyId body, const Mesh& vase, const Vec3& origin, double reach) {
    const DrawnSurface surface = world.surface(body);
    Seen seen;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        seen.slots.insert(surface.slots[t]);
        if (surface.slots[t] == DrawnSurface::kFractureSurface) {
            ++seen.opened;
            continue;
        }
        LookedAt triangle;
        triangle.material = (*surface.materials)[DrawnSurface::materialOfSlot(surface.slots[t])].name;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t vertex = surface.triangles[t][i];
            triangle.corners[i] = surface.positions[vertex] + world.position(body) - origin;
            triangle.coordinates[i] = surface.textureCoordinates[vertex];
            seen.colored += surface.colors[vertex][1] < 255;
        }
        ++seen.old;
        const double error = lookError(vase, triangle, reach);
        seen.worst = std::max(seen.worst, error);
        seen.wrong += error > kNear;
    }
    return seen;
}

BodyDef vaseBody(const Mesh& vase, FractureSurface surface) {
    FractureDef fracture;
    fracture.method =
        Prescored{.pattern = buildPattern({.kind = VoronoiPattern{.pieces = 12, .density = {}}, .seed = 4, .nodes = 33})};
    fracture.threshold = Real(1e6);
    fracture.generations = 2;
    fracture.surface = surface;
    LevelSet levelSet;
    levelSet.parts.push_back({vase, {}, {}});
    levelSet.cell = kCell;
    BodyDef def{.shape = levelSet, .fracture = fracture};
    def.lockedAxes = kLockX | kLockY | kLockZ | kLockRx | kLockRy | kLockRz;  // pieces stay where they broke
    return def;
}

// Pieces, and pieces of pieces, of a vase that floats: as far off as they may be, and restored from bytes.
TEST(MeshLooks, OnCutPiecesAndTheirPieces) {
    const Mesh vase = loadMesh(kVase);
    World world({.gravity = {0, 0, 0}});
    const BodyId body = world.addBody(vaseBody(vase, FractureSurface::Cut));
    const Vec3 origin = world.position(body);
    world.breakBody(body, {0, Real(0.3), Real(0.25)}, {0, 0, 1}, 0);
    world.step(Real(1) / 30);
    ASSERT_GT(world.bodies().size(), 5u);
    const BodyId piece = world.bodies()[0];
    const Vec3 at = world.position(piece);
    std::set<std::uint16_t> slots;
    for (const BodyId each : world.bodies()) {
        const Seen seen = look(world, each, vase, origin, 1e-5);
        EXPECT_LT(seen.worst, kPromised);
        EXPECT_GT(seen.old, 0u);
        EXPECT_GT(seen.opened, 0u);
        EXPECT_GT(seen.colored, 0u);
        slots.insert(seen.slots.begin(), seen.slots.end());
    }
    EXPECT_EQ(slots, (std::set<std::uint16_t>{0, 1, 2}));
    world.breakBody(piece, at, {0, 0, 1}, 0);
    world.step(Real(1) / 30);
    World restored({.gravity = {0, 0, 0}});
    restored.restore(world.snapshot());
    EXPECT_EQ(restored.hash(), world.hash());
    int broken = 0;
    for (const BodyId each : restored.bodies()) {
        broken += restored.parent(each) == piece;
        const DrawnSurface surface = restored.surface(each), own = world.surface(each);
        EXPECT_EQ(surface.textureCoordinates, own.textureCoordinates);
        EXPECT_EQ(surface.colors, own.colors);
        ASSERT_TRUE(surface.materials);
        EXPECT_EQ((*surface.materials)[0].textures[0].image->bytes, (*vase.look->materials)[0].textures[0].image->bytes);
        EXPECT_LT(look(restored, each, vase, origin, 1e-5).worst, kPromised);
    }
    EXPECT_GT(broken, 1);
}

// What the grid draws lies near the mesh, not on it, and has what is nearest.
TEST(MeshLooks, OnPiecesThatAreDrawnByTheirGrid) {
    const Mesh vase = loadMesh(kVase);
    World world({.gravity = {0, 0, 0}});
    const BodyId body = world.addBody(vaseBody(vase, FractureSurface::LevelSet));
    const Vec3 origin = world.position(body);
    world.breakBody(body, {0, Real(0.3), Real(0.25)}, {0, 0, 1}, 0);
    world.step(Real(1) / 30);
    ASSERT_GT(world.bodies().size(), 5u);
    std::size_t old = 0, wrong = 0;
    for (const BodyId each : world.bodies()) {
        const DrawnSurface surface = world.surface(each);
        ASSERT_TRUE(surface.materials);
        ASSERT_EQ(surface.colors.size(), surface.positions.size());
        const Seen seen = look(world, each, vase, origin, 0.5 * double(kCell));
        old += seen.old;
        wrong += seen.wrong;
    }
    EXPECT_GT(old, 2000u);
    EXPECT_LT(30 * wrong, old);  // at rims, where a triangle is between the inner and the outer side: 1.1 % seen
}

const tinygltf::Value& extra(const tinygltf::Node& node, const char* key) { return node.extras.Get(key); }

template <class Number>
std::vector<Number> numbersOf(const tinygltf::Model& model, int accessorNumber) {
    const tinygltf::Accessor& accessor = model.accessors[std::size_t(accessorNumber)];
    const tinygltf::BufferView& view = model.bufferViews[std::size_t(accessor.bufferView)];
    const auto width = std::size_t(tinygltf::GetNumComponentsInType(std::uint32_t(accessor.type)));
    std::vector<Number> numbers(accessor.count * width);
    std::memcpy(numbers.data(), model.buffers[0].data.data() + view.byteOffset + accessor.byteOffset,
                numbers.size() * sizeof(Number));
    return numbers;
}

// A scene with all kinds of bodies that break, recorded, exported, and read again.
class GlazedVases : public testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = new TemporaryFolder;
        SceneOptions options;
        options.assets = fs::path(SUNDER_TEST_SOURCE_DIR) / "assets";
        const SceneResult loaded = loadScene(fs::path(SUNDER_TEST_SOURCE_DIR) / "scenes" / "glazed_vases.json", options);
        ASSERT_TRUE(loaded) << problemsOf(loaded);
        const Scene& scene = *loaded.scene;
        SceneRunner runner(scene);
        RunRecorder recorder(*folder_ / "run.sunder", scene, runner);
        recorder.record(runner, runner.statsLine());
        for (int frame = 0; frame < kFrames; ++frame) {
            runner.stepFrame();
            recorder.record(runner, runner.statsLine());
        }
        recorder.finish();
    }
    static void TearDownTestSuite() { delete folder_; }
    static constexpr int kFrames = 6;  // all is broken, and nothing moves yet
    static inline TemporaryFolder* folder_ = nullptr;
};

TEST_F(GlazedVases, KeepTheirLookInGlb) {
    const Mesh vase = loadMesh(kVase);
    Recording recording = Recording::open(*folder_ / "run.sunder");
    recording.seek(kFrames);
    std::map<int, Vec3> places;  // by track
    for (std::size_t i = 0; i < recording.living().size(); ++i)
        places[int(recording.living()[i])] = recording.poses()[i].position;
    ASSERT_TRUE(writeGlb(recording, *folder_ / "run.glb"));
    tinygltf::TinyGLTF loader;
    loader.SetImageLoader([](tinygltf::Image*, const int, std::string*, std::string*, int, int, const unsigned char*, int,
                             void*) { return true; },
                          nullptr);
    tinygltf::Model model;
    std::string error, warning;
    ASSERT_TRUE(loader.LoadBinaryFromFile(&model, &error, &warning, (*folder_ / "run.glb").string())) << error;
    ASSERT_EQ(model.images.size(), 1u);
    const tinygltf::BufferView& picture = model.bufferViews[std::size_t(model.images[0].bufferView)];
    const std::string bytes(reinterpret_cast<const char*>(model.buffers[0].data.data()) + picture.byteOffset,
                            picture.byteLength);
    EXPECT_EQ(bytes, (*vase.look->materials)[0].textures[0].image->bytes);
    const std::map<std::string, double> origins{{"cut", -0.9}, {"fixed", 0.3}, {"grid", -0.3}};
    std::map<std::string, int> pieces;
    std::map<std::string, double> worst;
    std::set<std::string> names;
    for (const tinygltf::Node& node : model.nodes) {
        if (node.mesh < 0 || !node.extras.Has("parent_track"))
            continue;
        const std::string kind = node.name.substr(0, node.name.find('_'));
        ASSERT_TRUE(origins.contains(kind)) << node.name;
        ++pieces[kind];
        const Vec3 place = places.at(extra(node, "track").GetNumberAsInt()) - Vec3{Real(origins.at(kind)), 0, 0};
        for (const tinygltf::Primitive& primitive : model.meshes[std::size_t(node.mesh)].primitives) {
            const tinygltf::Material& material = model.materials[std::size_t(primitive.material)];
            names.insert(material.name);
            EXPECT_EQ(material.pbrMetallicRoughness.baseColorTexture.index, material.name == "glaze" ? 0 : -1);
            EXPECT_TRUE(primitive.attributes.contains("COLOR_0"));
            ASSERT_TRUE(primitive.attributes.contains("TEXCOORD_0"));
            if (material.name == "clay")
                continue;
            const auto positions = numbersOf<float>(model, primitive.attributes.at("POSITION"));
            const auto coordinates = numbersOf<float>(model, primitive.attributes.at("TEXCOORD_0"));
            const auto indices = numbersOf<std::uint16_t>(model, primitive.indices);
            for (std::size_t i = 0; kind != "grid" && i < indices.size(); i += 3) {
                LookedAt triangle;
                triangle.material = material.name;
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::size_t vertex = indices[i + k];
                    triangle.corners[k] =
                        Vec3{Real(positions[3 * vertex]), Real(positions[3 * vertex + 1]), Real(positions[3 * vertex + 2])} +
                        place;
                    triangle.coordinates[k] = {coordinates[2 * vertex], coordinates[2 * vertex + 1]};
                }
                // Recordings round places to 0.03 mm.
                worst[kind] = std::max(worst[kind], lookError(vase, triangle, 2e-4));
            }
        }
    }
    EXPECT_EQ(names, (std::set<std::string>{"glaze", "slip", "clay"}));
    for (const auto& [kind, x] : origins)
        EXPECT_GT(pieces[kind], 5) << kind;
    EXPECT_LT(worst["cut"], kPromised);
    EXPECT_LT(worst["fixed"], kPromised);
}

TEST_F(GlazedVases, KeepTheirLookInUsd) {
    Recording recording = Recording::open(*folder_ / "run.sunder");
    ASSERT_TRUE(writeUsda(recording, *folder_ / "run.usda"));
    const std::string text = contentsOf(*folder_ / "run.usda");
    for (const char* wanted : {"def Material \"glaze_", "def Material \"slip_", "def Material \"clay_", "primvars:st",
                               "primvars:displayColor", "@run_textures/0_glaze.png@", "UsdPrimvarReader_float2"})
        EXPECT_NE(text.find(wanted), std::string::npos) << wanted;
    const Mesh vase = loadMesh(kVase);
    EXPECT_EQ(contentsOf(*folder_ / "run_textures/0_glaze.png"), (*vase.look->materials)[0].textures[0].image->bytes);
}

// Bonded pieces are parts of one body, with what the mesh brought; so are those that are drawn by their grid.
TEST_F(GlazedVases, KeepTheirLookWhereTheyAreBonded) {
    Recording recording = Recording::open(*folder_ / "run.sunder");
    int bonded = 0;
    for (const RecordedTrack& track : recording.tracks()) {
        if (track.def.name != "bonded")
            continue;
        ++bonded;
        const Surface surface = tessellate(recording.surface(track.def.surface));
        ASSERT_TRUE(surface.materials);
        EXPECT_EQ((*surface.materials)[1].name, "slip");
        EXPECT_EQ(surface.colors.size(), surface.positions.size());
        std::set<std::uint16_t> slots;
        for (const SurfaceRange& range : surface.ranges)
            slots.insert(range.slot);
        EXPECT_EQ(slots, (std::set<std::uint16_t>{0, 1, 2}));
    }
    EXPECT_EQ(bonded, 1);
}

TEST(MeshLooks, ThatDoNotFitAreRefused) {
    Mesh vase = loadMesh(kVase);
    auto look = std::make_shared<MeshLook>(*vase.look);
    look->colors.pop_back();
    vase.look = look;
    try {
        World world;
        world.addBody({.shape = vase, .motion = Motion::Static});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("look"), std::string::npos) << error.what();
    }
}

// 16 x 16 pixels, the left half red, the right half blue.
constexpr const char* kJpeg =
    "ffd8ffe000104a46494600010200000100010000ffdb00430008040404040405050505050506060606060606060606060606070707080808"
    "07070706060707080808080909090808080809090a0a0a0c0c0b0b0e0e0e111114ffc4004e00010100000000000000000000000000000006"
    "0101010101000000000000000000000000000807061001000000000000000000000000000000001101000000000000000000000000000000"
    "00ffc00011080010001003011200021200031200ffda000c03010002110311003f008b1ca0dfc480aa84d63fffd9";

std::string bytesOf(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes.push_back(char(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return bytes;
}

TEST(MeshLooks, JpegsAreDrawnInStills) {
    const auto textureOf = [](std::string bytes) {
        auto materials = std::make_shared<MeshMaterials>(1);
        const auto image = std::make_shared<MeshImage>(MeshImage{"two", "image/jpeg", std::move(bytes)});
        materials->front().textures.push_back({TextureRole::BaseColor, image});
        return scene::TextureCache().of(materials).at(0);
    };
    const auto texture = textureOf(bytesOf(kJpeg));
    ASSERT_TRUE(texture);
    EXPECT_EQ(texture->width, 16);
    const Vec3 left = texture->at(Real(0.25), Real(0.5)), right = texture->at(Real(0.75), Real(0.5));
    EXPECT_GT(left.x, 0.9);
    EXPECT_LT(left.z, 0.05);
    EXPECT_GT(right.z, 0.9);
    EXPECT_LT(right.x, 0.05);
    EXPECT_FALSE(textureOf(bytesOf(kJpeg).substr(0, 100))) << "cut off";
    EXPECT_FALSE(textureOf("no picture"));
}

// A picture of a world, without a recording: the blue of the vase's picture, which no colour of the palette is near, whole and
// broken.
TEST(MeshLooks, PicturesOfAWorldShowThem) {
    const Mesh vase = loadMesh(kVase);
    World world(WorldDef{.gravity = {0, 0, 0}});
    const BodyId body = world.addBody(vaseBody(vase, FractureSurface::Cut));
    const auto bluePixels = [&] {
        RenderOptions options;
        options.width = 160;
        options.height = 90;
        options.samples = 1;
        Renderer renderer(options);
        const Image image = renderer.draw(world);
        int count = 0;
        for (std::size_t i = 0; i < image.rgb.size(); i += 3)
            count += image.rgb[i + 2] > 90 && image.rgb[i + 2] > 2 * image.rgb[i] ? 1 : 0;
        return count;
    };
    EXPECT_GT(bluePixels(), 50);
    world.breakBody(body, {0, Real(0.3), Real(0.25)}, {0, 0, 1}, 0);
    world.step(Real(1) / 60);
    ASSERT_GT(world.bodies().size(), 3u);
    EXPECT_GT(bluePixels(), 50);
}

}  // namespace
}  // namespace sunder
