// Generators of patterns: every node has a label, seeds repeat, distances are distances, regions hang together.
#include "geometry/patterns/pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/hash.h"
#include "core/random.h"
#include "geometry/level_set/components.h"
#include "geometry/patterns/generators.h"

namespace sunder::geometry {
namespace {

constexpr int kNodes = 41;

std::uint64_t hashOf(const Pattern& pattern) {
    Hasher hasher;
    for (std::size_t node = 0; node < pattern.labels.size(); ++node)
        hasher.add(std::uint64_t(pattern.labels[node]) << 16 | pattern.distances[node]);
    return hasher.value();
}

struct Kind {
    const char* name;
    PatternKind kind;
    int fewest;  // regions
    Pattern pattern{};
};

PatternDef definitionOf(const PatternKind& kind) {
    PatternDef definition;
    definition.kind = kind;
    definition.nodes = kNodes;
    return definition;
}

// Made once: most tests look at all of them.
const std::vector<Kind>& allKinds() {
    static const std::vector<Kind> kinds = [] {
        VoronoiPattern clustered, weighted;
        clustered.clustering = Real(0.7);
        weighted.density = [](const Vec3& p) { return p.x > 0 ? Real(1) : Real(0.05); };
        std::vector<Kind> all{{"radial", RadialPattern{}, 40}, {"voronoi", VoronoiPattern{}, 200},
                              {"clustered", clustered, 100},   {"weighted", weighted, 200},
                              {"wood", WoodPattern{}, 200},    {"slabs", SlabPattern{}, 18},
                              {"brick", BrickPattern{}, 1000}, {"shells", ShellPattern{}, 40}};
        for (Kind& kind : all)
            kind.pattern = makePattern(definitionOf(kind.kind)).pattern;
        return all;
    }();
    return kinds;
}

// What is the same in every layer is asked for in one of them, with the same result.
TEST(Pattern, PrismsAreWhatEveryNodeWouldSay) {
    class Asked final : public RegionSource {
    public:
        explicit Asked(const RegionSource& source) : source_(source) {}
        RegionAt at(const Vec3d& point) const override { return source_.at(point); }

    private:
        const RegionSource& source_;
    };
    const std::unique_ptr<RegionSource> prism = radialRegions({}, 3);
    ASSERT_TRUE(prism->isPrism());
    Asked everyNode(*prism);
    const Grid grid = patternGrid(kNodes);
    EXPECT_EQ(hashOf(buildPattern(grid, *prism, false).pattern), hashOf(buildPattern(grid, everyNode, false).pattern));
}

TEST(Pattern, EveryKindCoversSpaceAndRepeats) {
    for (const Kind& kind : allKinds()) {
        SCOPED_TRACE(kind.name);
        PatternDef definition = definitionOf(kind.kind);
        const PatternResult first = makePattern(definition);
        ASSERT_EQ(first.error, "");  // check() has looked at every label
        EXPECT_EQ(hashOf(first.pattern), hashOf(kind.pattern));
        EXPECT_GE(first.pattern.regionCount, kind.fewest);
        const std::set<std::uint16_t> used(first.pattern.labels.begin(), first.pattern.labels.end());
        EXPECT_EQ(used.size(), first.pattern.regionCount);
        EXPECT_NEAR(first.pattern.innerRadius(), 1, 1e-5);
        definition.seed = 2;
        if (std::string(kind.name) != "brick") {
            EXPECT_NE(hashOf(makePattern(definition).pattern), hashOf(first.pattern));
        }
    }
}

// A distance changes by at most the way walked; and a node within a cell of the border has a neighbour across it somewhere
// near. Stored to 1/256 cell.
TEST(Pattern, DistancesAreDistances) {
    for (const Kind& kind : allKinds()) {
        SCOPED_TRACE(kind.name);
        const Pattern& pattern = kind.pattern;
        const Grid& grid = pattern.grid;
        int wrong = 0;
        for (int z = 0; z < kNodes; ++z)
            for (int y = 0; y < kNodes; ++y)
                for (int x = 0; x + 1 < kNodes; ++x) {
                    const std::size_t a = grid.index(x, y, z), b = a + 1;
                    const bool isSame = pattern.labels[a] == pattern.labels[b];
                    const int da = pattern.distances[a], db = pattern.distances[b], cell = Pattern::kStepsPerCell;
                    // Same region: 1-Lipschitz. Across a border: each is no farther from it than from the other.
                    wrong += isSame ? std::abs(da - db) > cell + 1 : std::max(da, db) > cell + 1;
                }
        EXPECT_EQ(wrong, 0);
    }
}

// Convex cells and sectors are connected. A sliver thinner than a cell may fall apart on the grid: only regions of 50 nodes
// and more count, of which at most one part in fifty
// may be loose (slabs: where two planes cross).
TEST(Pattern, RegionsAreConnected) {
    for (const Kind& kind : allKinds()) {
        SCOPED_TRACE(kind.name);
        const Pattern& pattern = kind.pattern;
        const Components parts = labelComponents(pattern.grid.nodes, pattern.labels, Connectivity::Corner);
        std::vector<std::uint32_t> total(pattern.regionCount + 1u), largest(pattern.regionCount + 1u);
        std::vector<std::uint8_t> isSeen(parts.count());
        for (std::size_t node = 0; node < pattern.labels.size(); ++node)
            if (const std::uint32_t part = parts.ofNode[node]; !isSeen[part]) {
                isSeen[part] = 1;
                total[pattern.labels[node]] += parts.nodeCounts[part];
                largest[pattern.labels[node]] = std::max(largest[pattern.labels[node]], parts.nodeCounts[part]);
            }
        // A shell's sectors may be cut off by the cube, in its corners.
        const double loose = std::string(kind.name) == "shells" ? 1 : 0.02;
        for (std::size_t label = 1; label < total.size(); ++label) {
            if (total[label] >= 50) {
                EXPECT_LE(double(total[label] - largest[label]), loose * total[label]) << label;
            }
        }
    }
}

TEST(Pattern, VoronoiIsExact) {
    PatternDef definition = definitionOf(VoronoiPattern{});
    const Pattern pattern = makePattern(definition).pattern;
    const std::unique_ptr<RegionSource> regions = makeRegions(definition);
    regions->focus({}, 4, 4);  // all sites
    for (int z = 0; z < kNodes; z += 5)
        for (int y = 0; y < kNodes; y += 5)
            for (int x = 0; x < kNodes; x += 5) {
                const RegionAt exact = regions->at(toDouble(pattern.grid.position(x, y, z)));
                const double expected = std::min(exact.distance / double(pattern.grid.cell), double(Pattern::kMostCells));
                // Half a step, and at least one.
                EXPECT_NEAR(pattern.distances[pattern.grid.index(x, y, z)] / 256.0, expected, 1.01 / 256);
            }
}

TEST(Pattern, DensityDecidesWhereCellsAre) {
    VoronoiPattern kind;
    kind.evenness = 0;
    kind.density = [](const Vec3& p) { return p.x > 0 ? Real(1) : Real(0.1); };
    const Pattern pattern = makePattern(definitionOf(kind)).pattern;
    std::set<std::uint16_t> dense, sparse;
    for (int z = 0; z < kNodes; ++z)
        for (int y = 0; y < kNodes; ++y) {
            for (int x = 0; x < kNodes / 2 - 4; ++x)
                sparse.insert(pattern.labels[pattern.grid.index(x, y, z)]);
            for (int x = kNodes / 2 + 4; x < kNodes; ++x)
                dense.insert(pattern.labels[pattern.grid.index(x, y, z)]);
        }
    EXPECT_GT(dense.size(), 3 * sparse.size());
}

TEST(Pattern, ClusteringMakesSmallCellsAtTheCentre) {
    VoronoiPattern kind;
    const auto regionsNear = [&](Real clustering) {
        kind.clustering = clustering;
        const Pattern pattern = makePattern(definitionOf(kind)).pattern;
        std::set<std::uint16_t> near;
        for (int z = 0; z < kNodes; ++z)
            for (int y = 0; y < kNodes; ++y)
                for (int x = 0; x < kNodes; ++x)
                    if (length(pattern.grid.position(x, y, z)) < Real(0.25))
                        near.insert(pattern.labels[pattern.grid.index(x, y, z)]);
        return near.size();
    };
    EXPECT_GT(regionsNear(Real(0.6)), 3 * regionsNear(0));
}

// Splinters are as many times longer than wide as asked for, within a factor of 2: they are random cells.
TEST(Pattern, WoodRunsAlongTheGrain) {
    WoodPattern kind;
    kind.anisotropy = 4;
    kind.pieces = 60;
    const Pattern pattern = makePattern(definitionOf(kind)).pattern;
    double crossings[2] = {};  // borders met per row along x and along y
    for (int a = 0; a < kNodes; ++a)
        for (int b = 0; b < kNodes; ++b)
            for (int i = 0; i + 1 < kNodes; ++i) {
                crossings[0] += pattern.labels[pattern.grid.index(i, a, b)] != pattern.labels[pattern.grid.index(i + 1, a, b)];
                crossings[1] += pattern.labels[pattern.grid.index(a, i, b)] != pattern.labels[pattern.grid.index(a, i + 1, b)];
            }
    EXPECT_GT(crossings[1], 2 * crossings[0]);
    EXPECT_LT(crossings[1], 8 * crossings[0]);
}

// Faces move by no more than the amplitude says, and do move; distances have slope 1 again where only two regions meet.
TEST(Pattern, RoughFacesStayNearTheirPlaces) {
    PatternDef definition = definitionOf(SlabPattern{Real(0.5), {0, 0, 1}, 0, 0});
    const Pattern flat = makePattern(definition).pattern;
    definition.roughness = {Real(0.04), Real(0.4), 2};
    const PatternResult rough = makePattern(definition);
    ASSERT_EQ(rough.error, "");
    EXPECT_EQ(rough.pattern.regionCount, flat.regionCount);
    int moved = 0;
    const double most = 2 * 0.04 / double(flat.grid.cell) * 256;
    for (std::size_t node = 0; node < flat.labels.size(); ++node)
        if (rough.pattern.labels[node] != flat.labels[node]) {
            ++moved;
            EXPECT_LE(flat.distances[node], most + 1);
        }
    EXPECT_GT(moved, kNodes * kNodes / 4);
    double slopes = 0, count = 0;
    const Grid& grid = flat.grid;
    for (int y = 2; y < kNodes - 2; ++y)
        for (int x = 2; x < kNodes - 2; ++x)
            for (int z = 2; z < kNodes - 2; ++z) {
                const auto signedAt = [&](int i, int j, int k) {
                    const std::size_t node = grid.index(i, j, k);
                    const double d = rough.pattern.distances[node] / 256.0;
                    return rough.pattern.labels[node] <= rough.pattern.labels[grid.index(x, y, z)] ? -d : d;
                };
                const std::size_t node = grid.index(x, y, z);
                if (rough.pattern.labels[node] == rough.pattern.labels[grid.index(x, y, z + 1)])
                    continue;
                const double gx = 0.5 * (signedAt(x + 1, y, z) - signedAt(x - 1, y, z)),
                             gy = 0.5 * (signedAt(x, y + 1, z) - signedAt(x, y - 1, z)),
                             gz = 0.5 * (signedAt(x, y, z + 1) - signedAt(x, y, z - 1));
                slopes += std::sqrt(gx * gx + gy * gy + gz * gz);
                ++count;
            }
    EXPECT_NEAR(slopes / count, 1, 0.05);  // first order in the curvature of the face
}

TEST(Pattern, SampleIsExactOnPlanesAndBeyondTheGrid) {
    PatternDef definition = definitionOf(SlabPattern{Real(0.5), {0, 0, 1}, 0, 0});
    const Pattern pattern = makePattern(definition).pattern;
    core::Random random(4);
    for (int i = 0; i < 2000; ++i) {
        const Real x = Real(random.between(-60, 110)), y = Real(random.between(-60, 110)),
                   z = Real(random.between(0, kNodes - 1));
        const PatternSample found = samplePattern(pattern, {x, y, z});
        const double metres = -1 + double(z) * double(pattern.grid.cell);
        const double toPlane = std::fabs(metres / 0.5 + 0.5 - std::floor(metres / 0.5 + 0.5 + 0.5)) * 0.5;
        // In the middle of a slab the interpolated distance is blunt by up to half a cell.
        if (toPlane < 0.25 - double(pattern.grid.cell)) {
            EXPECT_NEAR(double(found.cells), toPlane / double(pattern.grid.cell), 0.01);
        }
    }
    EXPECT_EQ(samplePattern(pattern, {-1000, 3, 7}).label, samplePattern(pattern, {0, 3, 7}).label);
}

// Several places at once are each what they are alone, to the bit, where regions meet and beyond the grid too.
TEST(Pattern, SamplesOfARowAreThoseOfItsPlaces) {
    core::Random random(7);
    const auto place = [&] { return Real(random.between(-5, kNodes + 4)); };
    const auto stride = [&] { return Real(random.between(-1.5, 1.5)); };
    for (const Kind& kind : allKinds())
        for (int i = 0; i < 300; ++i) {
            const Vec3 start{place(), place(), place()}, step{stride(), stride(), stride()};
            PatternSample found[kPatternLanes];
            samplePattern(kind.pattern, start, step, 3, found);
            for (int lane = 0; lane < kPatternLanes; ++lane) {
                const PatternSample alone = samplePattern(kind.pattern, start + step * Real(3 + lane));
                EXPECT_EQ(found[lane].label, alone.label) << kind.name;
                EXPECT_EQ(found[lane].cells, alone.cells) << kind.name;
            }
        }
}

// Where only two regions are near, the borders of cells and bricks are planes and those of rings and shells smooth. The planes
// of slabs cross where they are tilted: two slabs then meet in an edge at the end of the one between them.
TEST(Pattern, GeneratedFacesHaveNoEdgesOfTheirOwnButSlabsThatCross) {
    for (const Kind& kind : allKinds())
        EXPECT_EQ(kind.pattern.hasSharpFaces, std::string(kind.name) == "slabs") << kind.name;
    EXPECT_FALSE(makePattern(definitionOf(SlabPattern{Real(0.25), {0, 0, 1}, 0, 0})).pattern.hasSharpFaces);
}

TEST(Pattern, WrongParametersAreNamed) {
    PatternDef definition;
    definition.kind = RadialPattern{2};
    EXPECT_NE(makePattern(definition).error.find("rays"), std::string::npos);
    definition.kind = WoodPattern{40, 8, {0, 0, 0}};
    EXPECT_NE(makePattern(definition).error.find("grain"), std::string::npos);
    definition.kind = SlabPattern{Real(NAN)};
    EXPECT_NE(makePattern(definition).error.find("thickness"), std::string::npos);
    definition.kind = BrickPattern{};
    definition.nodes = 4;
    EXPECT_NE(makePattern(definition).error.find("nodes"), std::string::npos);
    definition.nodes = 99;
    definition.kind = BrickPattern{{Real(0.02), Real(0.02), Real(0.02)}, 0};
    EXPECT_NE(makePattern(definition).error.find("65534"), std::string::npos);
}

}  // namespace
}  // namespace sunder::geometry
