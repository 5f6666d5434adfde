// Bodies whose vertices move, in files for other programs and in pictures, compared with the formulas they were made from.
// tests/interop opens the same in gltf-validator, three.js, Blender and TinyUSDZ.
#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include "math/quat.h"
#include "scene/export/motion.h"
#include "scene/moving_for_tests.h"
#include "sunder/scene/exports.h"
#include "sunder/scene/mesh_files.h"

namespace sunder {
namespace {

// The recording's tolerance for a cube of 1 m, and the rounding of a sum of two floats.
constexpr double kClose = 1.0 / 65536 + 1e-6;

class MovingExports : public testing::Test {
protected:
    void record(int frames = 40) {
        run_.frames = frames;
        run_.write(folder_ / "run.sunder");
        recording_.emplace(Recording::open(folder_ / "run.sunder"));
    }
    tinygltf::Model glb() {
        EXPECT_TRUE(writeGlb(*recording_, folder_ / "run.glb"));
        tinygltf::TinyGLTF loader;
        tinygltf::Model model;
        std::string errors, warnings;
        EXPECT_TRUE(loader.LoadBinaryFromFile(&model, &errors, &warnings, (folder_ / "run.glb").string())) << errors;
        return model;
    }

    TemporaryFolder folder_;
    WavingRun run_;
    std::optional<Recording> recording_;
};

// Rows of an accessor of floats; one without a view is zero but where it is sparse.
std::vector<std::array<float, 3>> vectorsOf(const tinygltf::Model& model, int number) {
    const tinygltf::Accessor& accessor = model.accessors[std::size_t(number)];
    const auto at = [&](int view, std::size_t offset) {
        return model.buffers[0].data.data() + model.bufferViews[std::size_t(view)].byteOffset + offset;
    };
    std::vector<std::array<float, 3>> rows(accessor.count);
    if (accessor.bufferView >= 0)
        std::memcpy(rows.data(), at(accessor.bufferView, accessor.byteOffset), rows.size() * 12);
    for (int i = 0; accessor.sparse.isSparse && i < accessor.sparse.count; ++i) {
        std::uint32_t place = 0;
        std::memcpy(&place, at(accessor.sparse.indices.bufferView, std::size_t(i) * 4), 4);
        std::memcpy(&rows.at(place), at(accessor.sparse.values.bufferView, std::size_t(i) * 12), 12);
    }
    return rows;
}

std::vector<float> numbersOf(const tinygltf::Model& model, int number) {
    const tinygltf::Accessor& accessor = model.accessors[std::size_t(number)];
    const std::size_t width = std::size_t(tinygltf::GetNumComponentsInType(std::uint32_t(accessor.type)));
    std::vector<float> numbers(accessor.count * width);
    const auto& view = model.bufferViews[std::size_t(accessor.bufferView)];
    std::memcpy(numbers.data(), model.buffers[0].data.data() + view.byteOffset + accessor.byteOffset, numbers.size() * 4);
    return numbers;
}

// Values of a channel at a key's time, or at the last key before it.
std::vector<float> channelAt(const tinygltf::Model& model, int node, const std::string& path, double time) {
    for (const auto& channel : model.animations[0].channels) {
        if (channel.target_node != node || channel.target_path != path)
            continue;
        const auto& sampler = model.animations[0].samplers[std::size_t(channel.sampler)];
        const std::vector<float> times = numbersOf(model, sampler.input), values = numbersOf(model, sampler.output);
        std::size_t key = 0;
        while (key + 1 < times.size() && double(times[key + 1]) <= time)
            ++key;
        const std::size_t width = values.size() / times.size();
        return {values.begin() + std::ptrdiff_t(key * width), values.begin() + std::ptrdiff_t((key + 1) * width)};
    }
    return {};
}

// The children of a node that are seen at a time.
std::vector<int> seenAt(const tinygltf::Model& model, int parent, double time) {
    std::vector<int> seen;
    for (const int child : model.nodes[std::size_t(parent)].children) {
        const std::vector<float> scale = channelAt(model, child, "scale", time);
        if (scale.empty() || scale[0] > 0.5f)
            seen.push_back(child);
    }
    return seen;
}

// An attribute of a node's first primitive, moved by its targets.
std::vector<std::array<float, 3>> morphed(const tinygltf::Model& model, int node, const std::string& name, double time) {
    const tinygltf::Primitive& primitive = model.meshes[std::size_t(model.nodes[std::size_t(node)].mesh)].primitives[0];
    auto rows = vectorsOf(model, primitive.attributes.at(name));
    const std::vector<float> weights = channelAt(model, node, "weights", time);
    EXPECT_EQ(weights.size(), primitive.targets.size());
    for (std::size_t target = 0; target < weights.size(); ++target) {
        if (weights[target] == 0)
            continue;
        const auto moves = vectorsOf(model, primitive.targets[target].at(name));
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis)
                rows[i][axis] += weights[target] * moves[i][axis];
    }
    return rows;
}

void expectShape(const tinygltf::Model& model, const WavingRun& run, int frame) {
    const double time = frame / 30.0;
    const std::vector<int> seen = seenAt(model, 1, time);
    ASSERT_EQ(seen.size(), 1u) << "in frame " << frame;
    const std::vector<Vec3> expected = run.cube.positions(frame);
    const auto got = morphed(model, seen[0], "POSITION", time), normals = morphed(model, seen[0], "NORMAL", time);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis)
            ASSERT_NEAR(got[i][std::size_t(axis)], component(expected[i], axis), kClose) << "frame " << frame << ", " << i;
        EXPECT_NEAR(std::hypot(normals[i][0], normals[i][1], normals[i][2]), 1, 1e-5);
    }
}

