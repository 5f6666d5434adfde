#include "geometry/cutting/mesh_surface.h"

#include <algorithm>

#include "geometry/cutting/crossings.h"
#include "geometry/level_set/mesh_repair.h"
#include "geometry/look/look_source.h"
#include "geometry/look/texture_coordinates.h"
#include "geometry/surface/split_normals.h"
#include "math/trigonometry.h"

namespace sunder::geometry {
namespace {

// Without texture coordinates.
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
    return surface;
}

// Which corners of the given triangles the corners of the repaired ones are.
std::vector<SourceCorners> cornersOf(const RepairedMesh& repaired, std::span<const TriangleIndices> given) {
    std::vector<SourceCorners> result;
    for (std::size_t t = 0; t < repaired.triangles.size(); ++t) {
        const TriangleIndices& source = given[repaired.sources[t]];
        const bool isTurned = repaired.weld[source[1]] != repaired.triangles[t][1];
        result.push_back(
            {repaired.sources[t], isTurned ? std::array<std::uint8_t, 3>{0, 2, 1} : std::array<std::uint8_t, 3>{0, 1, 2}});
    }
    return result;
}

}  // namespace

MeshSurface surfaceOfMesh(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles, const MeshLook* look) {
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
    if (!result.error.empty())
        return result;
    result.surface = surfaceOf(repaired.vertices, repaired.triangles);
    if (look && fits(*look, triangles.size()))
        takeLook(result.surface, *look, cornersOf(repaired, triangles));
    else
        projectTexture(result.surface, 1);
    return result;
}

bool isSound(const SurfaceMesh& surface) {
    const std::size_t count = surface.positions.size();
    const auto allBelow = [](const auto& numbers, std::size_t limit) {
        return std::all_of(numbers.begin(), numbers.end(), [&](std::uint32_t number) { return number < limit; });
    };
    if (surface.normals.size() != count || surface.points.size() != count || surface.slots.size() != surface.triangles.size() ||
        surface.pointCount > count || !allBelow(surface.points, surface.pointCount) ||
        (!surface.textureCoordinates.empty() && surface.textureCoordinates.size() != count) ||
        (!surface.colors.empty() && surface.colors.size() != count))
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
    SurfaceMesh surface = surfaceOf(vertices, triangles);
    projectTexture(surface, 1);
    return surface;
}

}  // namespace sunder::geometry
