// Files for other programs, read back and compared with the formulas that the recording was made from. tests/interop opens the
// same recording in gltf-validator, three.js and Blender.
#include "sunder/scene/exports.h"

#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include <cstdlib>
#include <map>
#include <set>

#include "scene/recording_for_tests.h"
#include "scene/scene_for_tests.h"
#include "sunder/scene/mesh_files.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

constexpr int kSampled[] = {0, 1, 5, 12, 13, 14, 20, 26, 27, 39};

class Exports : public testing::Test {
protected:
    Exports() : recording_((FormulaRun{}.write(folder_ / "run.sunder"), Recording::open(folder_ / "run.sunder"))) {}
    std::size_t fileCount() const {
        return std::size_t(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
    }

    TemporaryFolder folder_;
    Recording recording_;
};

// The numbers of an accessor, row by row.
std::vector<std::vector<float>> rowsOf(const tinygltf::Model& model, int number) {
    const tinygltf::Accessor& accessor = model.accessors[std::size_t(number)];
    const tinygltf::BufferView& view = model.bufferViews[std::size_t(accessor.bufferView)];
    const int width = tinygltf::GetNumComponentsInType(std::uint32_t(accessor.type));
    std::vector<std::vector<float>> rows(accessor.count, std::vector<float>(std::size_t(width)));
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::memcpy(
            rows[i].data(),
            model.buffers[0].data.data() + view.byteOffset + accessor.byteOffset + i * std::size_t(width) * sizeof(float),
            std::size_t(width) * sizeof(float));
    return rows;
}

// A node's value at a time, as a player computes it: the last key for steps, between keys otherwise.
std::vector<double> valueAt(const tinygltf::Model& model, int node, const std::string& path, double time,
                            std::vector<double> otherwise) {
    for (const auto& channel : model.animations[0].channels) {
        if (channel.target_node != node || channel.target_path != path)
            continue;
        const auto& sampler = model.animations[0].samplers[std::size_t(channel.sampler)];
        const auto times = rowsOf(model, sampler.input), values = rowsOf(model, sampler.output);
        std::size_t key = 0;
        while (key + 1 < times.size() && double(times[key + 1][0]) <= time)
            ++key;
        std::vector<double> result(values[key].begin(), values[key].end());
        if (sampler.interpolation == "STEP" || key + 1 == times.size() || time <= double(times[key][0]))
            return result;
        const double share = (time - double(times[key][0])) / double(times[key + 1][0] - times[key][0]);
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] += share * (double(values[key + 1][i]) - result[i]);
        return result;
    }
    return otherwise;
}

TEST_F(Exports, AGlbHasThePosesOfTheRun) {
    ASSERT_TRUE(writeGlb(recording_, folder_ / "run.glb"));
    tinygltf::TinyGLTF loader;
    tinygltf::Model model;
    std::string errors, warnings;
    ASSERT_TRUE(loader.LoadBinaryFromFile(&model, &errors, &warnings, (folder_ / "run.glb").string())) << errors;
    EXPECT_EQ(errors + warnings, "");
    ASSERT_EQ(model.nodes.size(), 7u);  // five bodies, a camera, and the group of the ball that broke
    EXPECT_EQ(model.nodes[6].name, "ball and its pieces");
    EXPECT_EQ(model.nodes[6].children, (std::vector<int>{2, 3, 4}));
    ASSERT_EQ(model.animations.size(), 1u);
    for (const int frame : kSampled)
        for (std::uint32_t track = 0; track < 5; ++track) {
            const tinygltf::Node& node = model.nodes[track];
            const double time = frame / 30.0;
            const auto scale =
                valueAt(model, int(track), "scale", time, node.scale.empty() ? std::vector<double>{1, 1, 1} : node.scale);
            EXPECT_EQ(scale[0], FormulaRun::isThere(track, frame) ? 1 : 0) << node.name << " in frame " << frame;
            if (!FormulaRun::isThere(track, frame))
                continue;
            const auto p = valueAt(model, int(track), "translation", time, node.translation);
            const auto q = valueAt(model, int(track), "rotation", time, node.rotation);
            const Pose expected = FormulaRun::pose(track, frame);
            const Pose got{{Real(p[0]), Real(p[1]), Real(p[2])},
                           normalize(Quat{Real(q[0]), Real(q[1]), Real(q[2]), Real(q[3])})};
            EXPECT_LE(length(got.position - expected.position), 1e-4) << node.name << " in frame " << frame;
            EXPECT_LE(angleBetween(got.orientation, expected.orientation), 1e-4) << node.name << " in frame " << frame;
        }
    // A still viewer shows the first frame.
    EXPECT_EQ(model.nodes[3].scale, (std::vector<double>{0, 0, 0}));
    EXPECT_TRUE(model.nodes[2].scale.empty());
}

