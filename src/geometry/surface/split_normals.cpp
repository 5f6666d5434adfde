#include "geometry/surface/split_normals.h"

#include <utility>

namespace sunder::geometry {
namespace {

struct Face {
    std::uint32_t triangle;
    Vec3 area, normal;  // along the normal; unit, or zero where the triangle is flat
};

struct Group {
    Vec3 seed, sum;
    std::uint32_t vertex;
};

// Per sharp point the corners of faces that meet in it, in the order of the triangles.
struct CornerLists {
    std::vector<Face> faces;
    std::vector<std::uint32_t> sharpPoints;  // ascending
    std::vector<std::uint32_t> first;        // per sharp point, and one more
    std::vector<std::uint32_t> corners;      // 4 face + corner
};

Face faceOf(const SurfaceMesh& mesh, std::uint32_t triangle) {
    const auto [a, b, c] = mesh.triangles[triangle];
    const Vec3 p = mesh.positions[a];
    const Vec3 area = cross(mesh.positions[b] - p, mesh.positions[c] - p);
    return {triangle, area, normalizeOr(area, {})};
}

CornerLists listCorners(const SurfaceMesh& mesh, std::span<const std::uint8_t> isSharp,
                        std::span<const std::uint32_t> sharpTriangles) {
    CornerLists lists;
    std::vector<std::uint32_t> next(isSharp.size());  // per point
    for (const std::uint32_t t : sharpTriangles)
        for (const std::uint32_t point : mesh.triangles[t])
            next[point] += isSharp[point];
    std::uint32_t sum = 0;
    for (std::uint32_t point = 0; point < isSharp.size(); ++point)
        if (isSharp[point]) {
            lists.sharpPoints.push_back(point);
            lists.first.push_back(sum);
            sum += std::exchange(next[point], sum);
        }
    lists.first.push_back(sum);
    lists.corners.resize(sum);
    lists.faces.reserve(sharpTriangles.size());
    for (const std::uint32_t t : sharpTriangles) {
        const auto face = std::uint32_t(lists.faces.size());
        lists.faces.push_back(faceOf(mesh, t));
        for (std::uint32_t corner = 0; corner < 3; ++corner)
            if (const std::uint32_t point = mesh.triangles[t][corner]; isSharp[point])
                lists.corners[next[point]++] = 4 * face + corner;
    }
    return lists;
}

}  // namespace

void splitNormals(SurfaceMesh& mesh, std::span<const std::uint8_t> isSharp, std::span<const std::uint32_t> sharpTriangles) {
    const CornerLists lists = listCorners(mesh, isSharp, sharpTriangles);
    std::vector<Group> groups;
    for (std::size_t number = 0; number < lists.sharpPoints.size(); ++number) {
        const std::uint32_t point = lists.sharpPoints[number];
        groups.clear();
        for (std::uint32_t i = lists.first[number]; i < lists.first[number + 1]; ++i) {
            const Face& face = lists.faces[lists.corners[i] / 4];
            const Vec3 normal = face.normal == Vec3{} ? mesh.normals[point] : face.normal;
            std::size_t group = 0;
            while (group < groups.size() && dot(groups[group].seed, normal) < kSharpCosine)
                ++group;
            if (group == groups.size()) {
                std::uint32_t vertex = point;
                if (group > 0) {
                    vertex = std::uint32_t(mesh.positions.size());
                    const Vec3 position = mesh.positions[point];
                    mesh.positions.push_back(position);
                    mesh.normals.push_back(normal);
                    mesh.points.push_back(point);
                }
                groups.push_back({normal, {}, vertex});
            }
            groups[group].sum += face.area;
            mesh.triangles[face.triangle][lists.corners[i] % 4] = groups[group].vertex;
        }
        for (const Group& group : groups)
            mesh.normals[group.vertex] = normalizeOr(group.sum, group.seed);
    }
}

}  // namespace sunder::geometry
