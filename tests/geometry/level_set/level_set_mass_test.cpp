// Mass properties of level sets: closed forms, order of convergence, and that parts add up to the whole.
#include "geometry/level_set/level_set_mass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/level_set/solid_distance.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

struct Errors {
    double volume, inertia;
};

double relative(double found, double expected) { return std::fabs(found / expected - 1); }

Errors errorsOf(const DistanceField& field, const MassProperties& truth) {
    const MassProperties found = massOfFractions(field.grid, solidFractions(field));
    Errors errors{relative(found.volume, truth.volume), 0};
    for (int i = 0; i < 3; ++i)
        errors.inertia = std::max(errors.inertia, relative(found.inertia[i], truth.inertia[i]));
    return errors;
}

// Mean over offsets of the grid, because a face that happens to lie on nodes is exact.
template <class Distance>
Errors meanErrors(const Distance& distance, const Vec3& reach, double cell, const MassProperties& truth) {
    testing::RandomPoints random(11);
    Errors mean{0, 0};
    constexpr int count = 6;
    for (int i = 0; i < count; ++i) {
        GridResult grid = gridAround({-reach, reach}, {Real(cell), {}, kDefaultMaxNodes});
        grid.grid.origin += random.inBox(0.49 * cell);
        const Errors errors = errorsOf(distanceOfFunction(grid.grid, distance), truth);
        mean.volume += errors.volume / count;
        mean.inertia += errors.inertia / count;
    }
    return mean;
}

template <class Distance>
void expectSecondOrder(const char* name, const Distance& distance, const Vec3& reach, double cell, const MassProperties& truth,
                       double worstFine) {
    const Errors coarse = meanErrors(distance, reach, cell, truth), fine = meanErrors(distance, reach, cell / 3, truth);
    // Order 1.6 at least: 2 in theory, and the mean of six offsets scatters.
    EXPECT_LT(fine.volume, coarse.volume / std::pow(3, 1.6)) << name;
    EXPECT_LT(fine.inertia, coarse.inertia / std::pow(3, 1.6)) << name;
    EXPECT_LT(fine.volume, worstFine) << name;
    EXPECT_LT(fine.inertia, 2 * worstFine) << name;
}

MassProperties torusMass(double major, double minor) {
    const double pi = 3.14159265358979323846, volume = 2 * pi * pi * major * minor * minor;
    const double axis = volume * (major * major + 0.75 * minor * minor);
    const double across = volume * (0.5 * major * major + 0.625 * minor * minor);
    return {volume, {}, {across, axis, across, 0, 0, 0}};
}

TEST(LevelSetMass, ConvergesInSecondOrder) {
    const Vec3 half{Real(0.5), Real(0.35), Real(0.42)};
    expectSecondOrder(
        "sphere", [](const Vec3& p) { return length(p) - Real(0.5); }, {Real(0.5), Real(0.5), Real(0.5)}, 0.09, sphereMass(0.5),
        1e-4);
    expectSecondOrder(
        "box",
        [&](const Vec3& p) {
            const Vec3 d = abs(p) - half;
            return length(max(d, Vec3{})) + min(max(d.x, max(d.y, d.z)), 0);
        },
        half, 0.09, boxMass(half), 1e-3);
    expectSecondOrder(
        "torus",
        [](const Vec3& p) {
            const Real ring = std::sqrt(p.x * p.x + p.z * p.z) - Real(0.5);
            return std::sqrt(ring * ring + p.y * p.y) - Real(0.2);
        },
        {Real(0.7), Real(0.2), Real(0.7)}, 0.06, torusMass(0.5, 0.2), 2e-4);
}

TEST(LevelSetMass, StoredValuesCostLittle) {
    const FieldResult result = distanceOfShape(Sphere{Real(0.5)}, Resolution{0, {55, 55, 55}, kDefaultMaxNodes});
    const double truth = sphereMass(0.5).volume;
    const auto volume = [&](const auto& field) { return massOfFractions(field.grid, solidFractions(field)).volume; };
    EXPECT_LT(relative(volume(result.field), truth), 1e-5);
    // Rounding by up to half a step, at random over some thousand surface nodes: less than a tenth of a step all over,
    // which would be 3 / 26 cells of radius times step / 10.
    EXPECT_LT(relative(volume(quantize<std::int16_t>(result.field)), truth), 3.0 / 26 / 256 / 10 + 1e-5);
    EXPECT_LT(relative(volume(quantize<std::int8_t>(result.field)), truth), 3.0 / 26 / 32 / 10 + 1e-5);
}