TEST_F(Exports, AGlbGivesFractureFacesAMaterialOfTheirOwn) {
    ASSERT_TRUE(writeGlb(recording_, folder_ / "run.glb"));
    tinygltf::TinyGLTF loader;
    tinygltf::Model model;
    std::string errors, warnings;
    ASSERT_TRUE(loader.LoadBinaryFromFile(&model, &errors, &warnings, (folder_ / "run.glb").string())) << errors;
    const tinygltf::Mesh& piece = model.meshes[std::size_t(model.nodes[3].mesh)];
    ASSERT_EQ(piece.primitives.size(), 2u);
    EXPECT_NE(piece.primitives[0].material, piece.primitives[1].material);
    EXPECT_EQ(model.materials[std::size_t(piece.primitives[1].material)].name.rfind("fracture", 0), 0u);
    EXPECT_EQ(piece.primitives[0].attributes.count("TEXCOORD_0"), 1u);
    // One mesh for both pieces where they have one colour, else two that share their vertices.
    const tinygltf::Mesh& other = model.meshes[std::size_t(model.nodes[4].mesh)];
    EXPECT_EQ(piece.primitives[0].attributes, other.primitives[0].attributes);
    // Bodies that do not move have no keys.
    for (const auto& channel : model.animations[0].channels)
        EXPECT_NE(channel.target_node, 0);
}

TEST_F(Exports, UsdHasThePosesOfTheRun) {
    ASSERT_TRUE(writeUsda(recording_, folder_ / "run.usda"));
    const std::string text = contentsOf(folder_ / "run.usda");
    EXPECT_EQ(text.rfind("#usda 1.0\n", 0), 0u);
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
    EXPECT_EQ(std::count(text.begin(), text.end(), '('), std::count(text.begin(), text.end(), ')'));
    const std::size_t box = text.find("def Xform \"box_1\"");
    ASSERT_NE(box, std::string::npos);
    for (const int frame : kSampled) {
        const std::size_t list = text.find("xformOp:translate.timeSamples", box);
        const std::string key = " " + std::to_string(frame) + ": (";
        double x = 0, y = 0, z = 0;
        ASSERT_EQ(std::sscanf(text.c_str() + text.find(key, list) + key.size(), "%lf, %lf, %lf", &x, &y, &z), 3);
        const Pose expected = FormulaRun::pose(1, frame);
        EXPECT_LE(length(Vec3{Real(x), Real(y), Real(z)} - expected.position), 1e-4);
        const std::size_t turns = text.find("xformOp:orient.timeSamples", box);
        double w = 0;
        ASSERT_EQ(std::sscanf(text.c_str() + text.find(key, turns) + key.size(), "%lf, %lf, %lf, %lf", &w, &x, &y, &z), 4);
        EXPECT_LE(angleBetween(normalize(Quat{Real(x), Real(y), Real(z), Real(w)}), expected.orientation), 1e-4);
    }
    EXPECT_NE(text.find("visibility.timeSamples = { 0: \"invisible\", 13: \"inherited\", 27: \"invisible\", }"),
              std::string::npos);
    EXPECT_NE(text.find("visibility.timeSamples = { 0: \"inherited\", 13: \"invisible\", }"), std::string::npos);
    EXPECT_NE(text.find("GeomSubset \"slot_1\""), std::string::npos);
    EXPECT_NE(text.find("timeCodesPerSecond = 30"), std::string::npos);
}

