// A tetrahedron and a cube survive every format; broken files are refused with the place and the reason, and never crash.
#include "sunder/scene/mesh_files.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/random.h"
#include "scene/mesh/mesh_files.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

class MeshFiles : public ::testing::Test {
protected:
    MeshFiles() {
        folder_ =
            fs::temp_directory_path() /
            ("sunder_mesh_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + "_" +
             std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" + std::to_string(std::uintptr_t(this)));
        fs::create_directories(folder_);
    }
    ~MeshFiles() override { fs::remove_all(folder_); }

    fs::path write(const std::string& name, const std::string& data) {
        std::ofstream(folder_ / name, std::ios::binary) << data;
        return folder_ / name;
    }
    Mesh load(const std::string& name, const std::string& data) { return loadMesh(write(name, data)); }
    // The message without the path of the file.
    std::string errorOf(const std::string& name, const std::string& data) {
        const fs::path file = write(name, data);
        try {
            loadMesh(file);
        } catch (const Error& error) {
            const std::string text = error.what(), prefix = file.string() + ": ";
            EXPECT_EQ(text.find(prefix), 0u) << "names the file";
            return text.substr(std::min(prefix.size(), text.size()));
        }
        return "";
    }
    // Every cut and many flipped bytes end in a mesh or an Error, nothing else.
    void expectSurvives(const std::string& name, const std::string& data) {
        const auto attempt = [&](const std::string& damaged) {
            try {
                const Mesh mesh = scene::parseMesh(scene::readerFor(name), damaged, folder_ / name);
                for (const auto& triangle : mesh.triangles)
                    for (const std::uint32_t vertex : triangle)
                        ASSERT_LT(vertex, mesh.vertices.size());
            } catch (const Error&) {
            }
        };
        for (std::size_t length = 0; length < data.size(); length += 1 + data.size() / 300)
            attempt(data.substr(0, length));
        core::Random random(7);
        for (int i = 0; i < 400; ++i) {
            std::string damaged = data;
            for (int flips = 0; flips < 3; ++flips)
                damaged[random.below(std::uint32_t(damaged.size()))] = char(random.below(256));
            attempt(damaged);
        }
        std::string garbage = data.substr(0, 8);
        for (int i = 0; i < 5000; ++i)
            garbage.push_back(char(random.below(256)));
        attempt(garbage);
        attempt(garbage.substr(8));
    }

    fs::path folder_;
};

template <class Number>
void append(std::string& data, Number value, bool bigEndian = false) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (std::size_t i = 0; i < sizeof value; ++i)
        data.push_back(bytes[bigEndian ? sizeof value - 1 - i : i]);
}

double volumeOf(const Mesh& mesh) {
    double six = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
        six += double(p.x) * (q.y * r.z - q.z * r.y) + double(p.y) * (q.z * r.x - q.x * r.z) +
               double(p.z) * (q.x * r.y - q.y * r.x);
    }
    return six / 6;
}

void expectCube(const Mesh& mesh) {
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_TRUE(checkClosed(mesh).isClosed());
    EXPECT_FALSE(checkClosed(mesh).insideOut);
    EXPECT_NEAR(volumeOf(mesh), 1, 1e-6);
}

const char* const kCubeObj = R"(# a unit cube of quads
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1 1.0
v 0 1 1
vn 0 0 1
vt 0 0
usemtl none
f 4 3 2 1
f 5//1 6//1 7//1 8//1
f 1/1/1 2/1/1 6/1/1 5/1/1
f -6 -5 -1 -2
f 1 5 8 \
  4 # continued
f 2 3 7 6
)";

