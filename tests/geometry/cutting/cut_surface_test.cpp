// Cutting closed surfaces by cells: pieces are closed whatever the input, and their volumes add up.
#include "geometry/cutting/cut_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/random.h"
#include "core/task_runner.h"
#include "geometry/cutting/exact.h"
#include "geometry/cutting/grid_complex.h"
#include "geometry/cutting/mesh_surface.h"
#include "geometry/pieces/piece_meshes.h"
#include "geometry/pieces/shells.h"

namespace sunder::geometry {
namespace {

constexpr std::uint16_t kCut = 1;

// A piece per label.
CutResult cutSurface(const SurfaceMesh& surface, const CellComplex& complex, std::uint32_t pieceCount,
                     const std::function<std::uint32_t(const Vec3d&)>& labelAt, std::uint16_t slot, double shortestEdge = 0) {
    const Fragments fragments = cutIntoFragments(surface, complex, labelAt);
    if (!fragments.error.empty())
        return {{}, fragments.error};
    const Shells shells = findShells(fragments);
    EXPECT_EQ(shells.openSeams, 0u);
    std::vector<std::uint32_t> pieces;
    for (const Fragment& fragment : fragments.all)
        pieces.push_back(fragment.label);
    return assemblePieces(surface, fragments, complex, pieces, {pieceCount, slot, shortestEdge}, *makeSerialRunner());
}

double volumeOf(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        sum += dot(toDouble(mesh.positions[a]), cross(toDouble(mesh.positions[b]), toDouble(mesh.positions[c])));
    return sum / 6;
}

// How many edges do not lie between exactly two triangles that run along them in opposite directions.
std::size_t openEdges(const SurfaceMesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i)
            ++uses[{mesh.points[t[i]], mesh.points[t[(i + 1) % 3]]}];
    std::size_t bad = 0;
    for (const auto& [edge, count] : uses) {
        const auto other = uses.find({edge.second, edge.first});
        bad += count != 1 || other == uses.end() || other->second != 1;
    }
    return bad;
}

SurfaceMesh box(const Vec3& half) {
    std::vector<Vec3> vertices;
    for (int i = 0; i < 8; ++i)
        vertices.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    const std::vector<TriangleIndices> triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return surfaceOfMesh(vertices, triangles).surface;
}

SurfaceMesh torus(Real large, Real small, int around, int across) {
    std::vector<Vec3> vertices;
    std::vector<TriangleIndices> triangles;
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            const double u = 2 * M_PI * i / around, v = 2 * M_PI * j / across, r = large + small * std::cos(v);
            vertices.push_back({Real(r * std::cos(u)), Real(small * std::sin(v)), Real(r * std::sin(u))});
        }
    const auto at = [&](int i, int j) { return std::uint32_t(i % around * across + j % across); };
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
            triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
        }
    return surfaceOfMesh(vertices, triangles).surface;
}

// All of [-1, 1]^3 and a little more; nodes fall on 0 and +-1.
LabelGrid cube(int cells) {
    LabelGrid grid;
    grid.cell = 2.0 / cells;
    grid.nodes = {cells + 3, cells + 3, cells + 3};
    grid.origin = Vec3d{-1, -1, -1} - Vec3d{1, 1, 1} * grid.cell;
    const std::size_t count = std::size_t(grid.nodes.x) * std::size_t(grid.nodes.y) * std::size_t(grid.nodes.z);
    grid.labels.assign(count, 0);
    grid.isActive.assign(count, 1);
    return grid;
}

template <class Label>
void setLabels(LabelGrid& grid, const Label& label) {
    std::size_t node = 0;
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x; ++x)
                grid.labels[node++] = label(grid.position(x, y, z));
}

std::vector<Vec3d> randomSites(int count, std::uint64_t seed) {
    core::Random random(seed);
    std::vector<Vec3d> sites;
    for (int i = 0; i < count; ++i) {
        const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
        sites.push_back({x, y, z});
    }
    return sites;
}

std::uint32_t nearestSite(const std::vector<Vec3d>& sites, const Vec3d& p) {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < sites.size(); ++i)
        if (dot(p - sites[i], p - sites[i]) < dot(p - sites[best], p - sites[best]))
            best = i;
    return best;
}

CellComplex voronoiComplex(const std::vector<Vec3d>& sites, int cells) {
    LabelGrid grid = cube(cells);
    setLabels(grid, [&](const Vec3d& p) { return nearestSite(sites, p); });
    return complexOfGrid(grid, [&](const Vec3d& a, const Vec3d& b) {
        const Vec3d siteA = sites[nearestSite(sites, a)], siteB = sites[nearestSite(sites, b)], n = siteB - siteA;
        const double offset = dot(n, (siteA + siteB) * 0.5);
        return BorderPoint{(offset - dot(n, a)) / dot(n, b - a), normalizeOr(n, {1, 0, 0})};
    });
}