TEST_F(MovingExports, AGlbHasTheVerticesOfEveryFrame) {
    record();
    const tinygltf::Model model = glb();
    ASSERT_EQ(model.nodes[1].children.size(), 2u);  // whole and torn
    EXPECT_EQ(model.nodes[1].mesh, -1);
    EXPECT_GE(model.nodes[2].mesh + model.nodes[0].mesh, 0);
    EXPECT_EQ(model.scenes[0].nodes.size(), model.nodes.size() - 2);
    for (int frame = 0; frame < 40; ++frame)
        expectShape(model, run_, frame);
    const tinygltf::Mesh& torn = model.meshes[std::size_t(model.nodes[std::size_t(model.nodes[1].children[1])].mesh)];
    ASSERT_EQ(torn.primitives.size(), 2u);  // the faces that the tear laid open have a material of their own
    EXPECT_EQ(torn.primitives[0].targets, torn.primitives[1].targets);
    // From frame 30 on nothing moves: 17 to 30 are keys, the first of them the mesh itself.
    EXPECT_EQ(torn.primitives[0].targets.size(), std::size_t(WavingCube::kStillFrame - WavingCube::kTearFrame));
    EXPECT_EQ(torn.weights.size(), torn.primitives[0].targets.size());
}

// 64 targets are the most for one mesh: 150 frames of waving are three, each taking over where the last one ends.
TEST_F(MovingExports, ALongRunIsSeveralMeshes) {
    run_.cube = WavingCube(2);
    RecordingWriter writer(folder_ / "run.sunder", {});
    writer.addTrack({"ground", kNoTrack, writer.addSurface(drawnShape(Box{})), Motion::Static, 0});
    writer.addTrack({"cube", kNoTrack, writer.addMovingSurface(run_.cube.whole), Motion::Dynamic, 1, true});
    const auto positions = [&](int frame) {
        std::vector<Vec3> list = run_.cube.whole.positions;
        for (Vec3& p : list)
            p.y += Real(0.1) * std::sin(Real(frame) / 7 + p.x);
        return list;
    };
    for (int frame = 0; frame < 150; ++frame) {
        const std::vector<Vec3> list = positions(frame);
        const MovingVertices moving{1, list};
        const Pose poses[2];
        writer.writeFrame(poses, {}, {}, 0, {&moving, 1});
    }
    writer.finish();
    recording_.emplace(Recording::open(folder_ / "run.sunder"));
    const tinygltf::Model model = glb();
    EXPECT_EQ(model.nodes[1].children.size(), 3u);
    for (const int frame : {0, 1, 63, 64, 65, 127, 128, 129, 149}) {
        const std::vector<int> seen = seenAt(model, 1, frame / 30.0);
        ASSERT_EQ(seen.size(), 1u) << frame;
        const auto got = morphed(model, seen[0], "POSITION", frame / 30.0);
        const std::vector<Vec3> expected = positions(frame);
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_NEAR(got[i][1], expected[i].y, kClose) << frame;
    }
}

