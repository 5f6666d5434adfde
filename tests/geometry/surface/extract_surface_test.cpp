// Extracted surfaces: closed, manifold, sharp where the solid is, and where the solid's surface is.
#include "geometry/surface/extract_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "geometry/level_set/components.h"
#include "geometry/level_set/solid_distance.h"
#include "geometry/mass_properties.h"
#include "geometry/surface/surface_support.h"

namespace sunder::geometry {
namespace {

using testing::eulerCharacteristic;
using testing::expectClosedManifold;
using testing::pointTriangles;
using testing::randomField;

std::size_t connectedSurfaces(const SurfaceMesh& mesh) {
    std::vector<std::uint32_t> parent(mesh.pointCount);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t i) {
        while (parent[i] != i)
            i = parent[i] = parent[parent[i]];
        return i;
    };
    for (const auto& t : pointTriangles(mesh))
        for (int i = 1; i < 3; ++i)
            parent[root(t[i])] = root(t[0]);
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < mesh.pointCount; ++i)
        count += parent[i] == i;
    return count;
}

LevelSet16 levelSetOf(const Shape& shape, Real cell) {
    const FieldResult result = distanceOfShape(shape, Resolution{cell, {}, kDefaultMaxNodes});
    EXPECT_EQ(result.error, "");
    return quantize<std::int16_t>(result.field);
}

TEST(ExtractSurface, AnyFieldGivesAClosedManifold) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const LevelSet8 field = randomField(seed, {9, 8, 10}, 10 + 14 * std::uint32_t(seed % 6));
        const SurfaceMesh mesh = extractSurface(field);
        ASSERT_FALSE(mesh.triangles.empty());
        expectClosedManifold(mesh);
        if (HasFailure())
            return;
    }
}

// What the inside is connected by (6 neighbours) is what the surface bounds: without cavities, one surface per component.
TEST(ExtractSurface, SurfacesArePartsOfTheSolid) {
    for (std::uint64_t seed = 100; seed < 130; ++seed) {
        const LevelSet8 field = randomField(seed, {9, 9, 9}, 12);
        LevelSet8 outside = field;
        for (std::int8_t& value : outside.values)
            value = value < 0 ? std::int8_t(5) : std::int8_t(-5);
        ASSERT_EQ(solidComponents(outside, Connectivity::Corner).count(), 1u);  // no cavity at this density
        EXPECT_EQ(connectedSurfaces(extractSurface(field)), solidComponents(field, Connectivity::Face).count());
    }
}

TEST(ExtractSurface, HandlesAndHolesAreKept) {
    EXPECT_EQ(eulerCharacteristic(extractSurface(levelSetOf(Sphere{Real(0.5)}, Real(0.06)))), 2);
    const Grid grid = gridAround({{-1, -1, -1}, {1, 1, 1}}, {Real(0.07), {}, kDefaultMaxNodes}).grid;
    const LevelSet16 torus = quantize<std::int16_t>(distanceOfFunction(grid, [](const Vec3& p) {
        const Real ring = std::sqrt(p.x * p.x + p.z * p.z) - Real(0.6);
        return std::sqrt(ring * ring + p.y * p.y) - Real(0.25);
    }));
    const SurfaceMesh mesh = extractSurface(torus);
    expectClosedManifold(mesh);
    EXPECT_EQ(eulerCharacteristic(mesh), 0);
}

// In cells, of boxes at random offsets of the grid.
struct Sharpness {
    std::vector<Real> offSurface;          // sorted: how far vertices are from the box's surface
    Real meanCorner = 0, worstCorner = 0;  // how far the nearest vertex is from a corner
    double volumeError = 0;
};

template <class Stored>
Sharpness sharpnessOfBoxes(bool areTurned) {
    const Vec3 half{Real(0.5), Real(0.3), Real(0.4)};
    const Real cell = Real(0.06);
    sunder::testing::RandomPoints random(17);
    Sharpness result;
    constexpr int rounds = 8;
    for (int round = 0; round < rounds; ++round) {
        const Quat turn = areTurned ? random.rotation() : Quat{};
        GridResult grid = gridAround(expand({-half, half}, Real(0.45)), {cell, {}, kDefaultMaxNodes});
        grid.grid.origin += random.inBox(0.5 * double(cell));
        Compound compound;
        compound.children.push_back({Box{half}, {}, turn});
        const SurfaceMesh mesh = extractSurface(quantize<Stored>(distanceOfShape(compound, grid.grid).field));
        expectClosedManifold(mesh);
        for (const Vec3& p : mesh.positions) {
            const Vec3 d = abs(inverseRotate(turn, p)) - half;
            result.offSurface.push_back(std::fabs(length(max(d, Vec3{})) + min(max(d.x, max(d.y, d.z)), 0)) / cell);
        }
        for (int i = 0; i < 8; ++i) {
            const Vec3 signs{i & 1 ? Real(1) : Real(-1), i & 2 ? Real(1) : Real(-1), i & 4 ? Real(1) : Real(-1)};
            const Vec3 corner = rotate(turn, multiply(half, signs));
            Real nearest = kInfinity;
            for (const Vec3& p : mesh.positions)
                nearest = min(nearest, length(p - corner) / cell);
            result.meanCorner += nearest / (8 * rounds);
            result.worstCorner = max(result.worstCorner, nearest);
        }
        const double volume = meshMass(mesh.positions, mesh.triangles).volume;
        result.volumeError = std::max(result.volumeError, std::fabs(volume / boxMass(half).volume - 1));
    }
    std::sort(result.offSurface.begin(), result.offSurface.end());
    return result;
}

