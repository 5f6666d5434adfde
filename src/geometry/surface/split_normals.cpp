#include "geometry/surface/split_normals.h"

namespace sunder::geometry {
namespace {

struct Corner {
    std::uint32_t triangle, corner;
    Vec3 area;  // of the triangle, along its normal
};

struct Group {
    Vec3 seed, sum;
    std::uint32_t vertex;
};

// Per sharp point the triangle corners that meet in it, in the order of the triangles.
struct CornerLists {
    std::vector<std::uint32_t> sharpPoints;  // ascending
    std::vector<std::uint32_t> first;        // per sharp point, and one more
    std::vector<Corner> corners;
};

Vec3 areaVector(const SurfaceMesh& mesh, std::uint32_t triangle) {
    const auto [a, b, c] = mesh.triangles[triangle];
    const Vec3 p = mesh.positions[a];
    return cross(mesh.positions[b] - p, mesh.positions[c] - p);
}

CornerLists listCorners(const SurfaceMesh& mesh, std::span<const std::uint8_t> isSharp,
                        std::span<const std::uint32_t> sharpTriangles) {
    CornerLists lists;
    std::vector<std::uint32_t> numberOf(isSharp.size());
    for (std::uint32_t point = 0; point < isSharp.size(); ++point)
        if (isSharp[point]) {
            numberOf[point] = std::uint32_t(lists.sharpPoints.size());
            lists.sharpPoints.push_back(point);
        }
    lists.first.assign(lists.sharpPoints.size() + 1, 0);
    for (const std::uint32_t t : sharpTriangles)
        for (const std::uint32_t point : mesh.triangles[t])
            if (isSharp[point])
                ++lists.first[numberOf[point] + 1];
    for (std::size_t i = 1; i < lists.first.size(); ++i)
        lists.first[i] += lists.first[i - 1];
    lists.corners.resize(lists.first.back());
    std::vector<std::uint32_t> next(lists.first.begin(), lists.first.end() - 1);
    for (const std::uint32_t t : sharpTriangles) {
        const Vec3 area = areaVector(mesh, t);
        for (std::uint32_t corner = 0; corner < 3; ++corner) {
            const std::uint32_t point = mesh.triangles[t][corner];
            if (isSharp[point])
                lists.corners[next[numberOf[point]]++] = {t, corner, area};
        }
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
            const Corner& at = lists.corners[i];
            const Vec3 normal = normalizeOr(at.area, mesh.normals[point]);
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
            groups[group].sum += at.area;
            mesh.triangles[at.triangle][at.corner] = groups[group].vertex;
        }
        for (const Group& group : groups)
            mesh.normals[group.vertex] = normalizeOr(group.sum, group.seed);
    }
}

}  // namespace sunder::geometry
