#include "geometry/cutting/mesh_surface.h"

#include <algorithm>

#include "geometry/cutting/crossings.h"
#include "geometry/level_set/mesh_repair.h"
#include "geometry/surface/split_normals.h"
#include "geometry/surface/texture_coordinates.h"
#include "math/trigonometry.h"

namespace sunder::geometry {
namespace {

SurfaceMesh surfaceOf(std::span<const Vec3d> vertices, std::span<const TriangleIndices> triangles) {
    SurfaceMesh surface;
    for (const Vec3d& vertex : vertices) {
        surface.points.push_back(std::uint32_t(surface.positions.size()));
        surface.positions.push_back(toReal(vertex));
    }
    surface.pointCount = std::uint32_t(vertices.size());
    surface.normals.assign(vertices.size(), {0, 1, 0});
    surface.triangles.assign(triangles.begin(), triangles.end());
    surface.slots.assign(triangles.size(), 0);
    std::vector<std::uint32_t> all(triangles.size());
    for (std::uint32_t i = 0; i < all.size(); ++i)
        all[i] = i;
    splitNormals(surface, std::vector<std::uint8_t>(vertices.size(), 1), all);
    projectTexture(surface, 1);
    return surface;
}

}  // namespace

MeshSurface surfaceOfMesh(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles) {
    MeshSurface result;
    const RepairedMesh repaired = repairMesh(vertices, triangles);
    const MeshReport& report = repaired.report;
    if (!repaired.error.empty())
        result.error = repaired.error;
    else if (report.openEdges > 0)
        result.error = std::to_string(report.openEdges) + " edges are open";
    else if (report.nonManifoldEdges > 0)
        result.error = std::to_string(report.nonManifoldEdges) + " edges have more than two triangles";
    else if (report.selfIntersections > 0)
        result.error = std::to_string(report.selfIntersections) + " pairs of its triangles cross";
    else
        result.surface = surfaceOf(repaired.vertices, repaired.triangles);
    return result;
}

bool isSound(const SurfaceMesh& surface) {
    const std::size_t count = surface.positions.size();
    const auto allBelow = [](const auto& numbers, std::size_t limit) {
        return std::all_of(numbers.begin(), numbers.end(), [&](std::uint32_t number) { return number < limit; });
    };
    if (surface.normals.size() != count || surface.points.size() != count || surface.slots.size() != surface.triangles.size() ||
        surface.pointCount > count || !allBelow(surface.points, surface.pointCount) ||
        (!surface.textureCoordinates.empty() && surface.textureCoordinates.size() != count))
        return false;
    const auto allFinite = [](const std::vector<Vec3>& vectors) {
        return std::all_of(vectors.begin(), vectors.end(), [](const Vec3& v) { return isFinite(v); });
    };
    return allFinite(surface.positions) && allFinite(surface.normals) &&
           std::all_of(surface.triangles.begin(), surface.triangles.end(),
                       [&](const auto& triangle) { return allBelow(triangle, count); }) &&
           closedSurface(surface).error.empty();
}

SurfaceMesh surfaceOfRevolution(std::span<const std::array<Real, 2>> profile, int sectors) {
    std::vector<Vec3d> vertices{{0, double(profile.front()[1]), 0}};
    std::vector<TriangleIndices> triangles;
    const std::uint32_t count = std::uint32_t(sectors), rings = std::uint32_t(profile.size()) - 2;
    for (const auto& [radius, y] : profile.subspan(1, rings))
        for (std::uint32_t i = 0; i < count; ++i) {
            const SinCos turn = sinCos(Real(6.283185307179586) * Real(i) / Real(count));
            vertices.push_back({double(radius * turn.cos), double(y), double(radius * turn.sin)});
        }
    const std::uint32_t top = std::uint32_t(vertices.size());
    vertices.push_back({0, double(profile.back()[1]), 0});
    const auto at = [&](std::uint32_t ring, std::uint32_t i) { return 1 + ring * count + i % count; };
    for (std::uint32_t i = 0; i < count; ++i) {
        triangles.push_back({0, at(0, i), at(0, i + 1)});
        for (std::uint32_t ring = 0; ring + 1 < rings; ++ring) {
            triangles.push_back({at(ring, i), at(ring + 1, i), at(ring + 1, i + 1)});
            triangles.push_back({at(ring, i), at(ring + 1, i + 1), at(ring, i + 1)});
        }
        triangles.push_back({top, at(rings - 1, i + 1), at(rings - 1, i)});
    }
    return surfaceOf(vertices, triangles);
}

}  // namespace sunder::geometry