TEST(LevelSetMass, HalfSpacesCutCubesExactly) {
    // The fraction of a node's cube below a tilted plane, against a count of 60^3 points.
    testing::RandomPoints random(5);
    for (int i = 0; i < 60; ++i) {
        Vec3 normal = normalizeOr(random.inBox(1), {1, 0, 0});
        if (i % 3 == 1)
            normal = normalizeOr(Vec3{normal.x, 0, normal.z}, {1, 0, 0});
        if (i % 3 == 2)
            normal = {0, normal.y > 0 ? Real(1) : Real(-1), 0};
        const Real offset = random.between(-0.7, 0.7);
        const auto plane = [&](const Vec3& p) { return dot(normal, p) + offset; };
        const std::vector<float> fractions = solidFractions(distanceOfFunction({{-1, -1, -1}, 1, {3, 3, 3}}, plane));
        const int n = 60;
        int below = 0;
        for (int k = 0; k < n * n * n; ++k) {
            const auto at = [&](int j) { return (Real(j) + Real(0.5)) / n - Real(0.5); };
            below += plane({at(k % n), at(k / n % n), at(k / n / n)}) < 0;
        }
        EXPECT_NEAR(fractions[13], double(below) / (n * n * n), 0.012);  // one layer of points: 1 / 60 at most
    }
}

TEST(LevelSetMass, PartsAddUpToTheWhole) {
    const FieldResult result = distanceOfShape(Cylinder{Real(0.4), Real(0.5)}, Resolution{Real(0.04), {}, kDefaultMaxNodes});
    const LevelSet8 field = quantize<std::int8_t>(result.field);
    const Grid& grid = field.grid;
    const std::vector<float> fractions = solidFractions(field);
    const MassProperties whole = massOfFractions(grid, fractions);
    std::vector<std::uint16_t> labels(grid.nodeCount());
    testing::RandomPoints random(9);
    constexpr std::size_t count = 7;
    std::vector<Vec3> seeds;
    for (std::size_t i = 0; i < count; ++i)
        seeds.push_back(random.inBox(0.4));
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x; ++x) {
                if (!field.isInside(grid.index(x, y, z)))
                    continue;
                std::size_t best = 0;
                for (std::size_t i = 1; i < count; ++i)
                    if (lengthSquared(grid.position(x, y, z) - seeds[i]) < lengthSquared(grid.position(x, y, z) - seeds[best]))
                        best = i;
                labels[grid.index(x, y, z)] = std::uint16_t(best + 1);
            }
    EXPECT_EQ(labelBorder(grid, fractions, labels), 0u);
    const std::vector<MassProperties> parts = massOfLabels(grid, fractions, labels, count);
    const MassProperties sum = combined(parts);
    EXPECT_NEAR(sum.volume, whole.volume, 1e-12 * whole.volume);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(sum.center[i], whole.center[i], 1e-12);
    for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(sum.inertia[i], whole.inertia[i], 1e-12 * whole.inertia[0]);
}

// One solid node is a cube of one cell, with a cube's inertia (the term that keeps small pieces from being singular).
TEST(LevelSetMass, OneNodeIsACube) {
    const Grid grid{{1, 2, 3}, Real(0.5), {3, 3, 3}};
    std::vector<float> fractions(27);
    fractions[grid.index(1, 1, 1)] = 1;
    const MassProperties found = massOfFractions(grid, fractions);
    EXPECT_DOUBLE_EQ(found.volume, 0.125);
    EXPECT_DOUBLE_EQ(found.center[0], 1.5);
    EXPECT_NEAR(found.inertia[0], 0.125 * 0.25 / 6, 1e-15);
    EXPECT_NEAR(found.inertia[3], 0, 1e-15);
}

}  // namespace
}  // namespace sunder::geometry
