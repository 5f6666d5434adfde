#include "geometry/surface/texture_coordinates.h"

#include <cmath>
#include <limits>

#include "geometry/level_set/closest_point.h"
#include "geometry/triangle_mesh.h"

namespace sunder::geometry {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
// Texture coordinates closer than this are the same: a hundredth of a texel of a 16k texture.
constexpr float kSameTexel = 1e-6f;

// Gives triangle corners the coordinates they need and splits a vertex for each further pair of coordinates.
class VertexSplitter {
public:
    explicit VertexSplitter(SurfaceMesh& mesh)
        : mesh_(mesh), isSet_(mesh.positions.size()), next_(mesh.positions.size(), kNone) {
        mesh_.textureCoordinates.resize(mesh_.positions.size());
    }

    void set(std::uint32_t& vertex, const TextureCoordinate& wanted) {
        if (!isSet_[vertex]) {
            isSet_[vertex] = 1;
            mesh_.textureCoordinates[vertex] = wanted;
            return;
        }
        for (;; vertex = next_[vertex]) {
            const TextureCoordinate& own = mesh_.textureCoordinates[vertex];
            if (std::fabs(own.u - wanted.u) <= kSameTexel && std::fabs(own.v - wanted.v) <= kSameTexel)
                return;
            if (next_[vertex] == kNone)
                break;
        }
        const std::uint32_t split = std::uint32_t(mesh_.positions.size());
        const Vec3 position = mesh_.positions[vertex], normal = mesh_.normals[vertex];
        mesh_.positions.push_back(position);
        mesh_.normals.push_back(normal);
        const std::uint32_t point = mesh_.points[vertex];
        mesh_.points.push_back(point);
        mesh_.textureCoordinates.push_back(wanted);
        isSet_.push_back(1);
        next_.push_back(kNone);
        next_[vertex] = split;
        vertex = split;
    }
    // Reserves the vertex's present coordinates for triangles that do not ask for others.
    void hold(std::uint32_t vertex) { isSet_[vertex] = 1; }

private:
    SurfaceMesh& mesh_;
    std::vector<std::uint8_t> isSet_;
    std::vector<std::uint32_t> next_;  // further copies of a vertex
};

Vec3 areaVector(const SurfaceMesh& mesh, const std::array<std::uint32_t, 3>& t) {
    const Vec3 a = mesh.positions[t[0]];
    return cross(mesh.positions[t[1]] - a, mesh.positions[t[2]] - a);
}

// Seen from outside u runs to the right, for either sign of the axis.
TextureCoordinate project(const Vec3& p, int axis, bool isPositive, Real scale) {
    const Real sign = isPositive ? scale : -scale;
    if (axis == 0)
        return {float(-p.z * sign), float(p.y * scale)};
    if (axis == 1)
        return {float(p.x * scale), float(-p.z * sign)};
    return {float(p.x * sign), float(p.y * scale)};
}

// The triangle closest to p, by boxes of growing size.
std::uint32_t closestTriangle(const TriangleMesh& mesh, const Vec3& p, Real radius, std::vector<std::uint32_t>& near) {
    for (;; radius *= 2) {
        const Vec3 reach{radius, radius, radius};
        near.clear();
        mesh.query({p - reach, p + reach}, near);
        std::uint32_t best = kNone;
        double nearest = double(kInfinity);
        for (const std::uint32_t t : near) {
            const auto& v = mesh.triangles()[t].vertices;
            const TrianglePoint found = closestPoint(toDouble(p), toDouble(mesh.vertices()[v[0]]),
                                                     toDouble(mesh.vertices()[v[1]]), toDouble(mesh.vertices()[v[2]]));
            if (found.squaredDistance < nearest) {
                nearest = found.squaredDistance;
                best = t;
            }
        }
        // A triangle outside the box may be nearer than one that only reaches its corner.
        if (nearest <= double(radius) * double(radius) || near.size() == mesh.triangles().size())
            return best;
    }
}

// The affine texture map of a triangle, extended beyond its borders.
class TriangleMapping {
public:
    TriangleMapping(const Vec3d& a, const Vec3d& b, const Vec3d& c, const std::array<TextureCoordinate, 3>& corners)
        : a_(a), ab_(b - a), ac_(c - a), corners_(corners) {
        const double bb = dot(ab_, ab_), bc = dot(ab_, ac_), cc = dot(ac_, ac_), inverse = 1 / (bb * cc - bc * bc);
        toV_ = (ab_ * cc - ac_ * bc) * inverse;
        toW_ = (ac_ * bb - ab_ * bc) * inverse;
    }
    TextureCoordinate at(const Vec3& p) const {
        const Vec3d d = toDouble(p) - a_;
        const double v = dot(toV_, d), w = dot(toW_, d), u = 1 - v - w;
        return {float(u * double(corners_[0].u) + v * double(corners_[1].u) + w * double(corners_[2].u)),
                float(u * double(corners_[0].v) + v * double(corners_[1].v) + w * double(corners_[2].v))};
    }

private:
    Vec3d a_, ab_, ac_, toV_, toW_;
    std::array<TextureCoordinate, 3> corners_;
};

}  // namespace

void projectTexture(SurfaceMesh& mesh, Real repeat) {
    VertexSplitter splitter(mesh);
    const Real scale = 1 / repeat;
    for (auto& triangle : mesh.triangles) {
        const Vec3 n = areaVector(mesh, triangle), size = abs(n);
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
        for (std::uint32_t& vertex : triangle)
            splitter.set(vertex, project(mesh.positions[vertex], axis, component(n, axis) > 0, scale));
    }
}

void carryTexture(SurfaceMesh& mesh, const TexturedMesh& source, std::uint16_t slot) {
    const TriangleMesh tree(source.vertices, source.triangles);
    if (tree.triangles().empty())
        return;
    VertexSplitter splitter(mesh);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (mesh.slots[t] != slot)
            for (const std::uint32_t vertex : mesh.triangles[t])
                splitter.hold(vertex);
    std::vector<std::uint32_t> near;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (mesh.slots[t] != slot)
            continue;
        auto& triangle = mesh.triangles[t];
        const Vec3 a = mesh.positions[triangle[0]], b = mesh.positions[triangle[1]], c = mesh.positions[triangle[2]];
        const Real size = max(length(b - a), max(length(c - a), kEpsilon * length(a) + std::numeric_limits<Real>::min()));
        const std::uint32_t found = closestTriangle(tree, (a + b + c) / 3, size, near);
        const auto& v = tree.triangles()[found].vertices;
        const TriangleMapping mapping(toDouble(tree.vertices()[v[0]]), toDouble(tree.vertices()[v[1]]),
                                      toDouble(tree.vertices()[v[2]]), source.corners[tree.sourceIndex(found)]);
        for (std::uint32_t& vertex : triangle)
            splitter.set(vertex, mapping.at(mesh.positions[vertex]));
    }
}

}  // namespace sunder::geometry