void expectClosedAndWhole(const SurfaceMesh& parent, const CutResult& cut) {
    ASSERT_EQ(cut.error, "");
    double sum = 0;
    for (const SurfaceMesh& piece : cut.pieces) {
        EXPECT_EQ(openEdges(piece), 0u);
        EXPECT_EQ(piece.slots.size(), piece.triangles.size());
        EXPECT_EQ(piece.normals.size(), piece.positions.size());
        EXPECT_EQ(piece.textureCoordinates.size(), piece.positions.size());
        EXPECT_GT(volumeOf(piece), -1e-9);
        sum += volumeOf(piece);
    }
    // Faces between pieces cancel exactly; what is left is rounding of points on the old surface.
    EXPECT_NEAR(sum / volumeOf(parent), 1, 1e-6);
}

TEST(Exact, SignsOfPointsOnAPlaneFollowOneStep) {
    // All in the plane z = 0: the surface counts as moved by (e, e^2, e^3), so that it lies above the cutter.
    const ExactPoint cutter[3] = {{0, 0, 0}, {1000, 0, 0}, {0, 1000, 0}};
    EXPECT_EQ(sideOfCutter(cutter, {10, 10, 0}), 1);
    EXPECT_EQ(sideOfSurface(cutter, {10, 10, 0}), -1);
    const ExactPoint turned[3] = {{0, 0, 0}, {0, 1000, 0}, {1000, 0, 0}};
    EXPECT_EQ(sideOfCutter(turned, {10, 10, 0}), -1);
    // One step off at the far end of the grid, where doubles cannot tell.
    const std::int32_t far = 33554432;
    const ExactPoint large[3] = {{-far, -far, -far}, {far, -far + 1, -far}, {-far, far, far - 1}};
    const Wide exact = volume(large[0], large[1], large[2], {far, far, far});
    EXPECT_EQ(sideOfCutter(large, {far, far, far}), exact > 0 ? 1 : -1);
}

TEST(Exact, FractionsAreOrderedWithoutRounding) {
    const ExactPoint p{-33554432, 1, 1}, q{33554431, 2, 3};
    const ExactPoint a[3] = {{7, -50, -50}, {7, 50, -50}, {7, 0, 50}}, b[3] = {{8, -50, -50}, {8, 50, -50}, {8, 0, 50}};
    EXPECT_TRUE(isBefore(fractionOnSurfaceEdge(p, q, a), fractionOnSurfaceEdge(p, q, b)));
    EXPECT_FALSE(isBefore(fractionOnSurfaceEdge(p, q, b), fractionOnSurfaceEdge(p, q, a)));
    EXPECT_FALSE(isBefore(fractionOnSurfaceEdge(p, q, a), fractionOnSurfaceEdge(p, q, a)));
}

TEST(CutSurface, BoxInHalves) {
    LabelGrid grid = cube(7);
    setLabels(grid, [](const Vec3d& p) { return p.x > 0.2 ? 1u : 0u; });
    const CellComplex complex = complexOfGrid(grid, [](const Vec3d& a, const Vec3d& b) {
        return BorderPoint{(0.2 - a.x) / (b.x - a.x), {1, 0, 0}};
    });
    const SurfaceMesh parent = box({Real(0.5), Real(0.4), Real(0.3)});
    const CutResult cut = cutSurface(
        parent, complex, 2, [](const Vec3d& p) { return p.x > 0.2 ? 1u : 0u; }, kCut);
    expectClosedAndWhole(parent, cut);
    EXPECT_NEAR(volumeOf(cut.pieces[0]), 0.7 * 0.8 * 0.6, 1e-7);
    EXPECT_NEAR(volumeOf(cut.pieces[1]), 0.3 * 0.8 * 0.6, 1e-7);
    // The cut is flat, and its normals and slot are its own.
    for (const SurfaceMesh& piece : cut.pieces)
        for (std::size_t t = 0; t < piece.triangles.size(); ++t)
            for (const std::uint32_t v : piece.triangles[t])
                if (piece.slots[t] == kCut) {
                    EXPECT_NEAR(double(piece.positions[v].x), 0.2, 1e-7);
                    EXPECT_NEAR(std::fabs(double(piece.normals[v].x)), 1, 1e-6);
                }
}

