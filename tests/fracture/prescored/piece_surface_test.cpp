// Surfaces and particles of pieces: closed, with the right slots, on the cut, without overlap.
#include <algorithm>
#include <map>

#include "fracture/prescored/broken_body.h"
#include "fracture/prescored/piece_field.h"
#include "fracture/prescored/piece_vertices.h"
#include "geometry/surface/surface_vertices.h"

namespace sunder::fracture {
namespace {

using namespace testing;

// Closed surfaces whose fracture slots lie on the cut and whose old slots lie on the body's surface.
TEST(PieceSurface, SurfacesAreClosedAndKnowTheirSlots) {
    const Vec3 half{Real(0.9), Real(0.17), Real(0.7)};
    const LevelSet8 field = levelSetOf(Box{half}, kCell);
    BreakOptions options;
    options.withSurfaces = true;
    const auto pieces = breakGeneral(field, massOf(field), patternOf(VoronoiPattern{}), {{0, half.y, 0}, {0, 1, 0}}, options);
    ASSERT_GT(pieces.size(), 5u);
    double volume = 0;
    for (const auto& piece : pieces) {
        const geometry::SurfaceMesh& mesh = piece.surface;
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
        bool hasOld = false, hasCut = false;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const auto& triangle = mesh.triangles[t];
            for (int i = 0; i < 3; ++i)
                ++edges[{mesh.points[triangle[std::size_t(i)]], mesh.points[triangle[std::size_t((i + 1) % 3)]]}];
            const Vec3 middle = (mesh.positions[triangle[0]] + mesh.positions[triangle[1]] + mesh.positions[triangle[2]]) / 3;
            const Vec3 out = abs(middle) - half;
            const Real depth = -max(out.x, max(out.y, out.z));
            (mesh.slots[t] == kOldSurface ? hasOld : hasCut) = true;
            if (mesh.slots[t] == kOldSurface) {
                EXPECT_LT(depth, kCell);
            }
        }
        for (const auto& [edge, count] : edges) {
            EXPECT_EQ(count, 1);
            EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
        }
        EXPECT_TRUE(hasOld && hasCut);
        const MassProperties drawn = geometry::meshMass(mesh.positions, mesh.triangles);
        volume += drawn.volume;
        // On demand it is the same surface.
        EXPECT_EQ(surfaceOf(piece.field, piece.cutNodes).triangles.size(), mesh.triangles.size());
    }
    // Edges are blunt by part of a cell where three regions meet: 3 % here, 1 % with cells of half the size.
    EXPECT_NEAR(volume, massOf(field).volume, 0.04 * volume);
}

// The vertices of a piece have the cells and sheets that its field has on its own, lie on the surface of the field, and are on
// more of its edges.
TEST(PieceSurface, VerticesOfPiecesAreThoseOfTheirFields) {
    const LevelSet8 field = levelSetOf(Box{{Real(0.9), Real(0.17), Real(0.7)}}, kCell);
    const std::unique_ptr<TaskRunner> runner = makeSerialRunner();
    const Pattern pattern = patternOf(VoronoiPattern{});
    const Real scale = coveringScale(pattern, radiusOf(field.grid));
    const PlacedPattern placed =
        placeGeneral(pattern, scale, field.grid, {{0, Real(0.17), 0}, {Real(0.6), Real(0.8), 0}}, *runner);
    const SharedNodes shared = shareOut(field, placed, {}, *runner);
    std::size_t near = 0, total = 0, features = 0, ownFeatures = 0;
    for (std::uint32_t i = 0; i < shared.pieces.size(); ++i) {
        LevelSet8 piece;
        CutNodes cuts;
        makePieceField(field, nullptr, placed, shared, i, piece, cuts);
        std::vector<geometry::SurfaceVertex> memory;
        const auto vertices = pieceVertices(field, placed, shared.pieces[i], piece, memory);
        const auto own = geometry::surfaceVertices(piece);
        ASSERT_EQ(vertices.size(), own.size());
        for (std::size_t v = 0; v < own.size(); ++v) {
            EXPECT_EQ(vertices[v].cell, own[v].cell);
            EXPECT_EQ(vertices[v].sheet, own[v].sheet);
            EXPECT_EQ(vertices[v].corners, own[v].corners);
            EXPECT_NEAR(length(vertices[v].normal), 1, 1e-4);
            near += length(vertices[v].position - own[v].position) < Real(0.1) * kCell;
            features += vertices[v].feature != geometry::SurfaceFeature::Smooth;
            ownFeatures += own[v].feature != geometry::SurfaceFeature::Smooth;
            ++total;
        }
    }
    EXPECT_GT(double(near), 0.85 * double(total));  // the rest is on the edges
    EXPECT_GT(features, ownFeatures);
}

struct Rim {
    int cells = 0, sharp = 0;
};

// Cells where a cut meets the flat top of a body, and vertices in them that are on its edge.
Rim rimAt(Real top, const geometry::LevelSet16& field, const PlacedPattern& placed, const SharedNodes& shared) {
    Rim rim;
    for (std::uint32_t i = 0; i < shared.pieces.size(); ++i) {
        geometry::LevelSet16 piece;
        CutNodes cuts;
        makePieceField<std::int16_t>(field, nullptr, placed, shared, i, piece, cuts);
        const std::size_t row = std::size_t(piece.grid.nodes.x), slice = row * std::size_t(piece.grid.nodes.y);
        std::vector<geometry::SurfaceVertex> memory;
        for (const geometry::SurfaceVertex& vertex :
             pieceVertices<std::int16_t>(field, placed, shared.pieces[i], piece, memory)) {
            const auto isCut = [&](std::size_t x, std::size_t z) { return cuts.at(vertex.cell + x + z * slice); };
            const Real below = top - piece.grid.position(0, int(vertex.cell % slice / row), 0).y;
            if (!(below > 0 && below < kCell) || !(isCut(0, 0) || isCut(1, 0) || isCut(0, 1) || isCut(1, 1)))
                continue;
            ++rim.cells;
            rim.sharp +=
                vertex.feature != geometry::SurfaceFeature::Smooth && std::fabs(vertex.position.y - top) < Real(0.01) * kCell;
        }
    }
    return rim;
}

// The distances of a coarse pattern have no unit slope near other borders, but the border of two regions is where they are
// zero: asking for the slope finds a fifth of the rim here, not asking half. (The rest: cells of three regions, and those whose
// edge passes beside them.)
TEST(PieceSurface, RimsOfCutsNeedNoUnitSlope) {
    const Real top = Real(0.17);
    const geometry::LevelSet16 field = levelSetOf<std::int16_t>(Box{{Real(0.9), top, Real(0.7)}}, kCell);
    const std::unique_ptr<TaskRunner> runner = makeSerialRunner();
    const Pattern pattern = patternOf(VoronoiPattern{}, 1, 33);
    const Real scale = coveringScale(pattern, radiusOf(field.grid));
    PlacedPattern placed = placeGeneral(pattern, scale, field.grid, {{0, top, 0}, {0, 1, 0}}, *runner);
    const SharedNodes shared = shareOut(field, placed, {}, *runner);
    ASSERT_FALSE(placed.hasSharpFaces);
    const Rim rim = rimAt(top, field, placed, shared);
    placed.hasSharpFaces = true;
    const Rim strict = rimAt(top, field, placed, shared);
    ASSERT_GT(rim.cells, 200);
    EXPECT_GT(rim.sharp, 2 * strict.sharp);
}

// Neighbours that have just parted: how deep the particles of one are in the other, in cells. Both fields have the same zero
// on every edge of the grid between them, so that only the curvature of the interpolation and sharp corners remain.
TEST(PieceSurface, FreshNeighborsHardlyOverlap) {
    const LevelSet8 field = levelSetOf(Box{{Real(0.9), Real(0.17), Real(0.7)}}, kCell);
    const auto pieces =
        breakGeneral(field, massOf(field), patternOf(VoronoiPattern{}, 1, 129), {{0, Real(0.17), 0}, {0, 1, 0}});
    std::vector<double> depths;
    std::size_t total = 0;
    for (const auto& a : pieces)
        for (const Vec3& p : a.particles.positions) {
            ++total;
            double deepest = 0;
            for (const auto& b : pieces)
                if (&a != &b)
                    deepest = std::min(deepest, double(geometry::sample(b.field, p).distance / kCell));
            if (deepest < 0)
                depths.push_back(-deepest);
        }
    std::sort(depths.begin(), depths.end());
    ASSERT_GT(total, 1000u);
    EXPECT_LT(depths[depths.size() * 95 / 100], 0.1);
    EXPECT_LT(depths.back(), 0.5);
}

}  // namespace
}  // namespace sunder::fracture
