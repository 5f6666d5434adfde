#include "geometry/shell/shell_walls.h"

#include <map>
#include <utility>
#include <vector>

#include "geometry/edge_report.h"
#include "math/vec3d.h"

namespace sunder::geometry {

namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

Vec3 normalOf(const Vec3& a, const Vec3& b, const Vec3& c) {
    return toReal(normalizeOr(cross(toDouble(b) - toDouble(a), toDouble(c) - toDouble(a)), {0, 1, 0}));
}

// Every wall by itself: for triangles that do not agree on their sides.
Mesh separateWalls(const Shell& shell) {
    Mesh mesh;
    for (const auto& [a, b, c] : shell.triangles) {
        const Vec3 &p = shell.vertices[a], &q = shell.vertices[b], &r = shell.vertices[c];
        const Vec3 half = normalOf(p, q, r) * (shell.thickness * Real(0.5));
        const auto first = std::uint32_t(mesh.vertices.size());
        for (const Vec3& corner : {p + half, q + half, r + half, p - half, q - half, r - half})
            mesh.vertices.push_back(corner);
        for (const std::array<std::uint32_t, 3>& face : {std::array<std::uint32_t, 3>{0, 1, 2},
                                                         {3, 5, 4},
                                                         {1, 0, 3},
                                                         {1, 3, 4},
                                                         {2, 1, 4},
                                                         {2, 4, 5},
                                                         {0, 2, 5},
                                                         {0, 5, 3}})
            mesh.triangles.push_back({first + face[0], first + face[1], first + face[2]});
    }
    return mesh;
}

// Per vertex the mean normal of its triangles, by area.
std::vector<Vec3> vertexNormals(const Shell& shell) {
    std::vector<Vec3> normals(shell.vertices.size());
    for (const auto& [a, b, c] : shell.triangles) {
        const Vec3 normal = cross(shell.vertices[b] - shell.vertices[a], shell.vertices[c] - shell.vertices[a]);
        for (const std::uint32_t vertex : {a, b, c})
            normals[vertex] += normal;
    }
    for (Vec3& normal : normals)
        normal = normalizeOr(normal, {0, 1, 0});
    return normals;
}

}  // namespace

Real leastHeight(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Real longest = max(length(b - a), max(length(c - b), length(a - c)));
    return longest > 0 ? length(cross(b - a, c - a)) / longest : Real(0);
}

Wall wallOf(const Shell& shell, std::size_t triangle) {
    const auto& indices = shell.triangles[triangle];
    const Vec3 p[3] = {shell.vertices[indices[0]], shell.vertices[indices[1]], shell.vertices[indices[2]]};
    const Real half = shell.thickness * Real(0.5);
    const Vec3 normal = normalOf(p[0], p[1], p[2]);
    Wall wall;
    wall.center = (p[0] + p[1] + p[2]) / 3;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 before = normalizeOr(p[i] - p[(i + 2) % 3], {1, 0, 0}),
                   after = normalizeOr(p[(i + 1) % 3] - p[i], {1, 0, 0});
        const Vec3 out[3] = {cross(before, normal), normalizeOr(before - after, before), cross(after, normal)};
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t side = 0; side < 2; ++side)
                wall.corners[6 * i + 2 * k + side] = p[i] - wall.center + out[k] * half + normal * (side == 0 ? half : -half);
    }
    return wall;
}

MassProperties shellMass(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles,
                         double thickness) {
    std::vector<MassProperties> walls;
    for (const auto& [i, j, k] : triangles) {
        const Vec3d a = toDouble(vertices[i]), b = toDouble(vertices[j]), c = toDouble(vertices[k]);
        const Vec3d across = cross(b - a, c - a), center = (a + b + c) * (1.0 / 3);
        const Vec3d n = normalizeOr(across, {0, 1, 0});
        MassProperties wall;
        wall.volume = 0.5 * std::sqrt(dot(across, across)) * thickness;
        wall.center = {center.x, center.y, center.z};
        // Mean of x x^T about the centre: of a triangle a twelfth of the sum over its corners; of the thickness its square over
        // twelve along the normal.
        double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
        const auto add = [&](const Vec3d& r, double weight) {
            xx += weight * r.x * r.x;
            yy += weight * r.y * r.y;
            zz += weight * r.z * r.z;
            xy += weight * r.x * r.y;
            xz += weight * r.x * r.z;
            yz += weight * r.y * r.z;
        };
        for (const Vec3d& corner : {a, b, c})
            add(corner - center, wall.volume / 12);
        add(n, wall.volume * thickness * thickness / 12);
        wall.inertia = {yy + zz, xx + zz, xx + yy, -xy, -xz, -yz};
        walls.push_back(wall);
    }
    return combined(walls);
}

}  // namespace sunder::geometry

namespace sunder {

Mesh meshOf(const Shell& shell) {
    const geometry::EdgeReport report = geometry::reportEdges(shell.triangles);
    if (report.inverted > 0 || report.nonManifold > 0)
        return geometry::separateWalls(shell);
    const std::vector<Vec3> normals = geometry::vertexNormals(shell);
    const auto count = std::uint32_t(shell.vertices.size());
    const Real half = shell.thickness * Real(0.5);
    Mesh mesh;
    for (const Real side : {half, -half})
        for (std::uint32_t i = 0; i < count; ++i)
            mesh.vertices.push_back(shell.vertices[i] + normals[i] * side);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;  // by direction
    for (const auto& t : shell.triangles) {
        mesh.triangles.push_back(t);
        mesh.triangles.push_back({t[0] + count, t[2] + count, t[1] + count});
        for (std::size_t i = 0; i < 3; ++i)
            ++edges[{t[i], t[(i + 1) % 3]}];
    }
    for (const auto& entry : edges) {
        const auto [a, b] = entry.first;
        if (edges.contains({b, a}))
            continue;
        mesh.triangles.push_back({b, a, a + count});
        mesh.triangles.push_back({b, a + count, b + count});
    }
    return mesh;
}

}  // namespace sunder