// One corner of the cube is pulled: its target is sparse, and holds that vertex and the normals around it alone.
TEST_F(MovingExports, ATargetInWhichLittleMovesIsSparse) {
    const Surface cube = cubeOfSquares(4, false);
    RecordingWriter writer(folder_ / "run.sunder", {});
    writer.addTrack({"cube", kNoTrack, writer.addMovingSurface(cube), Motion::Dynamic, 1, true});
    const Pose pose;
    for (int frame = 0; frame < 3; ++frame) {
        std::vector<Vec3> list = cube.positions;
        list[12].x -= Real(0.1) * Real(frame);
        const MovingVertices moving{0, list};
        writer.writeFrame({&pose, 1}, {}, {}, 0, {&moving, 1});
    }
    writer.finish();
    recording_.emplace(Recording::open(folder_ / "run.sunder"));
    const tinygltf::Model model = glb();
    const auto& primitive = model.meshes[std::size_t(model.nodes[std::size_t(model.nodes[0].children[0])].mesh)].primitives[0];
    ASSERT_EQ(primitive.targets.size(), 2u);
    const tinygltf::Accessor& accessor = model.accessors[std::size_t(primitive.targets[1].at("POSITION"))];
    EXPECT_TRUE(accessor.sparse.isSparse);
    EXPECT_EQ(accessor.sparse.count, 1);
    EXPECT_NEAR(accessor.minValues[0], -0.2, 1e-4);
    EXPECT_NEAR(vectorsOf(model, primitive.targets[1].at("POSITION"))[12][0], -0.2, 1e-4);
}

TEST_F(MovingExports, AboveALimitKeysAreEveryNthFrame) {
    record();
    // 6 faces of 49 vertices, later twice as many, of 24 bytes: 0.46 MB in all.
    const scene::Motions all = scene::gatherMotions(*recording_, {}), some = scene::gatherMotions(*recording_, {}, 200000);
    EXPECT_EQ(all.shapeInterval, 1);
    EXPECT_EQ(some.shapeInterval, 3);
    ASSERT_EQ(some.shapes[1].size(), 2u);
    EXPECT_TRUE(some.shapes[2].empty());
    std::vector<int> frames;
    for (const scene::ShapeKey& key : some.shapes[1][0].keys)
        frames.push_back(key.frame);
    EXPECT_EQ(frames, (std::vector<int>{0, 3, 6, 9, 12, 15, 16}));  // the last before the tear too
}