TEST_F(Exports, PlyFilesHoldWhatIsThere) {
    ASSERT_TRUE(writePlySequence(recording_, folder_ / "frames"));
    // Triangles of floor and box, then the ball (36 facets around, 18 down, two triangles each but at the poles), then two
    // pieces of eight, then one.
    const std::size_t ball = 36 * 18 * 2 - 2 * 36;
    const std::map<int, std::size_t> expected = {{0, 24 + ball}, {12, 24 + ball}, {13, 24 + 16}, {26, 24 + 16}, {27, 24 + 8}};
    for (const auto& [frame, triangles] : expected) {
        char name[32];
        std::snprintf(name, sizeof name, "frames/frame_%05d.ply", frame);
        const Mesh mesh = loadMesh(folder_ / name);
        EXPECT_EQ(mesh.triangles.size(), triangles) << frame;
    }
}

TEST_F(Exports, CsvHasALineForEveryFrame) {
    ASSERT_TRUE(writeCsv(recording_, folder_ / "stats.csv"));
    const std::string text = contentsOf(folder_ / "stats.csv");
    EXPECT_EQ(text.rfind("frame,kinetic_energy,contacts,hash\n0,100,0,0000000000000000\n1,50,0,000000000000004d\n", 0), 0u);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 41);
}

TEST_F(Exports, TheReportNeedsNothingButItself) {
    ReportOptions options;
    options.warnings = {"a <warning> & more"};
    options.files = {"run.glb"};
    ASSERT_TRUE(writeReport(recording_, folder_ / "report.html", options));
    const std::string html = contentsOf(folder_ / "report.html");
    for (const char* part : {"formula", "sunder run formula", "a &lt;warning&gt; &amp; more", "data:image/png;base64,iVBOR",
                             "Linear momentum", "Deepest penetration", "broad phase", "Pieces", "</html>"})
        EXPECT_NE(html.find(part), std::string::npos) << part;
    for (const char* outside : {"src=\"http", "href=\"http", "url(", "@import", "fetch(", "<link"})
        EXPECT_EQ(html.find(outside), std::string::npos) << outside;
    std::size_t plots = 0, pictures = 0;
    for (std::size_t at = 0; (at = html.find("<svg", at)) != std::string::npos; ++at)
        ++plots;
    for (std::size_t at = 0; (at = html.find("<img", at)) != std::string::npos; ++at)
        ++pictures;
    EXPECT_EQ(plots, 7u);
    EXPECT_EQ(pictures, 8u);
}

TEST_F(Exports, WorkThatIsStoppedLeavesNothing) {
    const std::size_t before = fileCount();
    const ExportProgress stop = [](int done, int) { return done < 3; };
    MovieOptions small;
    small.width = 64;
    small.samples = 1;
    EXPECT_FALSE(writeGlb(recording_, folder_ / "run.glb", stop));
    EXPECT_FALSE(writeUsda(recording_, folder_ / "run.usda", stop));
    EXPECT_FALSE(writeReport(recording_, folder_ / "report.html", {}, stop));
    if (movieProblem().empty()) {
        EXPECT_FALSE(writeMovie(recording_, folder_ / "run.mp4", small, stop));
    }
    EXPECT_EQ(fileCount(), before);
}

