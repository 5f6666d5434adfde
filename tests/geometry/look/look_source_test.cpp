// The look of a mesh on surfaces that lie near it.
#include "geometry/look/look_source.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/level_set/solid_distance.h"
#include "geometry/polyhedron.h"
#include "geometry/surface/extract_surface.h"
#include "geometry/surface/surface_support.h"

namespace sunder::geometry {
namespace {

const Vec3 kHalf{Real(0.5), Real(0.3), Real(0.4)};

int chartOf(const Vec3& n) {
    return n.x > Real(0.5) ? 1 : n.x < Real(-0.5) ? 2 : n.y > Real(0.5) ? 3 : n.y < Real(-0.5) ? 4 : n.z > 0 ? 5 : 6;
}

// Charts are 10 apart.
std::array<float, 2> mapped(const Vec3& p, int chart) {
    const Real u = chart <= 2 ? p.z : p.x, v = chart == 3 || chart == 4 ? p.z : p.y;
    return {float(u) + 10.0f * float(chart), float(v)};
}

// A box with a chart for each face; up and down have the second material. The red of a colour rises with y.
Mesh lookingBox() {
    const Polyhedron box = boxPolyhedron(kHalf);
    Mesh mesh{box.vertices, triangulate(box), nullptr};
    auto look = std::make_shared<MeshLook>();
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3 p[3] = {mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]};
        const int chart = chartOf(normalizeOr(cross(p[1] - p[0], p[2] - p[0]), {}));
        look->textureCoordinates.push_back({mapped(p[0], chart), mapped(p[1], chart), mapped(p[2], chart)});
        look->materialOf.push_back(chart == 3 || chart == 4);
        MeshLook::CornerColors& colors = look->colors.emplace_back();
        for (int corner = 0; corner < 3; ++corner)
            colors[corner] = {std::uint8_t(p[corner].y > 0 ? 255 : 0), 10, 20, 255};
    }
    look->materials = std::make_shared<MeshMaterials>(MeshMaterials{{.name = "sides"}, {.name = "ends"}});
    mesh.look = look;
    return mesh;
}

// Every triangle of the extracted surface lies in one chart, at the place that the face maps to; what is of another slot is
// projected.
TEST(LookSource, CarriesChartsMaterialsAndColorsToALevelSet) {
    const Mesh box = lookingBox();
    const TriangleMesh tree(box.vertices, box.triangles);
    const FieldResult field = distanceOfShape(Box{kHalf}, Resolution{Real(0.05), {}, kDefaultMaxNodes});
    ASSERT_EQ(field.error, "");
    const auto isOpened = [](const Vec3& p) { return p.x > Real(0.3) && p.y > Real(0.29); };
    SurfaceMesh mesh = extractSurface<std::int16_t>(quantize<std::int16_t>(field.field), [&](const SurfaceCrossing& crossing) {
        return std::uint16_t(isOpened(crossing.point) ? 1 : 0);
    });
    LookSource(box, tree).carry(mesh);
    testing::expectClosedManifold(mesh);
    ASSERT_EQ(mesh.textureCoordinates.size(), mesh.positions.size());
    ASSERT_EQ(mesh.colors.size(), mesh.positions.size());
    std::size_t carried = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (mesh.slots[t] == 1) {
            for (const std::uint32_t vertex : mesh.triangles[t])
                EXPECT_EQ(mesh.colors[vertex], (VertexColor{255, 255, 255, 255}));
            continue;
        }
        ++carried;
        const int chart = int(std::floor((mesh.textureCoordinates[mesh.triangles[t][0]].u + 5) / 10));
        EXPECT_EQ(mesh.slots[t], chart == 3 || chart == 4 ? 2 : 0);
        for (const std::uint32_t vertex : mesh.triangles[t]) {
            const std::array<float, 2> expected = mapped(mesh.positions[vertex], chart);
            EXPECT_NEAR(mesh.textureCoordinates[vertex].u, expected[0], 1e-4f);
            EXPECT_NEAR(mesh.textureCoordinates[vertex].v, expected[1], 1e-4f);
            const double share = std::clamp(double(mesh.positions[vertex].y) / 0.6 + 0.5, 0.0, 1.0);
            EXPECT_NEAR(mesh.colors[vertex][0], 255 * share, 1.5);
            EXPECT_EQ(mesh.colors[vertex][1], 10);
        }
    }
    EXPECT_GT(carried, mesh.triangles.size() / 2);
}

// Where a plate is thin the nearest triangle may be that of the far side; what faces the same way is taken.
TEST(LookSource, TellsTheSidesOfAPlateApart) {
    Mesh box = lookingBox();
    for (Vec3& vertex : box.vertices)
        vertex.y /= 60;  // 1 cm thick
    const TriangleMesh tree(box.vertices, box.triangles);
    SurfaceMesh mesh;  // a triangle that looks up and lies 6 mm below the upper side
    mesh.positions = {{0, Real(-0.001), 0}, {0, Real(-0.001), Real(0.1)}, {Real(0.1), Real(-0.001), 0}};
    mesh.normals.assign(3, {0, 1, 0});
    mesh.points = {0, 1, 2};
    mesh.pointCount = 3;
    mesh.triangles = {{0, 1, 2}};
    mesh.slots = {0};
    LookSource(box, tree).carry(mesh);
    EXPECT_EQ(std::floor((mesh.textureCoordinates[0].u + 5) / 10), 3);
}

// Two triangles of a quad: one map, or two that agree only along the diagonal.
TEST(LookSource, SaysWhereAMapGoesOn) {
    SurfaceMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.normals.assign(4, {0, 0, 1});
    mesh.points = {0, 1, 2, 3};
    mesh.pointCount = 4;
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.slots = {0, 0};
    mesh.textureCoordinates = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    EXPECT_TRUE(continuesLook(mesh, 0, 1));
    mesh.textureCoordinates[3] = {0, 0.9f};
    EXPECT_FALSE(continuesLook(mesh, 0, 1));
    mesh.textureCoordinates[3] = {0, 1};
    mesh.slots[1] = 2;
    EXPECT_FALSE(continuesLook(mesh, 0, 1));
}

}  // namespace
}  // namespace sunder::geometry
