// Sampling, cropping and storage of level sets.
#include "geometry/level_set/level_set.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/level_set/solid_distance.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

using testing::RandomPoints;

DistanceField fieldOf(const Shape& shape, Real cell) {
    FieldResult result = distanceOfShape(shape, Resolution{cell, {}, kDefaultMaxNodes});
    EXPECT_EQ(result.error, "");
    return std::move(result.field);
}

template <class Stored>
void expectLanesEqualScalar(const LevelSet<Stored>& field) {
    RandomPoints random(3);
    for (int round = 0; round < 2000; ++round) {
        PointBlock points;
        for (int i = 0; i < kSampleLanes; ++i) {
            // Some far outside, some on nodes and borders.
            const Vec3 p = round % 5 == 0
                               ? field.grid.position(int(random.below(9)), int(random.below(9)), int(random.below(9)))
                               : random.inBox(round % 3 == 0 ? 3 : 0.8);
            points.x[i] = p.x, points.y[i] = p.y, points.z[i] = p.z;
        }
        SampleBlock wide;
        sampleFour(field, points, wide);
        for (int i = 0; i < kSampleLanes; ++i) {
            const FieldSample one = sample(field, Vec3{points.x[i], points.y[i], points.z[i]});
            ASSERT_EQ(one.distance, wide.distance[i]);
            ASSERT_EQ(one.gradient, (Vec3{wide.gradientX[i], wide.gradientY[i], wide.gradientZ[i]}));
        }
    }
}

TEST(LevelSet, FourLanesHaveTheBitsOfOne) {
    const DistanceField field = fieldOf(Box{{Real(0.5), Real(0.3), Real(0.4)}}, Real(0.07));
    expectLanesEqualScalar(quantize<std::int8_t>(field));
    expectLanesEqualScalar(quantize<std::int16_t>(field));
}

// What rules out clusters of particles: never more than the distance, and less by at most the way to the nearest node, there
// and back. (Within a step of the stored values, and for points of the grid.)
TEST(LevelSet, BoundsHoldFromTheNearestNodes) {
    const LevelSet16 field = quantize<std::int16_t>(fieldOf(Sphere{Real(0.5)}, Real(0.07)));
    RandomPoints random(4);
    const Real diagonal = Real(1.7321) * field.grid.cell;
    for (int round = 0; round < 2000; ++round) {
        PointBlock points;
        for (int i = 0; i < kSampleLanes; ++i) {
            const Vec3 p = random.inBox(0.55);
            points.x[i] = p.x, points.y[i] = p.y, points.z[i] = p.z;
        }
        const Quad least = boundFour(field, points);
        for (int i = 0; i < kSampleLanes; ++i) {
            const Real distance = sample(field, Vec3{points.x[i], points.y[i], points.z[i]}).distance;
            ASSERT_LE(least[i], distance + Real(0.05) * field.grid.cell);
            ASSERT_GE(least[i], distance - diagonal - field.step);
        }
    }
}

// A plane's distance is linear, which interpolation reproduces: what is left is the rounding of the stored values.
TEST(LevelSet, PlaneIsReproduced) {
    const Grid grid{{-1, -1, -1}, Real(0.25), {9, 9, 9}};
    const Vec3 normal = normalizeOr(Vec3{Real(0.3), Real(-0.5), Real(0.8)}, {});
    const auto plane = [&](const Vec3& p) { return dot(normal, p) - Real(0.1); };
    const LevelSet16 field = quantize<std::int16_t>(distanceOfFunction(grid, plane));
    RandomPoints random(1);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 p = random.inBox(0.99);
        const FieldSample found = sample(field, p);
        EXPECT_NEAR(found.distance, plane(p), field.step / 2 * Real(1.01) + 4 * kEpsilon);
        // Two rounded values per difference, in units of steps per cell.
        EXPECT_LE(length(found.gradient - normal), 3 * field.step / grid.cell);
    }
}

// Beyond the grid the value bounds the true distance from below, however wrong its direction.
TEST(LevelSet, OutsideTheGridIsALowerBound) {
    const Real radius = Real(0.5);
    const LevelSet8 field = quantize<std::int8_t>(fieldOf(Sphere{radius}, Real(0.05)));
    RandomPoints random(2);
    int beyond = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vec3 p = random.inBox(3);
        if (std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}) < Real(0.6))
            continue;
        ++beyond;
        const Real truth = length(p) - radius;
        const FieldSample found = sample(field, p);
        EXPECT_LE(found.distance, truth + field.step);
        EXPECT_GT(found.distance, truth - Real(0.48));  // and is not useless: no point of the box is farther from the ball
        EXPECT_GT(dot(found.gradient, p), 0);
    }
    EXPECT_GT(beyond, 1000);
}

TEST(LevelSet, NotANumberStaysInTheGrid) {
    const LevelSet8 field = quantize<std::int8_t>(fieldOf(Sphere{1}, Real(0.2)));
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    sample(field, Vec3{nan, 0, nan});  // reads no memory outside: the sanitizer run checks
    const FieldSample far = sample(field, Vec3{Real(1e30), 0, 0});
    EXPECT_GT(far.distance, 0);
}

TEST(LevelSet, StoredValuesKeepTheirSign) {
    EXPECT_EQ(toStored<std::int8_t>(Real(-1e-9), 32), -1);
    EXPECT_EQ(toStored<std::int8_t>(0, 32), 0);
    EXPECT_EQ(toStored<std::int8_t>(Real(1e-9), 32), 0);
    EXPECT_EQ(toStored<std::int8_t>(100, 32), 127);
    EXPECT_EQ(toStored<std::int8_t>(-100, 32), -127);
    EXPECT_EQ(toStored<std::int16_t>(Real(0.5), 256), 128);
}