// Planes through vertices, along edges and in faces of the box, for every pair of planes: nothing is in general position.
TEST(CutSurface, CoplanarFacesAndVerticesOnPlanes) {
    for (const double plane : {-0.5, 0.0, 0.5})
        for (int axis = 0; axis < 3; ++axis) {
            const auto at = [&](const Vec3d& p) { return axis == 0 ? p.x : (axis == 1 ? p.y : p.z); };
            const auto label = [&](const Vec3d& p) { return (at(p) > plane ? 1u : 0u) + (p.x + p.y > 1e-9 ? 2u : 0u); };
            LabelGrid grid = cube(8);  // nodes on the planes
            setLabels(grid, label);
            const CellComplex complex = complexOfGrid(grid, [&](const Vec3d& a, const Vec3d& b) {
                if ((at(a) > plane) != (at(b) > plane)) {
                    Vec3d n{axis == 0 ? 1.0 : 0, axis == 1 ? 1.0 : 0, axis == 2 ? 1.0 : 0};
                    return BorderPoint{(plane - at(a)) / (at(b) - at(a)), n};
                }
                const double sa = a.x + a.y, sb = b.x + b.y;
                return BorderPoint{-sa / (sb - sa), Vec3d{M_SQRT1_2, M_SQRT1_2, 0}};
            });
            const SurfaceMesh parent = box({Real(0.5), Real(0.5), Real(0.5)});
            expectClosedAndWhole(parent, cutSurface(parent, complex, 4, label, kCut));
        }
}

TEST(CutSurface, TorusByVoronoiCells) {
    const SurfaceMesh parent = torus(Real(0.6), Real(0.3), 41, 23);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const std::vector<Vec3d> sites = randomSites(25, seed);
        const CutResult cut = cutSurface(
            parent, voronoiComplex(sites, 14), 25, [&](const Vec3d& p) { return nearestSite(sites, p); }, kCut);
        expectClosedAndWhole(parent, cut);
    }
}

// Of two pieces that share a face, both have all its points, to the bit; so every point of a cut is in at least two pieces.
TEST(CutSurface, NeighboursHaveTheSamePoints) {
    const SurfaceMesh parent = torus(Real(0.6), Real(0.3), 40, 20);
    const std::vector<Vec3d> sites = randomSites(12, 5);
    const CutResult cut = cutSurface(
        parent, voronoiComplex(sites, 12), 12, [&](const Vec3d& p) { return nearestSite(sites, p); }, kCut);
    ASSERT_EQ(cut.error, "");
    std::map<std::array<Real, 3>, std::set<std::size_t>> pieces;
    for (std::size_t i = 0; i < cut.pieces.size(); ++i) {
        const SurfaceMesh& piece = cut.pieces[i];
        for (std::size_t t = 0; t < piece.triangles.size(); ++t)
            if (piece.slots[t] == kCut)
                for (const std::uint32_t v : piece.triangles[t])
                    pieces[{piece.positions[v].x, piece.positions[v].y, piece.positions[v].z}].insert(i);
    }
    EXPECT_GT(pieces.size(), 100u);
    for (const auto& [point, in] : pieces)
        EXPECT_GE(in.size(), 2u);
}

// The worst labels there are: every node its own will, so that cells touch in edges and corners.
TEST(CutSurface, RandomLabelsStillGiveClosedPieces) {
    const SurfaceMesh parent = torus(Real(0.6), Real(0.3), 31, 17);
    core::Random random(3);
    LabelGrid grid = cube(11);
    setLabels(grid, [&](const Vec3d&) { return std::uint32_t(random.unit() * 3.999); });
    const CellComplex complex = complexOfGrid(grid, [&](const Vec3d&, const Vec3d&) {
        const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1), t = random.unit();
        return BorderPoint{t, normalizeOr(Vec3d{x, y, z}, {1, 0, 0})};
    });
    const CutResult cut = cutSurface(
        parent, complex, 4, [](const Vec3d&) { return 0u; }, kCut);
    expectClosedAndWhole(parent, cut);
}

TEST(CutSurface, PiecesCanBeCutAgain) {
    const SurfaceMesh parent = torus(Real(0.6), Real(0.3), 40, 20);
    const std::vector<Vec3d> sites = randomSites(6, 7), more = randomSites(9, 8);
    const CutResult once = cutSurface(
        parent, voronoiComplex(sites, 12), 6, [&](const Vec3d& p) { return nearestSite(sites, p); }, kCut);
    ASSERT_EQ(once.error, "");
    const CellComplex complex = voronoiComplex(more, 13);
    for (const SurfaceMesh& piece : once.pieces)
        if (!piece.triangles.empty())
            expectClosedAndWhole(piece, cutSurface(
                                            piece, complex, 9, [&](const Vec3d& p) { return nearestSite(more, p); }, kCut));
}

