// Crossing triangles, by testing the edges of each against the other, with the tree of TriangleMesh for the candidates.
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
            count += trianglesCross(a, b);
        }
    }
    return count;
}

}  // namespace sunder::geometry
