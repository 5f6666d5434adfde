// Level sets of meshes: clean ones against exact distances, broken ones repaired and reported, hopeless ones refused.
#include "geometry/level_set/mesh_level_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "geometry/level_set/level_set_mass.h"
#include "geometry/level_set/solid_distance.h"
#include "geometry/level_set/winding_number.h"
#include "geometry/polyhedron.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

struct Solid {
    std::vector<Vec3> vertices;
    std::vector<TriangleIndices> triangles;

    void add(const Solid& other, const Vec3& offset = {}, bool isInverted = false) {
        const std::uint32_t first = std::uint32_t(vertices.size());
        for (const Vec3& p : other.vertices)
            vertices.push_back(p + offset);
        for (TriangleIndices t : other.triangles) {
            if (isInverted)
                std::swap(t[1], t[2]);
            triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        }
    }
};

Solid boxSolid(const Vec3& half) {
    const Polyhedron box = boxPolyhedron(half);
    return {box.vertices, triangulate(box)};
}

// A ball of 2 n^2 or so triangles, by latitude and longitude.
Solid ballSolid(Real radius, int n) {
    Solid solid;
    solid.vertices = {{0, radius, 0}, {0, -radius, 0}};
    for (int i = 1; i < n; ++i)
        for (int j = 0; j < 2 * n; ++j) {
            const double latitude = 3.141592653589793 * i / n, longitude = 3.141592653589793 * j / n;
            solid.vertices.push_back(Vec3{Real(std::sin(latitude) * std::cos(longitude)), Real(std::cos(latitude)),
                                          Real(std::sin(latitude) * std::sin(longitude))} *
                                     radius);
        }
    const auto at = [&](int i, int j) { return std::uint32_t(2 + (i - 1) * 2 * n + j % (2 * n)); };
    for (int j = 0; j < 2 * n; ++j) {
        solid.triangles.push_back({0, at(1, j + 1), at(1, j)});
        solid.triangles.push_back({1, at(n - 1, j), at(n - 1, j + 1)});
        for (int i = 1; i + 1 < n; ++i) {
            solid.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            solid.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    }
    return solid;
}

Solid bunny() {
    Solid solid;
    std::ifstream file(SUNDER_TEST_SOURCE_DIR "/assets/bunny.obj");
    std::string line, kind;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        words >> kind;
        double x, y, z;
        if ((kind == "v" || kind == "f") && words >> x >> y >> z) {
            if (kind == "v")
                solid.vertices.push_back({Real(x), Real(y), Real(z)});
            else
                solid.triangles.push_back({std::uint32_t(x) - 1, std::uint32_t(y) - 1, std::uint32_t(z) - 1});
        }
    }
    return solid;
}

MeshFieldResult build(const Solid& solid, const Resolution& resolution) {
    return distanceOfMesh(solid.vertices, solid.triangles, resolution);
}
Resolution cellOf(double cell) { return {Real(cell), {}, kDefaultMaxNodes}; }

double volumeOf(const DistanceField& field) { return massOfFractions(field.grid, solidFractions(field)).volume; }

// But for rounding: the corners of a turned triangle come in another order.
void expectSame(const DistanceField& a, const DistanceField& b) {
    ASSERT_EQ(a.grid, b.grid);
    for (std::size_t node = 0; node < a.values.size(); ++node)
        EXPECT_NEAR(a.values[node], b.values[node], Real(1e-6));
}

const Vec3 kHalf{Real(0.5), Real(0.3), Real(0.4)};

TEST(MeshLevelSet, BoxHasTheDistancesOfABox) {
    const MeshFieldResult result = build(boxSolid(kHalf), cellOf(0.05));
    ASSERT_EQ(result.error, "");
    EXPECT_TRUE(result.report.isClean()) << result.report.text();
    const FieldResult truth = distanceOfShape(Box{kHalf}, result.field.grid);
    const Real cell = result.field.grid.cell;
    for (std::size_t node = 0; node < truth.field.values.size(); ++node) {
        const Real expected = truth.field.values[node], found = result.field.values[node];
        const bool isInBand = std::fabs(expected) < Real(3.99) * cell;  // exact there, first order beyond
        EXPECT_NEAR(found, expected, isInBand ? Real(1e-6) : Real(0.5) * cell) << node;
    }
}

