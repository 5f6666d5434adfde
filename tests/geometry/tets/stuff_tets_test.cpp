// Tetrahedral meshes of level sets: volumes against closed forms, angles against the bound of the paper, closed surfaces.
#include "geometry/tets/stuff_tets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/level_set/mesh_level_set.h"
#include "geometry/level_set/solid_distance.h"
#include "geometry/tets/tet_pieces.h"
#include "math/vec3d.h"
#include "support/level_sets.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

using sunder::testing::RandomPoints;

constexpr double kPi = 3.141592653589793;
// What [LS07] proves for any field.
constexpr double kSmallestDihedral = 10.7, kLargestDihedral = 164.8;

// Half the lattice's cell, with a node in the middle of nothing in particular.
DistanceField fieldOf(const Shape& shape, double latticeCell) {
    const FieldResult result = distanceOfShape(shape, Resolution{Real(latticeCell / kFieldCellsPerLatticeCell), {}});
    EXPECT_EQ(result.error, "");
    return result.field;
}

TetMesh stuffed(const DistanceField& field, double thickness = 0) {
    const TetResult result = stuffTets(field, {Real(thickness)});
    EXPECT_EQ(result.error, "");
    return result.mesh;
}

struct SurfaceFacts {
    std::size_t openEdges = 0;     // an edge whose triangles do not run along it as often one way as the other
    std::size_t crowdedEdges = 0;  // with more than two triangles
    long euler = 0;
    double volume = 0, area = 0;
};

SurfaceFacts factsOf(const TetSurface& surface) {
    SurfaceFacts facts;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<int, int>> edges;
    for (const TriangleIndices& t : surface.triangles) {
        const Vec3d a = toDouble(surface.vertices[t[0]]), b = toDouble(surface.vertices[t[1]]),
                    c = toDouble(surface.vertices[t[2]]);
        facts.volume += dot(cross(a, b), c) / 6;
        facts.area += length(cross(b - a, c - a)) / 2;
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t from = t[std::size_t(i)], to = t[std::size_t((i + 1) % 3)];
            auto& [forward, backward] = edges[{std::min(from, to), std::max(from, to)}];
            ++(from < to ? forward : backward);
        }
    }
    for (const auto& [edge, count] : edges) {
        facts.openEdges += count.first != count.second;
        facts.crowdedEdges += count.first > 1;
    }
    facts.euler = long(surface.vertices.size()) - long(edges.size()) + long(surface.triangles.size());
    return facts;
}

void expectSound(const TetMesh& mesh) {
    const TetQuality quality = measureQuality(mesh);
    EXPECT_EQ(quality.inverted, 0u);
    EXPECT_GE(quality.smallestDihedral, kSmallestDihedral);
    EXPECT_LE(quality.largestDihedral, kLargestDihedral);
    const TetNeighbors neighbors = findNeighbors(mesh);
    EXPECT_EQ(neighbors.tangled, 0u);
    const SurfaceFacts facts = factsOf(surfaceOf(mesh, neighbors));
    EXPECT_EQ(facts.openEdges, 0u);
    EXPECT_NEAR(facts.volume, quality.volume, 1e-5 * quality.volume);  // divergence theorem, to the rounding of Real
}

TEST(StuffTets, VolumeOfABallConvergesWithTheSquareOfTheCell) {
    const double exact = 4 * kPi / 3;
    double errors[3];
    for (int i = 0; i < 3; ++i) {
        const TetMesh mesh = stuffed(fieldOf(Sphere{1}, 0.4 / (1 << i)));
        expectSound(mesh);
        errors[i] = std::fabs(measureQuality(mesh).volume / exact - 1);
    }
    // A chord of length L sags by L^2 / 8, and the longest edges on the surface measure about 1.15 cells: 3 L^2 / 8.
    EXPECT_LT(errors[0], 0.5 * 0.4 * 0.4);
    EXPECT_LT(errors[1], errors[0] / 3);  // 4 in the limit; where the lattice lies relative to the ball moves it
    EXPECT_LT(errors[2], errors[1] / 3);
}

