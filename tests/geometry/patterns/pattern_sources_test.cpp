// Patterns from files and voxels.
#include <gtest/gtest.h>

#include <set>

#include "core/random.h"
#include "geometry/patterns/generators.h"
#include "geometry/patterns/pattern_file.h"

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
    const PatternResult read = readPatternFile(bytes).result;
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
        EXPECT_NE(readPatternFile(std::span(good).first(size)).result.error, "") << size;
    core::Random random(5);
    for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> bad = good;
        bad[random.below(std::uint32_t(bad.size()))] ^= std::byte(1 + random.below(255));
        EXPECT_NE(readPatternFile(bad).result.error, "");
    }
}

TEST(PatternFile, ImpossibleNumbersWithAGoodChecksumAreErrors) {
    Pattern pattern = smallPattern();
    pattern.labels[100] = 0;
    EXPECT_NE(readPatternFile(writePattern(pattern)).result.error.find("label"), std::string::npos);
    pattern = smallPattern();
    pattern.distances[100] = 0;
    EXPECT_NE(readPatternFile(writePattern(pattern)).result.error.find("distance"), std::string::npos);
    pattern = smallPattern();
    pattern.center = {2, 0, 0};
    EXPECT_NE(readPatternFile(writePattern(pattern)).result.error.find("centre"), std::string::npos);
    pattern = smallPattern();
    pattern.grid.cell = 0;
    EXPECT_NE(readPatternFile(writePattern(pattern)).result.error, "");
}

// A plane across the grid at a slope, given as voxels only: the distance is found again to a few tenths of a cell.
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