TEST_F(MovingExports, UsdHasThePointsOfEveryFrame) {
    record();
    ASSERT_TRUE(writeUsda(*recording_, folder_ / "run.usda"));
    const std::string text = contentsOf(folder_ / "run.usda");
    for (const auto& [open, close] : {std::pair('{', '}'), std::pair('(', ')'), std::pair('[', ']')})
        EXPECT_EQ(std::count(text.begin(), text.end(), open), std::count(text.begin(), text.end(), close));
    const std::size_t body = text.find("def Xform \"cube_1\"");
    ASSERT_NE(body, std::string::npos);
    for (const int frame : {0, 9, 16, 17, 25, 30}) {
        const bool isTorn = frame >= WavingCube::kTearFrame;
        const std::size_t mesh = text.find(isTorn ? "def Mesh \"shape_1\"" : "def Mesh \"shape_0\"", body);
        const std::size_t samples = text.find("point3f[] points.timeSamples", mesh);
        const std::string key = "\n            " + std::to_string(frame) + ": [";
        const char* at = text.c_str() + text.find(key, samples) + key.size();
        for (const Vec3& expected : run_.cube.positions(frame)) {
            double x = 0, y = 0, z = 0;
            ASSERT_EQ(std::sscanf(at, "(%lf, %lf, %lf)", &x, &y, &z), 3) << frame;
            EXPECT_LE(length(Vec3{Real(x), Real(y), Real(z)} - expected), 2 * kClose);
            at = std::strchr(at, ')') + 1;
            at += std::strncmp(at, ", ", 2) == 0 ? 2 : 0;
        }
    }
    EXPECT_NE(text.find("visibility.timeSamples = { 0: \"inherited\", 17: \"invisible\", }"), std::string::npos);
    EXPECT_NE(text.find("visibility.timeSamples = { 0: \"invisible\", 17: \"inherited\", }"), std::string::npos);
    EXPECT_NE(text.find("normal3f[] normals.timeSamples", body), std::string::npos);
}

TEST_F(MovingExports, PlyFilesHoldTheMovedVertices) {
    record(19);
    ASSERT_TRUE(writePlySequence(*recording_, folder_ / "frames"));
    for (const int frame : {0, 16, 18}) {
        char name[32];
        std::snprintf(name, sizeof name, "frames/frame_%05d.ply", frame);
        const Mesh mesh = loadMesh(folder_ / name);
        EXPECT_EQ(mesh.triangles.size(), 12 + run_.cube.surface(frame).triangles.size() + 12);
        const Pose pose = WavingRun::pose(1, frame);
        for (const Vec3& p : run_.cube.positions(frame)) {
            const Vec3 expected = transformPoint(pose, p);
            Real nearest = kInfinity;
            for (const Vec3& vertex : mesh.vertices)
                nearest = min(nearest, length(vertex - expected));
            EXPECT_LE(nearest, 2e-4);  // of the pose and of the vertices
        }
    }
}

// A square that is pushed up by 2 m is drawn where it went: what was seen of it is gone, and what it hides now was free.
TEST_F(MovingExports, PicturesShowTheMovedVertices) {
    const Surface cube = cubeOfSquares(4, false);
    {
        RecordingWriter writer(folder_ / "run.sunder", {});
        writer.addTrack({"cube", kNoTrack, writer.addMovingSurface(cube), Motion::Dynamic, 1, true});
        const Pose pose;
        for (int frame = 0; frame < 2; ++frame) {
            std::vector<Vec3> list = cube.positions;
            for (Vec3& p : list)
                p.y += 2 * Real(frame);
            const MovingVertices moving{0, list};
            writer.writeFrame({&pose, 1}, {}, {}, 0, {&moving, 1});
        }
        writer.finish();
    }
    Recording recording = Recording::open(folder_ / "run.sunder");
    RenderOptions options;
    options.width = options.height = 64;
    Renderer renderer(options);
    renderer.setCamera({{0, 1, 10}, {0, 1, 0}, 30});  // 0.084 m a pixel in the plane of the cube's middle
    const Image before = renderer.draw(recording);
    recording.seek(1);
    const Image after = renderer.draw(recording);
    const auto pixel = [](const Image& image, int x, int y) {
        const std::uint8_t* p = image.rgb.data() + 3 * (y * 64 + x);
        return std::array<int, 3>{p[0], p[1], p[2]};
    };
    const int low = 44, high = 20;  // 1 m below and above the middle
    EXPECT_NE(pixel(before, 32, low), pixel(after, 32, low));
    EXPECT_NE(pixel(before, 32, high), pixel(after, 32, high));
    EXPECT_EQ(pixel(before, 2, 2), pixel(after, 2, 2));  // the sky
    const Camera camera = frameBodies(recording);
    EXPECT_NEAR(camera.target.y, 1, 0.6);  // sees both
}

}  // namespace
}  // namespace sunder