constexpr int kCubeFaces[12][3] = {{3, 2, 1}, {3, 1, 0}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                   {2, 3, 7}, {2, 7, 6}, {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};
constexpr float kCubeVertices[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

std::string binaryStl() {
    std::string data(80, ' ');
    data.replace(0, 5, "solid");  // as some programs write
    append(data, std::uint32_t(12));
    for (const auto& face : kCubeFaces) {
        for (int i = 0; i < 3; ++i)
            append(data, 0.0f);
        for (const int vertex : face)
            for (const float coordinate : kCubeVertices[vertex])
                append(data, coordinate);
        append(data, std::uint16_t(0));
    }
    return data;
}

std::string textStl() {
    std::string text = "solid a cube\n";
    for (const auto& face : kCubeFaces) {
        text += "facet normal 0 0 0\n outer loop\n";
        for (const int vertex : face)
            text += "  vertex " + std::to_string(kCubeVertices[vertex][0]) + " " + std::to_string(kCubeVertices[vertex][1]) +
                    " " + std::to_string(kCubeVertices[vertex][2]) + "\n";
        text += " endloop\nendfacet\n";
    }
    return text + "endsolid a cube\n";
}

std::string plyHeader(const std::string& format) {
    return "ply\nformat " + format +
           " 1.0\ncomment made by a test\nelement vertex 8\nproperty uchar red\nproperty float x\nproperty double y\nproperty "
           "float z\n"
           "element face 12\nproperty list uchar int vertex_indices\nelement edge 1\nproperty short a\nend_header\n";
}

std::string binaryPly(bool bigEndian) {
    std::string data = plyHeader(bigEndian ? "binary_big_endian" : "binary_little_endian");
    for (const auto& vertex : kCubeVertices) {
        append(data, std::uint8_t(255));
        append(data, vertex[0], bigEndian);
        append(data, double(vertex[1]), bigEndian);
        append(data, vertex[2], bigEndian);
    }
    for (const auto& face : kCubeFaces) {
        append(data, std::uint8_t(3));
        for (const int vertex : face)
            append(data, std::int32_t(vertex), bigEndian);
    }
    append(data, std::int16_t(0));
    return data;
}

std::string textPly() {
    std::string text = plyHeader("ascii");
    for (const auto& v : kCubeVertices)
        text += "255 " + std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]) + "\n";
    for (const auto& f : kCubeFaces)
        text += "3 " + std::to_string(f[0]) + " " + std::to_string(f[1]) + " " + std::to_string(f[2]) + "\n";
    return text + "0\n";
}

// Positions, then indices of 16 bits.
std::string cubeBuffer() {
    std::string buffer;
    for (const auto& vertex : kCubeVertices)
        for (const float coordinate : vertex)
            append(buffer, coordinate);
    for (const auto& face : kCubeFaces)
        for (const int vertex : face)
            append(buffer, std::uint16_t(vertex));
    return buffer;
}

std::string gltfJson(const std::string& bufferUri, const std::string& nodes = R"([{"mesh":0}])",
                     const std::string& roots = "[0]") {
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":)" + roots + R"(}],"nodes":)" + nodes +
           R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],)"
           R"("accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3"},)"
           R"({"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}],)"
           R"("bufferViews":[{"buffer":0,"byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":72}],)"
           R"("buffers":[{"byteLength":168)" +
           (bufferUri.empty() ? "" : R"(,"uri":")" + bufferUri + "\"") + "}]}";
}

std::string glb(std::string json, std::string binary = cubeBuffer()) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    std::string data = "glTF";
    append(data, std::uint32_t(2));
    append(data, std::uint32_t(12 + 8 + json.size() + 8 + binary.size()));
    append(data, std::uint32_t(json.size()));
    append(data, std::uint32_t(0x4E4F534A));
    data += json;
    append(data, std::uint32_t(binary.size()));
    append(data, std::uint32_t(0x004E4942));
    return data + binary;
}

TEST_F(MeshFiles, EveryFormatGivesTheSameCube) {
    expectCube(load("cube.obj", kCubeObj));
    expectCube(load("cube.stl", textStl()));
    expectCube(load("binary.STL", binaryStl()));
    expectCube(load("cube.ply", textPly()));
    expectCube(load("little.ply", binaryPly(false)));
    expectCube(load("big.ply", binaryPly(true)));
    expectCube(load("cube.glb", glb(gltfJson(""))));
    write("cube.bin", cubeBuffer());
    expectCube(load("cube.gltf", gltfJson("cube.bin")));
}

TEST_F(MeshFiles, WindowsLineEndsAndForeignLocales) {
    std::string text;
    for (const char* c = kCubeObj; *c; ++c)
        text += *c == '\n' ? std::string("\r\n") : std::string(1, *c);
    expectCube(load("cube.obj", text));
    const std::string old = std::setlocale(LC_ALL, nullptr);
    std::setlocale(LC_ALL, "de_DE.UTF-8");
    expectCube(load("cube.stl", textStl()));
    std::setlocale(LC_ALL, old.c_str());
}

TEST_F(MeshFiles, ConcaveFacesAreCutRight) {
    // An L of six corners, area 3 of a square of 4.
    const Mesh mesh = load("l.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 3 4 5 6 1 2\n");
    double area = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
        const double twice = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
        EXPECT_GT(twice, 0);
        area += twice / 2;
    }
    EXPECT_NEAR(area, 3, 1e-6);
}

TEST_F(MeshFiles, DuplicatesAndUnusedVerticesGo) {
    const Mesh mesh = load("a.obj", "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv -0 0 0\nv 1 1 0\nf 2 3 4\nf 3 6 4\nf 2 5 3\n");
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {1, 3, 2}}));
}