TEST(MeshLevelSet, BunnyHasItsVolume) {
    const Solid solid = bunny();
    ASSERT_EQ(solid.triangles.size(), 3674u);
    const MeshFieldResult result = build(solid, {0, {70, 60, 45}, kDefaultMaxNodes});
    ASSERT_EQ(result.error, "");
    EXPECT_TRUE(result.report.isClean()) << result.report.text();
    const MassProperties truth = meshMass(solid.vertices, solid.triangles);
    const MassProperties found = massOfFractions(result.field.grid, solidFractions(result.field));
    EXPECT_NEAR(found.volume / truth.volume, 1, 5e-3);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(found.center[i], truth.center[i], 0.02 * double(result.field.grid.cell));
        EXPECT_NEAR(found.inertia[i] / truth.inertia[i], 1, 0.01);
    }
}

// The winding number's tree against the sum over all triangles, which is what a tree of one leaf computes.
TEST(MeshLevelSet, WindingNumbersOfTreesAreTheSum) {
    const Solid solid = ballSolid(1, 18);
    std::vector<Vec3d> vertices;
    for (const Vec3& p : solid.vertices)
        vertices.push_back(toDouble(p));
    std::vector<TriangleIndices> open = solid.triangles;
    open.resize(open.size() * 3 / 4);  // a quarter of the ball is missing
    for (const auto& triangles : {solid.triangles, open}) {
        const WindingNumber tree(vertices, triangles);
        sunder::testing::RandomPoints random(2);
        for (int i = 0; i < 300; ++i) {
            const Vec3d p = toDouble(random.inBox(2));
            double sum = 0;
            for (const TriangleIndices& t : triangles) {
                const TriangleIndices one[] = {t};
                sum += WindingNumber(vertices, one).at(p);
            }
            EXPECT_NEAR(tree.at(p), sum, 0.02);
            if (triangles.size() == solid.triangles.size() && std::fabs(length(p) - 1) > 0.02) {
                EXPECT_EQ(tree.isInside(p), length(p) < 1);
            }
        }
    }
}

TEST(MeshLevelSet, InvertedMeshIsTurned) {
    Solid solid;
    solid.add(boxSolid(kHalf), {}, true);
    const MeshFieldResult result = build(solid, cellOf(0.05));
    ASSERT_EQ(result.error, "");
    EXPECT_TRUE(result.report.inverted);
    EXPECT_FALSE(result.report.text().empty());
    expectSame(result.field, build(boxSolid(kHalf), cellOf(0.05)).field);
}

TEST(MeshLevelSet, FlippedTrianglesAreTurned) {
    Solid solid = ballSolid(Real(0.5), 12);
    for (const std::size_t t : {3u, 50u, 51u, 200u})
        std::swap(solid.triangles[t][0], solid.triangles[t][1]);
    const MeshFieldResult result = build(solid, cellOf(0.06));
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.report.flipped, 4u);
    expectSame(result.field, build(ballSolid(Real(0.5), 12), cellOf(0.06)).field);
}

TEST(MeshLevelSet, SoupOfTrianglesIsWelded) {
    const Solid box = boxSolid(kHalf);
    Solid soup;
    for (const TriangleIndices& t : box.triangles) {
        const std::uint32_t first = std::uint32_t(soup.vertices.size());
        for (const std::uint32_t vertex : t)
            soup.vertices.push_back(box.vertices[vertex]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    soup.triangles.push_back(soup.triangles[2]);  // twice the same
    soup.triangles.push_back({0, 0, 1});          // no area
    soup.triangles.push_back({0, 1, 99});         // no such vertex
    const MeshFieldResult result = build(soup, cellOf(0.05));
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.report.welded, 36u - 8u);
    EXPECT_EQ(result.report.duplicate, 1u);
    EXPECT_EQ(result.report.degenerate, 2u);
    EXPECT_EQ(result.report.openEdges, 0u);
    expectSame(result.field, build(box, cellOf(0.05)).field);
}

// Small holes are closed by a surface across them; the solid keeps its volume.
TEST(MeshLevelSet, HolesAreClosed) {
    Solid solid = ballSolid(Real(0.5), 16);
    const std::size_t whole = solid.triangles.size();
    const double truth = meshMass(solid.vertices, solid.triangles).volume;
    solid.triangles.erase(solid.triangles.begin() + 200, solid.triangles.begin() + 206);
    solid.triangles.erase(solid.triangles.begin() + 20);
    ASSERT_EQ(solid.triangles.size(), whole - 7);
    const MeshFieldResult result = build(solid, cellOf(0.04));
    ASSERT_EQ(result.error, "");
    EXPECT_GT(result.report.openEdges, 5u);
    EXPECT_GT(result.report.cappedNodes, 0u);
    EXPECT_NEAR(volumeOf(result.field) / truth, 1, 0.01);
    // No jump is left: neighbouring nodes of a distance field differ by at most a cell (and what two roundings add).
    const Grid& grid = result.field.grid;
    Real steepest = 0;
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x + 1 < grid.nodes.x; ++x)
                steepest = max(steepest, std::fabs(result.field.values[grid.index(x + 1, y, z)] -
                                                   result.field.values[grid.index(x, y, z)]));
    EXPECT_LT(steepest, Real(1.3) * grid.cell);
}