TEST_F(Exports, BadPathsAreNamed) {
    EXPECT_THROW(writeGlb(recording_, folder_ / "no/such/run.glb"), Error);
    EXPECT_THROW(writeUsda(recording_, folder_ / "no/such/run.usda"), Error);
    EXPECT_THROW(writeCsv(recording_, folder_ / "no/such/stats.csv"), Error);
    MovieOptions odd;
    odd.width = 65;
    EXPECT_THROW(writeMovie(recording_, folder_ / "run.mp4", odd), Error);
}

TEST_F(Exports, AMovieHasOnePictureForEveryFrame) {
    if (!movieProblem().empty())
        GTEST_SKIP() << "not run: " << movieProblem();
    MovieOptions options;
    options.width = 96;
    options.samples = 2;
    ASSERT_TRUE(writeMovie(recording_, folder_ / "run.mp4", options));
    EXPECT_EQ(contentsOf(folder_ / "run.mp4").substr(4, 4), "ftyp");
    // ffmpeg again, as a reader: raw pictures, 54 lines high, three bytes a pixel.
    const std::string command = "ffmpeg -loglevel error -i '" + (folder_ / "run.mp4").string() +
                                "' -f rawvideo -pix_fmt rgb24 '" + (folder_ / "raw").string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(contentsOf(folder_ / "raw").size(), 40u * 96 * 54 * 3);
    // The last picture as decoded is close to the one that was drawn.
    RenderOptions render;
    render.width = 96;
    render.height = 54;
    render.samples = 2;
    recording_.seek(39);
    const Image drawn = Renderer(render).draw(recording_);
    const std::string raw = contentsOf(folder_ / "raw");
    double difference = 0;
    for (std::size_t i = 0; i < drawn.rgb.size(); ++i)
        difference += std::abs(int(drawn.rgb[i]) - int(static_cast<unsigned char>(raw[39u * 96 * 54 * 3 + i])));
    EXPECT_LT(difference / double(drawn.rgb.size()), 5);  // of 255; compression and half the colour's resolution
}

TEST_F(Exports, WithoutFfmpegAMovieSaysWhatIsMissing) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder_.path().c_str(), 1);
    const std::string problem = movieProblem();
    std::string message;
    try {
        writeMovie(recording_, folder_ / "run.mp4", {});
    } catch (const Error& error) {
        message = error.what();
    }
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_NE(problem.find("ffmpeg, which is not installed"), std::string::npos);
    EXPECT_NE(message.find("run.mp4: movies need the program ffmpeg"), std::string::npos) << message;
}

// A recording is drawn as its world is: positions here are whole numbers of quanta, so not a byte may differ.
TEST(RenderRecording, DrawsWhatTheWorldLooksLike) {
    const TemporaryFolder folder;
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "ground", "motion": "static", "shape": { "type": "box", "half_extents": [5, 0.5, 5] }, "position": [0, -0.5, 0] },
           { "name": "a", "shape": { "type": "sphere", "radius": 0.5 }, "position": [0, 0.5, 0] },
           { "name": "b", "shape": { "type": "capsule", "radius": 0.25, "half_height": 0.5 }, "position": [1, 0.75, 0] },
           { "name": "c", "shape": { "type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]] }, "position": [-1.5, 0, 0] })"));
    const SceneRunner runner(scene);
    RunRecorder recorder(folder / "a.sunder", scene, runner);
    recorder.record(runner, runner.statsLine());
    recorder.finish();
    Recording recording = Recording::open(folder / "a.sunder");
    RenderOptions options;
    options.width = 96;
    options.height = 54;
    options.samples = 2;
    Renderer fromWorld(options), fromRecording(options);
    const Camera camera = frameBodies(runner.world());
    fromWorld.setCamera(camera);
    fromRecording.setCamera(camera);
    EXPECT_EQ(fromWorld.draw(runner.world()).rgb, fromRecording.draw(recording).rgb);
    // The same camera is found over a recording of one frame.
    EXPECT_EQ(frameBodies(recording).position, camera.position);
}