TEST_F(MeshFiles, GltfNodesArePlaced) {
    // A cube of 2 x 3 x 4 turned by 90 degrees about y under a parent at (10, 0, 0), and its mirror image.
    const Mesh mesh = load("nodes.glb", glb(gltfJson("",
                                                     R"([{"translation":[10,0,0],"children":[1]},)"
                                                     R"({"mesh":0,"rotation":[0,0.70710678,0,0.70710678],"scale":[2,3,4]},)"
                                                     R"({"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,-5,0,0,1]}])",
                                                     "[0,2]")));
    EXPECT_EQ(mesh.vertices.size(), 16u);
    Vec3 low = mesh.vertices[0], high = low;
    for (const Vec3& v : mesh.vertices) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    EXPECT_NEAR(low.x, -6, 1e-6);
    EXPECT_NEAR(high.x, 14, 1e-5);  // z of the cube, 4, became x
    EXPECT_NEAR(low.z, -2, 1e-6);   // and x, 2, became -z
    EXPECT_NEAR(high.y, 3, 1e-6);
    EXPECT_TRUE(checkClosed(mesh).isClosed());
    EXPECT_NEAR(volumeOf(mesh), 24 + 1, 1e-4) << "a mirrored node must not turn its triangles inside out";
}

TEST_F(MeshFiles, GltfFilesStayInTheirFolder) {
    write("cube.bin", cubeBuffer());
    fs::create_directories(folder_ / "inner");
    const std::string expected = "is not allowed (a relative name inside the folder of the file)";
    EXPECT_NE(errorOf("inner/up.gltf", gltfJson("../cube.bin")).find(expected), std::string::npos);
    EXPECT_NE(errorOf("inner/coded.gltf", gltfJson("%2e%2e/cube.bin")).find(expected), std::string::npos);
    EXPECT_NE(errorOf("inner/root.gltf", gltfJson((folder_ / "cube.bin").string())).find(expected), std::string::npos);
    EXPECT_NE(errorOf("inner/url.gltf", gltfJson("file:///etc/passwd")).find(expected), std::string::npos);
    fs::create_symlink(folder_ / "cube.bin", folder_ / "inner" / "link.bin");
    EXPECT_NE(errorOf("inner/link.gltf", gltfJson("link.bin")).find(expected), std::string::npos);
    EXPECT_NE(errorOf("none.gltf", gltfJson("missing.bin")), "");
}

TEST_F(MeshFiles, MessagesSayWhereAndWhat) {
    EXPECT_EQ(errorOf("a.obj", "v 0 0 0\nv 1 x 0\n"), "line 2: 'x' is not a number (a vertex has three)");
    EXPECT_EQ(errorOf("a.obj", "v 0 0\n"), "line 1: '' is not a number (a vertex has three)");
    EXPECT_EQ(errorOf("a.obj", "v 0 nan 0\n"), "line 1: a coordinate is not a finite number");
    EXPECT_EQ(errorOf("a.obj", "v 0 0 0\nf 1 2 3\n"), "line 2: a face uses vertex 1 counted from 0, but there are 1");
    EXPECT_EQ(errorOf("a.obj", "v 0 0 0\nf 1 0 1\n"), "line 2: '0' is not a vertex (1 or more, or -1 down to -1)");
    EXPECT_EQ(errorOf("a.obj", "v 0 0 0\nf 1 1\n"), "line 2: a face with 2 corners is not allowed (3 to 4096)");
    EXPECT_EQ(errorOf("a.obj", "v 0 0 0\n"), "has no triangles");
    EXPECT_EQ(errorOf("a.obj", ""), "is empty");
    EXPECT_EQ(errorOf("a.xyz", "1"), "extension '.xyz' is not allowed (.obj, .stl, .ply, .gltf, .glb)");
    EXPECT_EQ(errorOf("a.stl", "solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvortex"),
              "line 5: 'vortex' is not allowed ('vertex')");
    EXPECT_EQ(errorOf("a.stl", binaryStl().replace(0, 5, "other").substr(0, 500)),
              "byte 80: announces 12 triangles, 684 bytes, but the file has 500");
    EXPECT_EQ(errorOf("a.ply", textPly().substr(0, plyHeader("ascii").size() + 20)),
              "line 14: the file ends before all its elements");
    EXPECT_EQ(errorOf("a.ply", "ply\nformat ascii 1.0\nelement vertex -3\n"), "line 3: '-3' is not a count (0 or more)");
    EXPECT_EQ(errorOf("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty flout x\n"),
              "line 4: 'flout' is not a type (char, uchar, short, ushort, int, uint, float, double)");
    EXPECT_NE(errorOf("a.glb", "glTF").find("is not a glTF 2.0 file"), std::string::npos);
    EXPECT_THROW(loadMesh(folder_ / "missing.obj"), Error);
    fs::create_directories(folder_ / "folder.obj");
    EXPECT_THROW(loadMesh(folder_ / "folder.obj"), Error);
}

