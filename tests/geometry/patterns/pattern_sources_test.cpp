// Patterns from files, meshes and voxels.
#include <gtest/gtest.h>

#include <set>

#include "core/random.h"
#include "geometry/patterns/generators.h"
#include "geometry/patterns/pattern_file.h"
#include "geometry/polyhedron.h"

namespace sunder::geometry {
namespace {

Pattern smallPattern(int nodes = 25) {
    PatternDef definition;
    definition.kind = RadialPattern{};
    definition.nodes = nodes;
    return makePattern(definition).pattern;
}

TEST(PatternFile, ReadsWhatItWrote) {
    Pattern pattern = smallPattern(65);
    pattern.center = {Real(0.25), Real(-0.125), 0};
    pattern.orientation = normalize({1, 2, 3, 4});
    const std::vector<std::byte> bytes = writePattern(pattern);
    EXPECT_LT(bytes.size(), pattern.labels.size() * 2);  // 4 bytes per node in memory
    const PatternResult read = readPattern(bytes);
    ASSERT_EQ(read.error, "");
    EXPECT_EQ(read.pattern.grid, pattern.grid);
    EXPECT_EQ(read.pattern.center, pattern.center);
    EXPECT_EQ(read.pattern.orientation, pattern.orientation);
    EXPECT_EQ(read.pattern.regionCount, pattern.regionCount);
    EXPECT_EQ(read.pattern.hasSharpFaces, pattern.hasSharpFaces);
    EXPECT_EQ(read.pattern.labels, pattern.labels);
    EXPECT_EQ(read.pattern.distances, pattern.distances);
}

TEST(PatternFile, DamageIsAnError) {
    const std::vector<std::byte> good = writePattern(smallPattern());
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 7)
        EXPECT_NE(readPattern(std::span(good).first(size)).error, "") << size;
    core::Random random(5);
    for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> bad = good;
        bad[random.below(std::uint32_t(bad.size()))] ^= std::byte(1 + random.below(255));
        EXPECT_NE(readPattern(bad).error, "");
    }
}

TEST(PatternFile, ImpossibleNumbersWithAGoodChecksumAreErrors) {
    Pattern pattern = smallPattern();
    pattern.labels[100] = 0;
    EXPECT_NE(readPattern(writePattern(pattern)).error.find("label"), std::string::npos);
    pattern = smallPattern();
    pattern.distances[100] = 0;
    EXPECT_NE(readPattern(writePattern(pattern)).error.find("distance"), std::string::npos);
    pattern = smallPattern();
    pattern.center = {2, 0, 0};
    EXPECT_NE(readPattern(writePattern(pattern)).error.find("centre"), std::string::npos);
    pattern = smallPattern();
    pattern.grid.cell = 0;
    EXPECT_NE(readPattern(writePattern(pattern)).error, "");
}

// Two boxes with a common face; the rest of the cube is the third region.
TEST(PatternSources, MeshesAndTheRest) {
    const Polyhedron box = boxPolyhedron({Real(0.25), Real(0.5), Real(0.5)});
    const auto triangles = triangulate(box);
    std::vector<Vec3> left = box.vertices, right = box.vertices;
    for (Vec3& v : left)
        v.x -= Real(0.25);
    for (Vec3& v : right)
        v.x += Real(0.25);
    const RegionMesh meshes[2] = {{left, triangles}, {right, triangles}};
    const PatternResult result = patternFromMeshes(meshes, 65);
    ASSERT_EQ(result.error, "");
    const Pattern& pattern = result.pattern;
    ASSERT_EQ(pattern.regionCount, 3);
    int wrong = 0;
    double worst = 0;
    for (int z = 0; z < 65; ++z)
        for (int y = 0; y < 65; ++y)
            for (int x = 0; x < 65; ++x) {
                const Vec3 p = pattern.grid.position(x, y, z), q = abs(p) - Vec3{Real(0.5), Real(0.5), Real(0.5)};
                const Real outside = max(q.x, max(q.y, q.z));
                const Real toBorder = min(std::fabs(outside), outside < 0 ? std::fabs(p.x) : kInfinity);
                const std::uint16_t expected = outside >= 0 ? 1 : (p.x < 0 ? 2 : 3);
                if (toBorder > Real(0.1) * pattern.grid.cell)
                    wrong += pattern.labels[pattern.grid.index(x, y, z)] != expected;
                if (outside < 0 && outside > -3 * pattern.grid.cell)
                    worst = std::max(worst, std::fabs(pattern.distances[pattern.grid.index(x, y, z)] / 256.0 -
                                                      double(toBorder / pattern.grid.cell)));
            }
    EXPECT_EQ(wrong, 0);
    // The meshes' own grids blunt edges by up to a cell; faces are exact.
    EXPECT_LT(worst, 0.6);
    EXPECT_NE(patternFromMeshes({}, 65).error, "");
    const std::vector<Vec3> nothing;
    const RegionMesh empty[1] = {{nothing, {}}};
    EXPECT_NE(patternFromMeshes(empty, 65).error.find("mesh 0"), std::string::npos);
}

// A plane across the grid at a slope, given as voxels only: the distance is found again to a few tenths of a cell.
// A cube in the open borders on one region all around: the edges of that border are the cube's.
TEST(PatternSources, FacesOfACubeHaveEdges) {
    const Polyhedron box = boxPolyhedron({Real(0.5), Real(0.5), Real(0.5)});
    const auto triangles = triangulate(box);
    const RegionMesh meshes[1] = {{box.vertices, triangles}};
    const PatternResult result = patternFromMeshes(meshes, 65);
    ASSERT_EQ(result.error, "");
    EXPECT_TRUE(result.pattern.hasSharpFaces);
}

TEST(PatternSources, VoxelsOfASlantedPlane) {
    const Grid grid = {{0, 0, 0}, Real(0.1), {40, 40, 40}};
    const Vec3 normal = normalizeOr(Vec3{2, 3, 5}, Vec3{0, 1, 0});
    const Vec3 middle = grid.position(20, 20, 20);
    std::vector<std::uint16_t> voxels(grid.nodeCount());
    const auto planeDistance = [&](int x, int y, int z) { return dot(normal, grid.position(x, y, z) - middle); };
    for (int z = 0; z < 40; ++z)
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 40; ++x)
                voxels[grid.index(x, y, z)] = planeDistance(x, y, z) < 0 ? 700 : 9;
    const PatternResult result = patternFromVoxels(grid, voxels, middle);
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.pattern.regionCount, 2);
    EXPECT_NEAR(length(result.pattern.center), 0, 1e-6);
    double squares = 0, count = 0;
    for (int z = 5; z < 35; ++z)
        for (int y = 5; y < 35; ++y)
            for (int x = 5; x < 35; ++x) {
                const double cells = std::fabs(double(planeDistance(x, y, z) / grid.cell));
                if (cells > 4)
                    continue;
                const double error = result.pattern.distances[grid.index(x, y, z)] / 256.0 - cells;
                EXPECT_LT(std::fabs(error), 1);
                squares += error * error;
                ++count;
            }
    EXPECT_LT(std::sqrt(squares / count), 0.3);
    EXPECT_NE(patternFromVoxels(grid, {}, {}).error, "");
}

}  // namespace
}  // namespace sunder::geometry
