// Texture coordinates: projected without stretching, carried over from the source mesh.
#include "geometry/surface/texture_coordinates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/level_set/solid_distance.h"
#include "geometry/polyhedron.h"
#include "geometry/surface/extract_surface.h"
#include "geometry/surface/surface_support.h"

namespace sunder::geometry {
namespace {

const Vec3 kHalf{Real(0.5), Real(0.3), Real(0.4)};

SurfaceMesh surfaceOf(const Shape& shape, const SlotOf& slotOf = {}) {
    const FieldResult result = distanceOfShape(shape, Resolution{Real(0.05), {}, kDefaultMaxNodes});
    EXPECT_EQ(result.error, "");
    return extractSurface<std::int16_t>(quantize<std::int16_t>(result.field), slotOf);
}

double textureArea(const SurfaceMesh& mesh, std::size_t t) {
    const auto [a, b, c] = mesh.triangles[t];
    const TextureCoordinate p = mesh.textureCoordinates[a], q = mesh.textureCoordinates[b], r = mesh.textureCoordinates[c];
    return 0.5 * ((double(q.u) - double(p.u)) * (double(r.v) - double(p.v)) -
                  (double(q.v) - double(p.v)) * (double(r.u) - double(p.u)));
}

double area(const SurfaceMesh& mesh, std::size_t t) {
    const auto [a, b, c] = mesh.triangles[t];
    return 0.5 * double(length(cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a])));
}

// Along the nearest axis a triangle loses at most the factor sqrt(3) of its area, and is never mirrored.
TEST(TextureCoordinates, ProjectionDoesNotStretchOrMirror) {
    for (const Shape& shape : {Shape(Sphere{Real(0.5)}), Shape(Box{kHalf})}) {
        SurfaceMesh mesh = surfaceOf(shape);
        const std::uint32_t points = mesh.pointCount;
        projectTexture(mesh, Real(0.5));
        ASSERT_EQ(mesh.textureCoordinates.size(), mesh.positions.size());
        ASSERT_EQ(mesh.points.size(), mesh.positions.size());
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const double expected = area(mesh, t) / (0.5 * 0.5);
            EXPECT_GE(textureArea(mesh, t), expected / 1.74 - 1e-5);
            EXPECT_LE(textureArea(mesh, t), expected + 1e-5);
        }
        EXPECT_EQ(mesh.pointCount, points);
        testing::expectClosedManifold(mesh);
    }
}

// A box with one chart per face: every triangle of the extracted surface lies in one chart, at the place the face maps to.
TEST(TextureCoordinates, AreCarriedOverWithoutCrossingSeams) {
    const Polyhedron box = boxPolyhedron(kHalf);
    const auto triangles = triangulate(box);
    std::vector<std::array<TextureCoordinate, 3>> corners;
    const auto mapping = [](const Vec3& p, const Vec3& n) {  // charts 10 apart
        const int chart = n.x > Real(0.5)    ? 1
                          : n.x < Real(-0.5) ? 2
                          : n.y > Real(0.5)  ? 3
                          : n.y < Real(-0.5) ? 4
                          : n.z > 0          ? 5
                                             : 6;
        const Real u = chart <= 2 ? p.z : p.x, v = chart == 3 || chart == 4 ? p.z : p.y;
        return TextureCoordinate{float(u) + 10.0f * float(chart), float(v)};
    };
    for (const auto& t : triangles) {
        const Vec3 a = box.vertices[t[0]], b = box.vertices[t[1]], c = box.vertices[t[2]];
        const Vec3 n = normalizeOr(cross(b - a, c - a), {});
        corners.push_back({mapping(a, n), mapping(b, n), mapping(c, n)});
    }
    SurfaceMesh mesh =
        surfaceOf(Box{kHalf}, [](const SurfaceCrossing& crossing) { return std::uint16_t(crossing.point.y > Real(0.29)); });
    projectTexture(mesh, 1);
    const SurfaceMesh projected = mesh;
    carryTexture(mesh, {box.vertices, triangles, corners}, 0);
    testing::expectClosedManifold(mesh);
    std::size_t carried = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (mesh.slots[t] != 0) {  // the other slot keeps its projection
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(mesh.textureCoordinates[mesh.triangles[t][i]].u,
                          projected.textureCoordinates[projected.triangles[t][i]].u);
            continue;
        }
        ++carried;
        const float chart = std::floor((mesh.textureCoordinates[mesh.triangles[t][0]].u + 5) / 10);
        for (const std::uint32_t vertex : mesh.triangles[t]) {
            const TextureCoordinate found = mesh.textureCoordinates[vertex];
            EXPECT_EQ(std::floor((found.u + 5) / 10), chart);
            const Vec3 p = mesh.positions[vertex];
            const bool alongZ = chart <= 2, topOrBottom = chart == 3 || chart == 4;
            EXPECT_NEAR(found.u - 10 * chart, float(alongZ ? p.z : p.x), 1e-4f);
            EXPECT_NEAR(found.v, float(topOrBottom ? p.z : p.y), 1e-4f);
        }
    }
    EXPECT_GT(carried, mesh.triangles.size() / 2);
}

}  // namespace
}  // namespace sunder::geometry