TEST_F(MeshFiles, HugeCountsAllocateNothing) {
    std::string stl(80, 'x');
    append(stl, std::uint32_t(0xffffffff));
    EXPECT_NE(errorOf("a.stl", stl), "");
    const std::string header =
        "ply\nformat binary_little_endian 1.0\nelement vertex 999999999999\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n";
    EXPECT_NE(errorOf("a.ply", header + "abc").find("the file ends"), std::string::npos);
    const std::string empty =
        "ply\nformat ascii 1.0\nelement nothing 999999999999999\nelement vertex 0\nproperty float x\n"
        "property float y\nproperty float z\nend_header\n";
    EXPECT_EQ(errorOf("b.ply", empty), "has no triangles");
    std::string json = gltfJson("");
    json.replace(json.find("\"count\":8"), 9, "\"count\":4611686018427387904");
    EXPECT_NE(errorOf("a.glb", glb(json)).find("does not fit"), std::string::npos);
    json = gltfJson("");
    json.replace(json.find("\"byteLength\":72"), 15, "\"byteLength\":99999");
    EXPECT_NE(errorOf("b.glb", glb(json)).find("does not fit"), std::string::npos);
}

TEST_F(MeshFiles, BadGltf) {
    EXPECT_NE(errorOf("cycle.glb", glb(gltfJson("", R"([{"mesh":0,"children":[0]}])"))).find("two parents"), std::string::npos);
    EXPECT_NE(errorOf("node.glb", glb(gltfJson("", R"([{"mesh":7}])"))).find("mesh 7 does not exist"), std::string::npos);
    std::string buffer = cubeBuffer();
    buffer[100] = char(200);
    EXPECT_EQ(errorOf("index.glb", glb(gltfJson(""), buffer)), "index 2: 200 is not allowed (there are 8 positions)");
    buffer = cubeBuffer();
    const float nan = std::nanf("");
    std::memcpy(buffer.data() + 12, &nan, 4);
    EXPECT_EQ(errorOf("nan.glb", glb(gltfJson(""), buffer)), "position 1: a coordinate is not a finite number");
    const std::string deep =
        R"({"asset":{"version":"2.0"},"extras":)" + std::string(200000, '[') + std::string(200000, ']') + "}";
    EXPECT_NE(errorOf("deep.gltf", deep).find("nested deeper"), std::string::npos);
    EXPECT_NE(errorOf("deep.glb", glb(deep)).find("nested deeper"), std::string::npos);
    std::string draco = gltfJson("");
    draco.insert(1, R"("extensionsUsed":["KHR_draco_mesh_compression"],"extensionsRequired":["KHR_draco_mesh_compression"],)");
    EXPECT_NE(errorOf("draco.glb", glb(draco)).find("KHR_draco_mesh_compr"), std::string::npos);
}

TEST_F(MeshFiles, DamagedFilesNeverCrash) {
    expectSurvives("a.obj", kCubeObj);
    expectSurvives("a.stl", textStl());
    expectSurvives("b.stl", binaryStl());
    expectSurvives("a.ply", textPly());
    expectSurvives("b.ply", binaryPly(false));
    expectSurvives("c.ply", binaryPly(true));
    expectSurvives("a.glb", glb(gltfJson("")));
    write("cube.bin", cubeBuffer());
    expectSurvives("a.gltf", gltfJson("cube.bin"));
}

TEST(CheckClosed, CountsWhatIsWrong) {
    Mesh mesh;
    for (const auto& v : kCubeVertices)
        mesh.vertices.push_back({v[0], v[1], v[2]});
    for (const auto& f : kCubeFaces)
        mesh.triangles.push_back({std::uint32_t(f[0]), std::uint32_t(f[1]), std::uint32_t(f[2])});
    EXPECT_TRUE(checkClosed(mesh).isClosed());
    Mesh open = mesh;
    open.triangles.pop_back();
    EXPECT_EQ(checkClosed(open).openEdges, 3u);
    Mesh inverted = mesh;
    std::swap(inverted.triangles[4][0], inverted.triangles[4][1]);
    EXPECT_EQ(checkClosed(inverted).invertedEdges, 3u);
    EXPECT_EQ(checkClosed(inverted).openEdges, 0u);
    Mesh fin = mesh;
    fin.vertices.push_back({2, 2, 2});
    fin.triangles.push_back({0, 1, 8});
    EXPECT_EQ(checkClosed(fin).nonManifoldEdges, 1u);
    EXPECT_EQ(checkClosed(fin).openEdges, 2u);
    Mesh insideOut = mesh;
    for (auto& triangle : insideOut.triangles)
        std::swap(triangle[0], triangle[1]);
    EXPECT_TRUE(checkClosed(insideOut).isClosed());
    EXPECT_TRUE(checkClosed(insideOut).insideOut);
    EXPECT_FALSE(checkClosed(mesh).insideOut);
}

}  // namespace
}  // namespace sunder