TEST(StuffTets, VolumeOfABoxConvergesWithTheSquareOfTheCell) {
    const Vec3 half{Real(0.53), Real(0.31), Real(0.77)};
    const double exact = 8.0 * double(half.x) * double(half.y) * double(half.z);
    double errors[2];
    for (int i = 0; i < 2; ++i) {
        const TetMesh mesh = stuffed(fieldOf(Box{half}, 0.1 / (1 << i)));
        expectSound(mesh);
        errors[i] = std::fabs(measureQuality(mesh).volume / exact - 1);
    }
    EXPECT_LT(errors[0], 0.02);  // edges are cut off across a cell
    EXPECT_LT(errors[1], errors[0] / 2.5);
}

TEST(StuffTets, ASlabWhoseFacesLieBetweenNodesHasItsExactVolume) {
    // Away from edges a plane's distance is linear along every edge of the lattice, so that its crossings are exact: the
    // middle of the mesh of a slab has the slab's thickness. Here by the places of all surface vertices.
    DistanceField field{{{Real(-1), Real(-1), Real(-1)}, Real(0.125), {17, 17, 17}}, {}};
    field = distanceOfFunction(
        field.grid, [](const Vec3& p) { return std::max(std::fabs(p.y) - Real(0.287), std::fabs(p.x) - Real(0.8)); });
    for (Real& value : field.values)
        value = value > Real(0.15) ? Real(0.15) : value;
    const TetMesh mesh = stuffed(field);
    const TetSurface surface = surfaceOf(mesh, findNeighbors(mesh));
    int onFaces = 0;
    for (const Vec3& p : surface.vertices)
        if (std::fabs(p.x) < Real(0.5) && std::fabs(p.z) < Real(0.5)) {
            EXPECT_NEAR(std::fabs(p.y), 0.287, 1e-6);
            ++onFaces;
        }
    EXPECT_GT(onFaces, 40);
}

TEST(StuffTets, MassIsThatOfTheSolid) {
    const TetMesh mesh = stuffed(fieldOf(Sphere{1}, 0.1));
    std::vector<std::uint32_t> all(mesh.tets.size());
    for (std::uint32_t i = 0; i < all.size(); ++i)
        all[i] = i;
    const MassProperties mass = massOf(mesh, all), surface = [&] {
        const TetSurface s = surfaceOf(mesh, findNeighbors(mesh));
        return meshMass(s.vertices, s.triangles);
    }();
    EXPECT_NEAR(mass.volume, 4 * kPi / 3, 0.5 * 0.1 * 0.1 * 4 * kPi / 3);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(mass.center[i], 0, 1e-3);
        EXPECT_NEAR(mass.inertia[i], 0.4 * mass.volume, 0.01);  // the radius is less by a few parts in a thousand
    }
    // The same solid by its surface: only rounding of Real differs.
    EXPECT_NEAR(mass.volume, surface.volume, 1e-6);
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(mass.inertia[i], surface.inertia[i], 1e-6);
}

// Random numbers at the nodes bring every stencil, every warp and every combination of neighbours.
TEST(StuffTets, AnglesStayInTheBoundsOfThePaperForAnyField) {
    RandomPoints random(3);
    double smallest = 180, largest = 0;
    for (int round = 0; round < 12; ++round) {
        DistanceField field{{{}, Real(0.5), {34, 33, 35}}, {}};
        field.values.resize(field.grid.nodeCount());
        // From mostly outside to mostly inside, and from even values to such that are near zero by the thousand.
        const Real shift = Real(0.15) * Real(round % 4) - Real(0.2);
        for (int z = 0; z < field.grid.nodes.z; ++z)
            for (int y = 0; y < field.grid.nodes.y; ++y)
                for (int x = 0; x < field.grid.nodes.x; ++x) {
                    const bool isBorder = x == 0 || y == 0 || z == 0 || x == field.grid.nodes.x - 1 ||
                                          y == field.grid.nodes.y - 1 || z == field.grid.nodes.z - 1;
                    const Real u = random.between(Real(-1), Real(1));
                    field.values[field.grid.index(x, y, z)] = isBorder ? Real(0.4) : (round % 2 == 0 ? u : u * u * u) + shift;
                }
        const TetMesh mesh = stuffed(field);
        expectSound(mesh);
        const TetQuality quality = measureQuality(mesh);
        smallest = std::min(smallest, quality.smallestDihedral);
        largest = std::max(largest, quality.largestDihedral);
    }
    // The search comes near the bounds: it would see a wrong stencil.
    EXPECT_LT(smallest, 12);
    EXPECT_GT(largest, 155);
}