// Normals of a ball are its radii, before and after; linear interpolation over edges of 0.1 radii is off by 0.1^2 / 8.
TEST(CutSurface, OldSurfaceKeepsNormalsAndTexture) {
    std::vector<std::array<Real, 2>> profile;
    for (int i = 0; i <= 32; ++i)
        profile.push_back({Real(0.7 * std::sin(M_PI * i / 32)), Real(-0.7 * std::cos(M_PI * i / 32))});
    const SurfaceMesh parent = surfaceOfRevolution(profile, 64);
    ASSERT_EQ(openEdges(parent), 0u);
    EXPECT_NEAR(volumeOf(parent), 4 * M_PI / 3 * 0.343, 0.01);
    const std::vector<Vec3d> sites = randomSites(10, 9);
    const CutResult cut = cutSurface(
        parent, voronoiComplex(sites, 10), 10, [&](const Vec3d& p) { return nearestSite(sites, p); }, kCut);
    expectClosedAndWhole(parent, cut);
    for (const SurfaceMesh& piece : cut.pieces)
        for (std::size_t t = 0; t < piece.triangles.size(); ++t)
            for (const std::uint32_t v : piece.triangles[t]) {
                if (piece.slots[t] == kCut)
                    continue;
                const Vec3 p = piece.positions[v];
                EXPECT_GT(dot(piece.normals[v], p) / length(p), Real(0.998));
                // One repeat per metre along one of the axes: each coordinate is one of the point's.
                const TextureCoordinate at = piece.textureCoordinates[v];
                const auto isOne = [&](float value) {
                    return std::min({std::fabs(std::fabs(value) - std::fabs(float(p.x))),
                                     std::fabs(std::fabs(value) - std::fabs(float(p.y))),
                                     std::fabs(std::fabs(value) - std::fabs(float(p.z)))}) < 1e-5f;
                };
                EXPECT_TRUE(isOne(at.u) && isOne(at.v));
            }
}

TEST(MeshSurface, SaysWhyAMeshCannotBeCut) {
    const SurfaceMesh good = box({1, 1, 1});
    std::vector<Vec3> corners;
    std::vector<TriangleIndices> triangles;
    for (const auto& [a, b, c] : good.triangles) {
        triangles.push_back(
            {std::uint32_t(corners.size()), std::uint32_t(corners.size() + 1), std::uint32_t(corners.size() + 2)});
        corners.insert(corners.end(), {good.positions[a], good.positions[b], good.positions[c]});
    }
    EXPECT_EQ(surfaceOfMesh(corners, triangles).error, "");
    EXPECT_EQ(surfaceOfMesh(corners, std::span(triangles).first(11)).error, "3 edges are open");
    // The same box again, moved by half its size: they cross, and the outside of the one is inside the other.
    const std::size_t count = corners.size();
    for (std::size_t i = 0; i < count; ++i)
        corners.push_back(corners[i] + Vec3{Real(0.9), Real(1.1), Real(1.3)});
    for (std::size_t i = 0; i < 12; ++i)
        triangles.push_back({triangles[i][0] + std::uint32_t(count), triangles[i][1] + std::uint32_t(count),
                             triangles[i][2] + std::uint32_t(count)});
    EXPECT_NE(surfaceOfMesh(corners, triangles).error.find("cross"), std::string::npos);
    // Moved along one of its sides: four sides lie in the same planes, and no edge goes through the inside of a triangle.
    for (std::size_t i = 0; i < count; ++i)
        corners[count + i] = corners[i] + Vec3{Real(0.3), 0, 0};
    EXPECT_NE(surfaceOfMesh(corners, triangles).error.find("cross"), std::string::npos);
    // Moved by its size it only touches.
    for (std::size_t i = 0; i < count; ++i)
        corners[count + i] = corners[i] + Vec3{2, Real(0.25), Real(0.5)};
    EXPECT_EQ(surfaceOfMesh(corners, triangles).error, "");
    SurfaceMesh open = good;
    open.triangles.pop_back();
    open.slots.pop_back();
    const CutResult cut = cutSurface(
        open, CellComplex{}, 1, [](const Vec3d&) { return 0u; }, kCut);
    EXPECT_NE(cut.error.find("not closed"), std::string::npos);
}

}  // namespace
}  // namespace sunder::geometry
