// Sums over the triangles around each vertex.
#include "geometry/surface/corner_normals.h"

#include <numeric>

namespace sunder::geometry {

namespace {
constexpr Real kSmoothCosine = Real(0.82);  // 35 degrees
}  // namespace

std::vector<std::array<Vec3, 3>> cornerNormals(std::span<const Vec3> vertices,
                                               std::span<const std::array<std::uint32_t, 3>> triangles) {
    std::vector<std::uint32_t> first(vertices.size() + 1, 0), around(3 * triangles.size());
    std::vector<Vec3> areas, normals;
    for (const auto& t : triangles) {
        areas.push_back(cross(vertices[t[1]] - vertices[t[0]], vertices[t[2]] - vertices[t[0]]));
        normals.push_back(normalizeOr(areas.back(), {0, 1, 0}));
        for (const std::uint32_t v : t)
            ++first[v + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t i = 0; i < triangles.size(); ++i)
        for (const std::uint32_t v : triangles[i])
            around[next[v]++] = i;
    std::vector<std::array<Vec3, 3>> result(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i)
        for (int corner = 0; corner < 3; ++corner) {
            const std::uint32_t v = triangles[i][corner];
            Vec3 sum;
            for (std::uint32_t k = first[v]; k < first[v + 1]; ++k)
                if (dot(normals[around[k]], normals[i]) > kSmoothCosine)
                    sum += areas[around[k]];
            result[i][corner] = normalizeOr(sum, normals[i]);
        }
    return result;
}

}  // namespace sunder::geometry