// Averaged and projected surfaces lose 0.7 cell at a corner; what is left here is the part of a corner that no node sees.
TEST(ExtractSurface, BoxesKeepTheirEdgesAndCorners) {
    for (const bool areTurned : {false, true})
        for (const Sharpness& found : {sharpnessOfBoxes<std::int8_t>(areTurned), sharpnessOfBoxes<std::int16_t>(areTurned)}) {
            EXPECT_LT(found.offSurface[found.offSurface.size() * 99 / 100], areTurned ? Real(0.15) : Real(0.1));
            EXPECT_LT(found.offSurface.back(), areTurned ? Real(0.6) : Real(0.2));
            EXPECT_LT(found.meanCorner, areTurned ? Real(0.25) : Real(0.12));
            EXPECT_LT(found.worstCorner, areTurned ? Real(1.3) : Real(0.25));
            EXPECT_LT(found.volumeError, 0.008);
        }
}

TEST(ExtractSurface, SphereIsRound) {
    const Real radius = Real(0.5), cell = Real(0.05);
    const SurfaceMesh mesh = extractSurface(levelSetOf(Sphere{radius}, cell));
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        // Interpolation flattens a sphere by up to 3 h^2 / (8 r), 0.04 cells.
        EXPECT_NEAR(length(mesh.positions[i]), radius, Real(0.04) * cell);
        EXPECT_GT(dot(mesh.normals[i], mesh.positions[i] / length(mesh.positions[i])), Real(0.998));
    }
    EXPECT_EQ(mesh.positions.size(), mesh.pointCount);  // nothing sharp about it
}

// A box's corner has three normals, its edge two, each that of a face.
TEST(ExtractSurface, NormalsBreakAtSharpEdges) {
    const Vec3 half{Real(0.5), Real(0.3), Real(0.4)};
    const SurfaceMesh mesh = extractSurface(levelSetOf(Box{half}, Real(0.053)));
    std::vector<int> copies(mesh.pointCount);
    for (const std::uint32_t point : mesh.points)
        ++copies[point];
    EXPECT_EQ(std::count(copies.begin(), copies.end(), 3), 8);
    EXPECT_GT(std::count(copies.begin(), copies.end(), 2), 4 * (1.0 + 0.6 + 0.8) / 0.053 * 0.9);
    EXPECT_EQ(std::count_if(copies.begin(), copies.end(), [](int n) { return n > 3; }), 0);
    for (const Vec3& normal : mesh.normals) {
        const Vec3 size = abs(normal);
        EXPECT_GT(max(size.x, max(size.y, size.z)), Real(0.995));  // 6 degrees
    }
}

TEST(ExtractSurface, SlotsFollowTheCrossings) {
    const LevelSet16 field = levelSetOf(Box{{Real(0.5), Real(0.3), Real(0.4)}}, Real(0.05));
    const SurfaceMesh mesh = extractSurface<std::int16_t>(field, [&](const SurfaceCrossing& crossing) {
        EXPECT_TRUE(field.isInside(crossing.insideNode));
        EXPECT_FALSE(field.isInside(crossing.outsideNode));
        return std::uint16_t(crossing.point.y > Real(0.29) ? 7 : 0);
    });
    double top = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto [a, b, c] = mesh.triangles[t];
        const Vec3 area = cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]) * Real(0.5);
        top += mesh.slots[t] == 7 ? double(area.y) : 0;
    }
    EXPECT_NEAR(top, 1.0 * 0.8, 0.01);  // the top face
}

TEST(ExtractSurface, NothingInsideGivesNothing) {
    LevelSet8 field{{{}, 1, {5, 5, 5}}, Real(1) / 32, std::vector<std::int8_t>(125, 20)};
    EXPECT_TRUE(extractSurface(field).triangles.empty());
}

}  // namespace
}  // namespace sunder::geometry