TEST(LevelSet, CropKeepsValuesAndPositions) {
    const LevelSet8 field = quantize<std::int8_t>(fieldOf(Capsule{Real(0.2), Real(0.3)}, Real(0.04)));
    const GridRange range = insideRange(field, 1);
    const LevelSet8 part = crop(field, range);
    EXPECT_LE(part.memory(), field.memory());
    RandomPoints random(4);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 p = multiply(random.inBox(1), Vec3{Real(0.19), Real(0.49), Real(0.19)});
        EXPECT_NEAR(sample(field, p).distance, sample(part, p).distance, 64 * kEpsilon);
    }
    const LevelSet8 beyond = crop(field, {{-3, -3, -3}, {2, 2, 2}});
    EXPECT_EQ(beyond.values[beyond.grid.index(0, 5, 5)], 127);
    EXPECT_EQ(beyond.values[beyond.grid.index(3, 3, 3)], field.values[0]);
}

TEST(LevelSet, InsideRangeIsTight) {
    LevelSet8 field{{{}, 1, {70, 5, 6}}, Real(1) / 32, std::vector<std::int8_t>(70 * 5 * 6, 9)};
    EXPECT_TRUE(insideRange(field, 1).isEmpty());
    field.values[field.grid.index(66, 2, 3)] = -1;
    field.values[field.grid.index(65, 4, 1)] = -1;
    const GridRange range = insideRange(field, 2);
    EXPECT_EQ(range.low, (Int3{63, 0, -1}));
    EXPECT_EQ(range.high, (Int3{68, 6, 5}));
}

TEST(LevelSet, BorderIsAddedOnlyWhereItIsMissing) {
    LevelSet8 field{{{}, 1, {4, 4, 4}}, Real(1) / 32, std::vector<std::int8_t>(64, 9)};
    field.values[field.grid.index(1, 1, 1)] = -5;
    EXPECT_EQ(withBorder(field).grid.nodes, (Int3{4, 4, 4}));
    for (const Int3 at : {Int3{0, 1, 2}, Int3{2, 3, 1}, Int3{1, 1, 3}, Int3{3, 2, 2}}) {
        LevelSet8 touching = field;
        touching.values[touching.grid.index(at.x, at.y, at.z)] = -5;
        const LevelSet8 wide = withBorder(touching);
        EXPECT_EQ(wide.grid.nodes, (Int3{6, 6, 6}));
        EXPECT_EQ(wide.values[wide.grid.index(at.x + 1, at.y + 1, at.z + 1)], -5);
    }
}

// Half the nodes, the same solid: distances agree to what interpolation over the larger cells costs near the surface.
TEST(LevelSet, DecimatedFieldIsTheSameSolid) {
    const LevelSet16 fine = quantize<std::int16_t>(fieldOf(Sphere{Real(0.5)}, Real(0.03)));
    const LevelSet16 coarse = decimated(fine, 2);
    EXPECT_LT(coarse.values.size() * 6, fine.values.size());
    RandomPoints random(6);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 p = normalizeOr(random.inBox(1), {1, 0, 0}) * random.between(0.4, 0.55);
        // Interpolation error of a distance with curvature 1 / r: 3 h^2 / (8 r).
        EXPECT_NEAR(sample(coarse, p).distance, length(p) - Real(0.5),
                    Real(3.0 / 8) * square(coarse.grid.cell) / Real(0.4) + coarse.step);
    }
}

TEST(Grid, CountsAreNotExceededAndTheMarginIsFree) {
    RandomPoints random(8);
    for (int i = 0; i < 200; ++i) {
        const Vec3 half{random.between(0.1, 3), random.between(0.1, 3), random.between(0.1, 3)}, middle = random.inBox(5);
        const Int3 most{10 + int(random.below(90)), 10 + int(random.below(90)), 10 + int(random.below(90))};
        const Bounds solid{middle - half, middle + half};
        const GridResult result = gridAround(solid, {0, most, kDefaultMaxNodes});
        ASSERT_EQ(result.error, "");
        EXPECT_LE(result.grid.nodes.x, most.x);
        EXPECT_LE(result.grid.nodes.y, most.y);
        EXPECT_LE(result.grid.nodes.z, most.z);
        EXPECT_TRUE(contains(expand(result.grid.bounds(), -Real(0.999) * result.grid.cell), solid));
    }
}

TEST(Grid, BadResolutionIsRefused) {
    const Bounds unit{{}, {1, 1, 1}};
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_NE(gridAround(unit, {-1, {}, 1000}).error.find("cell size"), std::string::npos);
    EXPECT_NE(gridAround(unit, {nan, {}, 1000}).error.find("cell size"), std::string::npos);
    EXPECT_NE(gridAround(unit, {0, {3, 50, 50}, 100000}).error.find("at least 4 nodes"), std::string::npos);
    EXPECT_NE(gridAround(unit, {Real(0.001), {}, 100000}).error.find("at most 100000"), std::string::npos);
    EXPECT_NE(gridAround({{}, {1, 0, 1}}, {Real(0.1), {}, 100000}).error.find("flat"), std::string::npos);
    EXPECT_NE(gridAround({{}, {kInfinity, 1, 1}}, {Real(0.1), {}, 100000}).error.find("finite"), std::string::npos);
    EXPECT_NE(gridAround({{Real(1e12), 0, 0}, {Real(1e12) + Real(1e6), 1, 1}}, {Real(1e-5), {}, ~std::size_t(0)}).error, "");
}

}  // namespace
}  // namespace sunder::geometry
