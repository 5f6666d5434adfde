// Meshes scored into pieces: connected, disjoint, complete, the same every time; what they share against closed forms.
#include "geometry/tets/tet_pieces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "geometry/level_set/mesh_level_set.h"
#include "geometry/level_set/solid_distance.h"
#include "geometry/tets/stuff_tets.h"
#include "support/level_sets.h"

namespace sunder::geometry {
namespace {

TetMesh hollowBunny() {
    const Mesh bunny = sunder::testing::bunny(0.1);
    const MeshFieldResult field = distanceOfMesh(bunny.vertices, bunny.triangles, {Real(0.03), {}}, 8);
    return largestComponent(stuffTets(field.field, {Real(0.1)}).mesh);
}

// Slow and simple: repeats until nothing changes.
std::size_t reachable(const TetNeighbors& neighbors, const std::vector<std::uint32_t>& ofTet, std::uint32_t piece) {
    std::set<std::uint32_t> reached;
    for (std::uint32_t tet = 0; tet < ofTet.size() && reached.empty(); ++tet)
        if (ofTet[tet] == piece)
            reached.insert(tet);
    std::vector<std::uint32_t> left(reached.begin(), reached.end());
    while (!left.empty()) {
        const std::uint32_t tet = left.back();
        left.pop_back();
        for (const std::uint32_t other : neighbors.across[tet])
            if (other != kNoTet && ofTet[other] == piece && reached.insert(other).second)
                left.push_back(other);
    }
    return reached.size();
}

TEST(TetPieces, AreConnectedDisjointCompleteAndTheSameEveryTime) {
    const TetMesh mesh = hollowBunny();
    const TetNeighbors neighbors = findNeighbors(mesh);
    for (const std::uint64_t seed : {1, 2, 3}) {
        const TetPieces pieces = scorePieces(mesh, neighbors, 10, seed);
        ASSERT_EQ(pieces.count, 10u);
        ASSERT_EQ(pieces.ofTet.size(), mesh.tets.size());  // one label per tetrahedron: disjoint
        std::vector<std::size_t> sizes(pieces.count);
        for (const std::uint32_t piece : pieces.ofTet) {
            ASSERT_LT(piece, pieces.count);  // complete
            ++sizes[piece];
        }
        for (std::uint32_t piece = 0; piece < pieces.count; ++piece)
            EXPECT_EQ(reachable(neighbors, pieces.ofTet, piece), sizes[piece]);
        EXPECT_EQ(scorePieces(mesh, neighbors, 10, seed).ofTet, pieces.ofTet);
        EXPECT_NE(scorePieces(mesh, neighbors, 10, seed + 7).ofTet, pieces.ofTet);
    }
}

TEST(TetPieces, SurfacesOfPiecesAreClosedAndFillTheSolid) {
    const TetMesh mesh = hollowBunny();
    const TetNeighbors neighbors = findNeighbors(mesh);
    const TetPieces pieces = scorePieces(mesh, neighbors, 10, 5);
    double volume = 0, sharedArea = 0;
    for (std::uint32_t piece = 0; piece < pieces.count; ++piece) {
        const TetSurface surface = surfaceOf(mesh, neighbors, pieces.ofTet, piece);
        volume += meshMass(surface.vertices, surface.triangles).volume;
        Vec3d areaVector;
        for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
            const TriangleIndices& t = surface.triangles[i];
            const Vec3d a = toDouble(surface.vertices[t[0]]);
            const Vec3d vector = cross(toDouble(surface.vertices[t[1]]) - a, toDouble(surface.vertices[t[2]]) - a) * 0.5;
            areaVector += vector;
            sharedArea += surface.across[i] != kNoTet ? length(vector) : 0;
            EXPECT_NE(surface.across[i], piece);
        }
        EXPECT_LT(length(areaVector), 1e-6);  // closed
    }
    EXPECT_NEAR(volume, measureQuality(mesh).volume, 1e-6);
    double interfaceArea = 0;
    for (const PieceInterface& interface : findInterfaces(mesh, neighbors, pieces.ofTet)) {
        interfaceArea += interface.area;
        double points = 0;
        for (const double area : interface.pointAreas)
            points += area;
        EXPECT_NEAR(points, interface.area, 1e-12);
    }
    EXPECT_NEAR(2 * interfaceArea, sharedArea, 1e-9);  // each face is seen from both sides
}

// A box cut near the plane x = 0: area, centre, normal and second moments of a rectangle. The lattice has no faces in that
// plane: the shared ones run zigzag at 45 degrees, which their area vector, that forces across the plane act on, does not know.
TEST(TetPieces, TheInterfaceOfTwoHalvesIsARectangle) {
    const Vec3 half{Real(0.7), Real(0.3), Real(0.4)};
    const Grid grid{{Real(-1), Real(-1), Real(-1)}, Real(0.05), {41, 41, 41}};
    const FieldResult field = distanceOfShape(Box{half}, grid);
    ASSERT_EQ(field.error, "");
    const TetMesh mesh = stuffTets(field.field).mesh;
    std::vector<std::uint32_t> ofTet;
    for (const TetCorners& tet : mesh.tets) {
        double x = 0;
        for (const std::uint32_t corner : tet)
            x += double(mesh.vertices[corner].x);
        ofTet.push_back(x > 0 ? 1 : 0);
    }
    const std::vector<PieceInterface> interfaces = findInterfaces(mesh, findNeighbors(mesh), ofTet);
    ASSERT_EQ(interfaces.size(), 1u);
    const PieceInterface& interface = interfaces[0];
    EXPECT_EQ(interface.a, 0u);
    EXPECT_EQ(interface.b, 1u);
    const double b = 0.6, h = 0.8;
    EXPECT_NEAR(interface.normal.x, 1, 1e-3);
    EXPECT_NEAR(interface.centroid.y, 0, 1e-3);
    EXPECT_NEAR(interface.centroid.z, 0, 1e-3);
    EXPECT_NEAR(interface.flatArea, b * h, 0.02 * b * h);  // edges are cut off
    EXPECT_NEAR(interface.area, std::sqrt(2.0) * b * h, 0.02 * b * h);
    // The same slope everywhere: second moments grow with the area.
    EXPECT_NEAR(interface.secondMoments[1] / interface.area, b * b / 12, 0.03 * b * b / 12);
    EXPECT_NEAR(interface.secondMoments[2] / interface.area, h * h / 12, 0.03 * h * h / 12);
    EXPECT_NEAR(interface.secondMoments[5] / interface.area, 0, 1e-4);
}

TEST(TetPieces, SecondMomentsOfATriangleAreThoseOfTheTextbook) {
    // Right triangle with legs b along x and h along y: b^3 h / 36, h^3 b / 36, -b^2 h^2 / 72 about its centroid.
    const double b = 0.3, h = 0.7;
    SurfaceSums sums;
    const Vec3d at{100, -50, 7};
    // In two parts, which must not matter.
    sums.add(at, at + Vec3d{b, 0, 0}, at + Vec3d{0, h / 2, 0});
    sums.add(at + Vec3d{b, 0, 0}, at + Vec3d{0, h, 0}, at + Vec3d{0, h / 2, 0});
    PieceInterface interface;
    sums.writeTo(interface);
    EXPECT_NEAR(interface.area, b * h / 2, 1e-15);
    EXPECT_NEAR(interface.centroid.x - at.x, b / 3, 1e-13);
    EXPECT_NEAR(interface.normal.z, 1, 1e-15);
    EXPECT_NEAR(interface.secondMoments[0], b * b * b * h / 36, 1e-13);
    EXPECT_NEAR(interface.secondMoments[1], h * h * h * b / 36, 1e-13);
    EXPECT_NEAR(interface.secondMoments[3], -b * b * h * h / 72, 1e-13);
}

// Two balls that do not touch, one seed: the other ball is a piece too.
TEST(TetPieces, PartsWithoutASeedAreNotLost) {
    const Grid grid{{Real(-2), Real(-1), Real(-1)}, Real(0.1), {41, 21, 21}};
    const DistanceField field = distanceOfFunction(grid, [](const Vec3& p) {
        return std::min(length(p - Vec3{Real(-1), 0, 0}) - Real(0.6), length(p - Vec3{Real(1), 0, 0}) - Real(0.7));
    });
    const TetMesh mesh = stuffTets(field).mesh;
    const TetNeighbors neighbors = findNeighbors(mesh);
    const TetPieces pieces = scorePieces(mesh, neighbors, 1, 1);
    EXPECT_EQ(pieces.count, 2u);
    EXPECT_EQ(reachable(neighbors, pieces.ofTet, 0) + reachable(neighbors, pieces.ofTet, 1), mesh.tets.size());
    EXPECT_TRUE(findInterfaces(mesh, neighbors, pieces.ofTet).empty());
    const TetMesh larger = largestComponent(mesh);
    EXPECT_NEAR(measureQuality(larger).volume, 4.18879 * 0.343, 0.04 * 4.18879 * 0.343);  // 0.5 (cell / radius)^2
    for (const Vec3& p : larger.vertices)
        EXPECT_GT(p.x, 0);
    // More pieces than tetrahedra: one each.
    EXPECT_EQ(scorePieces(mesh, neighbors, 1000000, 1).count, mesh.tets.size());
}

}  // namespace
}  // namespace sunder::geometry
