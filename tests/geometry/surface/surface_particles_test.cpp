// Surface particles: on the surface, on edges and corners, in clusters, thinned without losing the extremes.
#include "geometry/surface/surface_particles.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/level_set/solid_distance.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

LevelSet8 levelSetOf(const Shape& shape, Real cell) {
    const FieldResult result = distanceOfShape(shape, Resolution{cell, {}, kDefaultMaxNodes});
    EXPECT_EQ(result.error, "");
    return quantize<std::int8_t>(result.field);
}

void expectClustersCover(const SurfaceParticles& particles) {
    std::uint32_t next = 0;
    for (const SurfaceParticles::Cluster& cluster : particles.clusters) {
        ASSERT_EQ(cluster.first, next);
        ASSERT_GT(cluster.count, 0u);
        ASSERT_LE(cluster.count, std::uint32_t(SurfaceParticles::kClusterSize));
        next += cluster.count;
        for (std::uint32_t i = cluster.first; i < next; ++i)
            EXPECT_LE(length(particles.positions[i] - cluster.center), cluster.radius);
    }
    EXPECT_EQ(next, particles.size());
}

TEST(SurfaceParticles, BoxHasItsCornersAndEdges) {
    const Vec3 half{Real(0.5), Real(0.1), Real(0.4)};
    const LevelSet8 field = levelSetOf(Box{half}, Real(0.037));
    const SurfaceParticles particles = makeParticles(field.grid, surfaceVertices(field));
    expectClustersCover(particles);
    EXPECT_TRUE(std::is_sorted(particles.cells.begin(), particles.cells.end()));
    EXPECT_EQ(std::count(particles.features.begin(), particles.features.end(), SurfaceFeature::Corner), 8);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Vec3 p = particles.positions[i], d = abs(p) - half;
        // Stored to 1/64 cell per node, and a corner is where three such planes meet.
        EXPECT_LT(std::fabs(max(d.x, max(d.y, d.z))), Real(0.08) * field.grid.cell);
        if (particles.features[i] == SurfaceFeature::Corner) {
            EXPECT_LT(length(d), Real(0.15) * field.grid.cell);
        }
    }
    // About one particle per cell of surface.
    const Real cells = 8 * (half.x * half.y + half.y * half.z + half.z * half.x) / square(field.grid.cell);
    EXPECT_NEAR(Real(particles.size()), cells, Real(0.15) * cells);
}

TEST(SurfaceParticles, ClustersAreCompact) {
    const LevelSet8 field = levelSetOf(Sphere{Real(0.5)}, Real(0.02));
    const SurfaceParticles particles = makeParticles(field.grid, surfaceVertices(field));
    expectClustersCover(particles);
    double mean = 0;
    for (const SurfaceParticles::Cluster& cluster : particles.clusters)
        mean += double(cluster.radius) / double(particles.clusters.size());
    // Sixteen cells of surface make a square of 4: radius 2.1. Along a row they would make one of 7.5.
    EXPECT_LT(mean, 4 * double(field.grid.cell));
}

TEST(SurfaceParticles, ThinningKeepsCornersAndExtremes) {
    const Vec3 half{Real(0.5), Real(0.3), Real(0.4)};
    const LevelSet8 field = levelSetOf(Box{half}, Real(0.03));
    const SurfaceParticles full = makeParticles(field.grid, surfaceVertices(field));
    for (int level = 1; level <= 3; ++level) {
        const SurfaceParticles few = thinned(full, level, {});
        expectClustersCover(few);
        // One per block of 2^level cells; blocks that the surface only grazes count too.
        EXPECT_LT(few.size(), full.size() >> level);
        EXPECT_GT(few.size(), full.size() >> (2 * level + 1));
        for (int i = 0; i < 8; ++i) {
            const Vec3 signs{i & 1 ? Real(1) : Real(-1), i & 2 ? Real(1) : Real(-1), i & 4 ? Real(1) : Real(-1)};
            const bool isKept = std::any_of(few.positions.begin(), few.positions.end(), [&](const Vec3& p) {
                return length(p - multiply(half, signs)) < Real(0.15) * field.grid.cell;
            });
            EXPECT_TRUE(isKept) << level << " " << i;
        }
        std::vector<std::uint32_t> blocks;
        for (const std::uint32_t cell : few.cells)
            blocks.push_back(cell >> (3 * level));
        EXPECT_EQ(std::adjacent_find(blocks.begin(), blocks.end()), blocks.end());
    }
    EXPECT_LE(thinned(full, 10, {}).size(), 1u);
}

