// Crossing triangles, by testing the edges of each against the other, with the tree of TriangleMesh for the candidates. Two
// solids that overlap may have no such pair, where their sides lie in the same planes: then triangles that face the same way
// lie upon each other.
#include <cmath>

#include "geometry/level_set/mesh_repair.h"
#include "geometry/triangle_mesh.h"

namespace sunder::geometry {
namespace {

// Six times the signed volume: tells on which side of abc the point d lies.
double orientation(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) { return dot(cross(b - a, c - a), d - a); }

// Strictly: touching does not count.
bool segmentCrosses(const Vec3d& p, const Vec3d& q, const Vec3d* t) {
    const double sideP = orientation(t[0], t[1], t[2], p), sideQ = orientation(t[0], t[1], t[2], q);
    if (!((sideP < 0 && sideQ > 0) || (sideP > 0 && sideQ < 0)))
        return false;
    const double a = orientation(p, q, t[0], t[1]), b = orientation(p, q, t[1], t[2]), c = orientation(p, q, t[2], t[0]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

bool trianglesCross(const Vec3d* s, const Vec3d* t) {
    for (int i = 0; i < 3; ++i)
        if (segmentCrosses(s[i], s[(i + 1) % 3], t) || segmentCrosses(t[i], t[(i + 1) % 3], s))
            return true;
    return false;
}

// Share of the triangles' size: what is closer to a plane or a line is on it. Above the rounding of float coordinates.
constexpr double kOnTriangle = 1e-6;

// Whether an edge of s has all of t beside it, in their common plane.
bool anEdgeSeparates(const Vec3d* s, const Vec3d* t, const Vec3d& normal) {
    for (int i = 0; i < 3; ++i) {
        const Vec3d edge = s[(i + 1) % 3] - s[i], out = cross(edge, normal);
        const double slack = kOnTriangle * length(out) * length(edge);
        if (dot(out, t[0] - s[i]) >= -slack && dot(out, t[1] - s[i]) >= -slack && dot(out, t[2] - s[i]) >= -slack)
            return true;
    }
    return false;
}

bool lieUponEachOther(const Vec3d* s, const Vec3d* t) {
    const Vec3d n = cross(s[1] - s[0], s[2] - s[0]), m = cross(t[1] - t[0], t[2] - t[0]);
    if (!(dot(n, m) > 0))
        return false;
    const double slack = kOnTriangle * length(n) * (length(s[1] - s[0]) + length(s[2] - s[0]));
    for (int i = 0; i < 3; ++i)
        if (!(std::fabs(orientation(s[0], s[1], s[2], t[i])) <= slack))
            return false;
    return !anEdgeSeparates(s, t, n) && !anEdgeSeparates(t, s, m);
}

bool shareVertex(const TriangleIndices& s, const TriangleIndices& t) {
    for (const std::uint32_t a : s)
        for (const std::uint32_t b : t)
            if (a == b)
                return true;
    return false;
}

}  // namespace

std::size_t countSelfIntersections(std::span<const Vec3d> vertices, std::span<const TriangleIndices> triangles) {
    std::vector<Vec3> rounded;
    for (const Vec3d& p : vertices)
        rounded.push_back(toReal(p));
    const TriangleMesh tree(rounded, triangles);
    std::vector<std::uint32_t> near;
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < tree.triangles().size(); ++i) {
        const TriangleIndices s = tree.triangles()[i].vertices;
        const Vec3d a[3] = {vertices[s[0]], vertices[s[1]], vertices[s[2]]};
        Bounds box;
        for (const std::uint32_t vertex : s)
            box = unite(box, rounded[vertex]);
        near.clear();
        tree.query(box, near);
        for (const std::uint32_t j : near) {
            const TriangleIndices t = tree.triangles()[j].vertices;
            if (j <= i || shareVertex(s, t))
                continue;
            const Vec3d b[3] = {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
            count += trianglesCross(a, b) || lieUponEachOther(a, b);
        }
    }
    return count;
}

}  // namespace sunder::geometry