// One face of six is missing: the solid is what the winding number makes of it, and there is one.
TEST(MeshLevelSet, OpenBoxSurvives) {
    Solid solid = boxSolid(kHalf);
    solid.triangles.resize(10);
    const MeshFieldResult result = build(solid, cellOf(0.05));
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.report.openEdges, 4u);
    const double volume = volumeOf(result.field), truth = boxMass(kHalf).volume;
    EXPECT_GT(volume, 0.7 * truth);
    EXPECT_LT(volume, 1.1 * truth);
}

// Two boxes that cross are their union, inside too: the walls buried in it leave no trace.
TEST(MeshLevelSet, CrossingPartsAreUnited) {
    Solid solid;
    solid.add(boxSolid(kHalf), {Real(-0.31), 0, 0});
    solid.add(boxSolid(kHalf), {Real(0.33), Real(0.02), Real(0.015)});
    const MeshFieldResult result = build(solid, cellOf(0.05));
    ASSERT_EQ(result.error, "");
    EXPECT_GT(result.report.selfIntersections, 0u);
    Compound compound;
    compound.children.push_back({Box{kHalf}, {Real(-0.31), 0, 0}, {}});
    compound.children.push_back({Box{kHalf}, {Real(0.33), Real(0.02), Real(0.015)}, {}});
    const FieldResult truth = distanceOfShape(compound, result.field.grid);
    for (std::size_t node = 0; node < truth.field.values.size(); ++node) {
        EXPECT_EQ(result.field.values[node] < 0, truth.field.values[node] < 0);
        EXPECT_NEAR(result.field.values[node], truth.field.values[node], result.field.grid.cell);
    }
}

TEST(MeshLevelSet, CavitiesStayAndStrayPartsAreTurned) {
    Solid hollow = ballSolid(Real(0.5), 16);
    hollow.add(ballSolid(Real(0.3), 16), {}, true);
    const MeshFieldResult cavity = build(hollow, cellOf(0.04));
    ASSERT_EQ(cavity.error, "");
    EXPECT_EQ(cavity.report.flipped, 0u);
    const double ball = meshMass(ballSolid(1, 16).vertices, ballSolid(1, 16).triangles).volume;
    EXPECT_NEAR(volumeOf(cavity.field) / (ball * (0.125 - 0.027)), 1, 0.01);

    Solid two = ballSolid(Real(0.5), 16);
    two.add(ballSolid(Real(0.3), 16), {Real(1.5), 0, 0}, true);
    const MeshFieldResult stray = build(two, cellOf(0.04));
    ASSERT_EQ(stray.error, "");
    EXPECT_EQ(stray.report.flipped, ballSolid(1, 16).triangles.size());
    EXPECT_NEAR(volumeOf(stray.field) / (ball * (0.125 + 0.027)), 1, 0.01);
}

TEST(MeshLevelSet, HopelessMeshesAreRefusedInWords) {
    const auto error = [](const Solid& solid, const Resolution& resolution) { return build(solid, resolution).error; };
    EXPECT_NE(error({}, cellOf(0.1)).find("0 vertices"), std::string::npos);
    Solid box = boxSolid(kHalf);
    EXPECT_NE(error({box.vertices, {}}, cellOf(0.1)).find("0 triangles"), std::string::npos);
    EXPECT_NE(error({box.vertices, {{0, 1, 77}, {5, 5, 5}, {900, 1, 2}, {1, 2, 1}}}, cellOf(0.1)).find("usable"),
              std::string::npos);
    Solid broken = box;
    broken.vertices[3].y = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_NE(error(broken, cellOf(0.1)).find("vertex 3 is not finite"), std::string::npos);
    Solid flat = box;
    for (Vec3& p : flat.vertices)
        p.y = 0;
    EXPECT_NE(error(flat, cellOf(0.1)), "");
    EXPECT_NE(error(box, cellOf(1e-5)).find("at most"), std::string::npos);  // enormous
    EXPECT_NE(error(box, cellOf(3)).find("larger than the solid"), std::string::npos);
    Solid vast = box;
    for (Vec3& p : vast.vertices)
        p *= std::numeric_limits<Real>::max();
    EXPECT_NE(error(vast, {0, {50, 50, 50}, kDefaultMaxNodes}), "");
    EXPECT_NE(distanceOfMesh(box.vertices, box.triangles, cellOf(0.1), 0).error, "");
}

}  // namespace
}  // namespace sunder::geometry
