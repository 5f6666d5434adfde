// Texture coordinates are projected without stretching.
#include "geometry/look/texture_coordinates.h"

#include <gtest/gtest.h>

#include "geometry/level_set/solid_distance.h"
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

}  // namespace
}  // namespace sunder::geometry