// A box meets others with its edges: they keep a particle in every block of 2^3 cells that they pass, faces one in 4^3.
TEST(SurfaceParticles, ThinningMayKeepMoreOfEdges) {
    const LevelSet8 field = levelSetOf(Box{{Real(0.5), Real(0.3), Real(0.4)}}, Real(0.03));
    const SurfaceParticles full = makeParticles(field.grid, surfaceVertices(field));
    const SurfaceParticles few = onlyThese(full, chooseFew(full, {2, 1}, {}));
    expectClustersCover(few);
    EXPECT_LT(few.size(), full.size() / 4);
    for (std::size_t i = 0; i < full.size(); ++i) {
        if (full.features[i] == SurfaceFeature::Smooth)
            continue;
        const bool isKept = std::any_of(few.cells.begin(), few.cells.end(),
                                        [&](std::uint32_t cell) { return cell >> 3 == full.cells[i] >> 3; });
        EXPECT_TRUE(isKept) << i;
    }
}

// Level by level, each from what the one before has left, chooses the same as from all particles.
TEST(SurfaceParticles, ThinningLevelByLevelChoosesTheSame) {
    for (const bool isBox : {true, false}) {
        const LevelSet8 field =
            isBox ? levelSetOf(Box{{Real(0.5), Real(0.3), Real(0.4)}}, Real(0.03)) : levelSetOf(Sphere{Real(0.45)}, Real(0.03));
        const SurfaceParticles full = makeParticles(field.grid, surfaceVertices(field));
        const Vec3 center{Real(0.1), Real(0.05), 0};
        std::vector<std::uint8_t> isKept(full.size());
        for (std::size_t i = 0; i < full.size(); i += 37)
            isKept[i] = 1;
        std::vector<std::uint32_t> few = chooseFew(full, {1, 0}, center, isKept);
        for (int level = 2; level < 6; ++level) {
            few = chooseFewer(full, few, {level, level - 1}, center, isKept);
            EXPECT_EQ(few, chooseFew(full, {level, level - 1}, center, isKept)) << level;
        }
        EXPECT_LT(few.size(), full.size() / 20);
        EXPECT_TRUE(std::is_sorted(few.begin(), few.end()));
    }
}

// In every direction the extremes reach as far as all particles do, but for the tolerance; a box needs little more than its
// corners, and whatever is marked outlives thinning.
TEST(SurfaceParticles, ExtremesReachAsFarAsAll) {
    for (const bool isBox : {true, false}) {
        const LevelSet8 field =
            isBox ? levelSetOf(Box{{Real(0.5), Real(0.3), Real(0.4)}}, Real(0.03)) : levelSetOf(Sphere{Real(0.45)}, Real(0.03));
        const SurfaceParticles full = makeParticles(field.grid, surfaceVertices(field));
        const Real tolerance = Real(0.2) * field.grid.cell;
        const std::vector<std::uint8_t> isExtreme = markExtremes(full, tolerance);
        const auto count = std::count(isExtreme.begin(), isExtreme.end(), std::uint8_t(1));
        EXPECT_GE(count, 8);
        EXPECT_LT(count, isBox ? 40 : std::ptrdiff_t(full.size() / 4));
        const SurfaceParticles few = onlyThese(full, chooseFew(full, {3, 3}, {}, isExtreme));
        EXPECT_LT(few.size(), full.size() / 3);
        sunder::testing::RandomPoints random(5);
        for (int i = 0; i < 500; ++i) {
            const Vec3 direction = normalizeOr(random.inBox(1), {0, 1, 0});
            const auto reach = [&](const std::vector<Vec3>& points) {
                Real most = -kInfinity;
                for (const Vec3& point : points)
                    most = max(most, dot(direction, point));
                return most;
            };
            // A few points may be dropped before the last facet near them is known: another half of the tolerance.
            EXPECT_GT(reach(few.positions), reach(full.positions) - Real(1.5) * tolerance);
        }
    }
}

TEST(SurfaceParticles, GivenPointsAreSortedToo) {
    sunder::testing::RandomPoints random(3);
    const Grid grid{{-1, -1, -1}, Real(0.1), {21, 21, 21}};
    std::vector<Vec3> points, normals;
    for (int i = 0; i < 500; ++i) {
        points.push_back(random.inBox(1.2));  // some outside
        normals.push_back(normalizeOr(points.back(), {1, 0, 0}));
    }
    const SurfaceParticles particles = particlesAt(grid, points, normals);
    expectClustersCover(particles);
    EXPECT_EQ(particles.size(), points.size());
    EXPECT_TRUE(std::is_sorted(particles.cells.begin(), particles.cells.end()));
    EXPECT_EQ(makeParticles(grid, {}).size(), 0u);
}

}  // namespace
}  // namespace sunder::geometry