TEST(StuffTets, TheBunnyIsOneClosedSurface) {
    const Mesh bunny = sunder::testing::bunny(0.1);
    const double exact = meshMass(bunny.vertices, bunny.triangles).volume;
    double errors[2];
    for (int i = 0; i < 2; ++i) {
        const MeshFieldResult field = distanceOfMesh(bunny.vertices, bunny.triangles, {Real(0.04 / (1 << i)), {}});
        ASSERT_EQ(field.error, "");
        const TetMesh mesh = stuffed(field.field);
        expectSound(mesh);
        const TetMesh largest = largestComponent(mesh);  // the tip of an ear may come off
        EXPECT_GT(measureQuality(largest).volume, 0.99 * measureQuality(mesh).volume);
        EXPECT_EQ(factsOf(surfaceOf(largest, findNeighbors(largest))).euler, 2);
        // Angles of smooth surfaces stay well away from the bounds.
        EXPECT_GT(measureQuality(mesh).smallestDihedral, 15);
        EXPECT_LT(measureQuality(mesh).largestDihedral, 150);
        errors[i] = std::fabs(measureQuality(mesh).volume / exact - 1);
    }
    EXPECT_LT(errors[0], 0.05);  // ears and feet are a few cells thick
    EXPECT_LT(errors[1], errors[0] / 3);
}

// What the level set takes from broken meshes, the mesher takes too: a solid with a hole in its side, and one turned inside
// out.
TEST(StuffTets, BrokenMeshesGiveSoundOnes) {
    Mesh open = sunder::testing::bunny(0.1);
    open.triangles.erase(open.triangles.begin() + 100, open.triangles.begin() + 104);
    Mesh inverted = sunder::testing::bunny(0.1);
    for (auto& triangle : inverted.triangles)
        std::swap(triangle[1], triangle[2]);
    for (const Mesh& mesh : {open, inverted}) {
        const MeshFieldResult field = distanceOfMesh(mesh.vertices, mesh.triangles, {Real(0.05), {}});
        ASSERT_EQ(field.error, "");
        expectSound(stuffed(field.field));
    }
}

TEST(StuffTets, AHollowBallHasTwoSurfacesAndTheVolumeOfItsShell) {
    const double thickness = 0.3;
    const double exact = 4 * kPi / 3 * (1 - std::pow(1 - thickness, 3));
    double errors[2];
    for (int i = 0; i < 2; ++i) {
        const TetMesh mesh = stuffed(fieldOf(Sphere{1}, 0.2 / (1 << i)), thickness);
        expectSound(mesh);
        errors[i] = std::fabs(measureQuality(mesh).volume / exact - 1);
        const SurfaceFacts facts = factsOf(surfaceOf(mesh, findNeighbors(mesh)));
        EXPECT_EQ(facts.euler, 4);  // two spheres
        EXPECT_EQ(facts.crowdedEdges, 0u);
    }
    EXPECT_LT(errors[0], 0.5 * 0.2 * 0.2);  // less than of a ball: both surfaces lie too far inside
    EXPECT_LT(errors[1], errors[0] / 3);
}

TEST(StuffTets, WrongInputIsNamed) {
    const DistanceField field = fieldOf(Sphere{1}, 0.2);
    EXPECT_NE(stuffTets(field, {Real(0.2)}).error.find("at least 0.3"), std::string::npos);
    EXPECT_NE(stuffTets(field, {Real(-1)}).error.find("thickness"), std::string::npos);
    DistanceField empty = field;
    std::fill(empty.values.begin(), empty.values.end(), Real(1));
    EXPECT_NE(stuffTets(empty).error.find("no lattice point"), std::string::npos);
    empty.values[7] = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_NE(stuffTets(empty).error.find("not finite"), std::string::npos);
    EXPECT_NE(stuffTets({}).error, "");
}

}  // namespace
}  // namespace sunder::geometry