TEST(RenderRecording, FractureFacesHaveAnotherTone) {
    const TemporaryFolder folder;
    const auto middleOf = [&](const Surface& surface) {
        {
            RecordingWriter writer(folder / "a.sunder", {});
            writer.addTrack({"piece", kNoTrack, writer.addSurface({{{{}, surface}}}), Motion::Dynamic, 0});
            const Pose pose;
            writer.writeFrame({&pose, 1}, {}, {}, 0);
            writer.finish();
        }
        Recording recording = Recording::open(folder / "a.sunder");
        RenderOptions options;
        options.width = options.height = 32;
        options.sunDirection = {0, -1, Real(0.5)};  // from below, where the open faces are
        Renderer renderer(options);
        renderer.setCamera({{Real(0.4), -2, Real(0.5)}, {0, 0, 0}, 20});
        const Image image = renderer.draw(recording);
        const std::uint8_t* pixel = image.rgb.data() + 3 * (16 * 32 + 16);
        return std::array<int, 3>{pixel[0], pixel[1], pixel[2]};
    };
    Surface open = brokenOctahedron(), closed = open;
    closed.ranges.clear();
    const auto a = middleOf(open), b = middleOf(closed);
    EXPECT_GT(std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]), 60);
}

double volumeOf(const Surface& surface) {
    double volume = 0;
    for (const auto& t : surface.triangles)
        volume += double(dot(surface.positions[t[0]], cross(surface.positions[t[1]], surface.positions[t[2]]))) / 6;
    return volume;
}

// Facets of x = 10 degrees cut off 1 - sin(x)/x of a circle's area, 0.51 %; a profile of chords of a meridian cuts off x^2/4 of
// the ball's volume more, 0.76 %.
TEST(Tessellate, VolumesAreThoseOfTheSolids) {
    const Real r = Real(0.7), h = Real(0.4);
    const double circle = 3.14159265 * double(r * r), ball = circle * double(r) * 4 / 3;
    EXPECT_NEAR(volumeOf(tessellate(drawnShape(Sphere{r}))) / ball, 1, 0.013);
    EXPECT_NEAR(volumeOf(tessellate(drawnShape(Cylinder{r, h}))) / (circle * 2 * double(h)), 1, 0.006);
    EXPECT_NEAR(volumeOf(tessellate(drawnShape(Capsule{r, h}))) / (ball + circle * 2 * double(h)), 1, 0.013);
    EXPECT_NEAR(volumeOf(tessellate(drawnShape(Box{{1, 2, 3}}))), 48, 1e-4);
    EXPECT_NEAR(volumeOf(tessellate(drawnShape(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}))), 1.0 / 6, 1e-6);
    Compound two;
    two.children = {{Box{{1, 1, 1}}, {3, 0, 0}, {}}, {Sphere{r}, {0, 5, 0}, normalize(Quat{1, 2, 3, 4})}};
    EXPECT_NEAR(volumeOf(tessellate(drawnShape(two))), 8 + ball, 0.013 * ball + 1e-4);
    EXPECT_NEAR(volumeOf(tessellate({{{{}, brokenOctahedron()}}})), 4.0 / 3 * 0.027, 1e-6);
}

TEST(Tessellate, NormalsPointOutwards) {
    for (const Shape& shape : {Shape(Sphere{1}), Shape(Cylinder{1, 1}), Shape(Capsule{1, 1}), Shape(Box{{1, 1, 1}})}) {
        const Surface surface = tessellate(drawnShape(shape));
        ASSERT_EQ(surface.normals.size(), surface.positions.size());
        for (const auto& t : surface.triangles) {
            const Vec3& a = surface.positions[t[0]];
            const Vec3 face = cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a);
            for (const std::uint32_t corner : t) {
                EXPECT_GT(dot(surface.normals[corner], face), 0);
                EXPECT_NEAR(length(surface.normals[corner]), 1, 1e-5);
            }
        }
    }
}

}  // namespace
}  // namespace sunder
