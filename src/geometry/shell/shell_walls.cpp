#include "geometry/shell/shell_walls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "geometry/edge_report.h"
#include "geometry/shell/plane_outline.h"
#include "geometry/shell/wall_patches.h"
#include "math/mat3.h"
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

// Corners beyond an outline at a distance (m), around it: one at blunt corners, two at sharp ones, where the way between them
// touches the circle about the corner.
std::vector<PlanePoint> withRim(const std::vector<PlanePoint>& outline, double rim) {
    std::vector<PlanePoint> corners;
    const std::size_t count = outline.size();
    const auto direction = [&](std::size_t i) {
        const PlanePoint &a = outline[i % count], &b = outline[(i + 1) % count];
        return normalizeOr(Vec3d{b.x - a.x, b.y - a.y, 0}, {1, 0, 0});
    };
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d before = direction(i + count - 1), after = direction(i);
        const double c = dot(before, after);  // of the angle by which the outline turns
        const double halfCos = std::sqrt(std::max(0.0, (1 + c) / 2)), halfSin = std::sqrt(std::max(0.0, (1 - c) / 2));
        // Beyond the foot of the normal along the way: tan of half of the angle, or of a quarter of it.
        const double along = rim * (c >= 0 ? halfSin / halfCos : halfSin / (1 + halfCos));
        const auto add = [&](const Vec3d& way, double sign) {
            corners.push_back(
                {outline[i].x + way.y * rim + sign * way.x * along, outline[i].y - way.x * rim + sign * way.y * along});
        };
        add(before, 1);
        if (c < 0)
            add(after, -1);
    }
    return corners;
}

// The triangles' mean normal, by area, whichever way they face.
Vec3d normalOf(const Shell& shell, const std::vector<std::uint32_t>& patch) {
    Vec3d sum;
    for (const std::uint32_t t : patch) {
        const auto& [a, b, c] = shell.triangles[t];
        const Vec3d p = toDouble(shell.vertices[a]),
                    normal = cross(toDouble(shell.vertices[b]) - p, toDouble(shell.vertices[c]) - p);
        sum += dot(sum, normal) < 0 ? -normal : normal;
    }
    return normalizeOr(sum, {0, 1, 0});
}

// The frame turns with the longest side, so that bounds in it are tight.
Wall wallAround(const Shell& shell, const std::vector<std::uint32_t>& patch) {
    PlaneFrame frame(normalOf(shell, patch));
    const double half = double(shell.thickness) / 2;
    std::vector<PlanePoint> points;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::uint32_t t : patch)
        for (const std::uint32_t vertex : shell.triangles[t]) {
            const Vec3d p = toDouble(shell.vertices[vertex]);
            points.push_back(frame.at(p));
            low = std::min(low, dot(p, frame.normal));
            high = std::max(high, dot(p, frame.normal));
        }
    const std::vector<PlanePoint> outline = withRim(convexOutline(points, kOutlineTolerance * double(shell.thickness)), half);
    PlanePoint middle;
    Vec3d longest;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const PlanePoint &a = outline[i], &b = outline[(i + 1) % outline.size()];
        middle = {middle.x + a.x / double(outline.size()), middle.y + a.y / double(outline.size())};
        const Vec3d side{b.x - a.x, b.y - a.y, 0};
        longest = dot(side, side) > dot(longest, longest) ? side : longest;
    }
    const Vec3d along = normalizeOr(longest, {1, 0, 0});
    const Vec3d x = frame.x * along.x + frame.y * along.y, y = cross(frame.normal, x);
    Wall wall;
    wall.triangle = patch.front();
    wall.pose.position = toReal(frame.x * middle.x + frame.y * middle.y + frame.normal * ((low + high) / 2));
    wall.pose.orientation = toQuat(transpose(Mat3{toReal(x), toReal(y), toReal(frame.normal)}));
    const double height = (high - low) / 2 + half;
    for (const PlanePoint& p : outline) {
        const Vec3d way{p.x - middle.x, p.y - middle.y, 0}, across{-along.y, along.x, 0};
        for (const double side : {height, -height})
            wall.corners.push_back(toReal(Vec3d{dot(way, along), dot(way, across), side}));
    }
    return wall;
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

std::vector<Wall> wallsOf(const Shell& shell) {
    std::vector<Wall> walls;
    for (const std::vector<std::uint32_t>& patch : wallPatches(shell))
        walls.push_back(wallAround(shell, patch));
    return walls;
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
