#include "elastic/shell/shell_bending.h"

#include <algorithm>
#include <cmath>

namespace sunder::elastic {

namespace {

struct Hinge {
    std::array<std::uint32_t, 4> vertices{};  // ends, across
    std::array<Vec3d, 4> slopes{};            // 1/m: of the angle
    double length = 0;                        // m
};

Hinge hingeOf(const ShellMesh& mesh, const ShellEdge& edge) {
    Hinge hinge;
    hinge.vertices = {edge.ends[0], edge.ends[1], edge.across[0], edge.across[1]};
    const Vec3d& from = mesh.vertices[edge.ends[0]];
    const Vec3d along = mesh.vertices[edge.ends[1]] - from;
    const double squared = dot(along, along);
    hinge.length = std::sqrt(squared);
    for (std::size_t side = 0; side < 2; ++side) {
        const Vec3d off = mesh.vertices[edge.across[side]] - from;
        const Vec3d normal = side == 0 ? cross(along, off) : cross(off, along);
        const double twice = std::sqrt(dot(normal, normal)), height = twice / hinge.length, foot = dot(off, along) / squared;
        const Vec3d slope = normal * (1 / (twice * height));
        hinge.slopes[2 + side] = slope;
        hinge.slopes[0] += slope * (foot - 1);
        hinge.slopes[1] += slope * -foot;
    }
    return hinge;
}

}  // namespace

PlaneFrame frameOf(const ShellMesh& mesh, std::uint32_t triangle) {
    const ShellTriangle& t = mesh.triangles[triangle];
    const Vec3d along = mesh.vertices[t[1]] - mesh.vertices[t[0]], normal = normalOf(mesh, triangle);
    const Vec3d x = along * (1 / std::sqrt(dot(along, along)));
    return {x, cross(normal * (1 / std::sqrt(dot(normal, normal))), x)};
}

TriangleEdges edgesOfTriangles(const ShellMesh& mesh) {
    TriangleEdges out;
    out.first.assign(mesh.triangles.size() + 1, 0);
    for (const ShellEdge& edge : mesh.edges)
        for (const std::uint32_t triangle : edge.triangles)
            ++out.first[triangle + 1];
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        out.first[t + 1] += out.first[t];
    out.edges.resize(out.first.back());
    std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
    for (std::uint32_t e = 0; e < mesh.edges.size(); ++e)
        for (const std::uint32_t triangle : mesh.edges[e].triangles)
            out.edges[next[triangle]++] = e;
    return out;
}

double facing(const ShellMesh& mesh, const ShellEdge& edge, std::size_t side) {
    const Vec3d& from = mesh.vertices[edge.ends[0]];
    const Vec3d along = mesh.vertices[edge.ends[1]] - from, off = mesh.vertices[edge.across[side]] - from;
    const Vec3d normal = side == 0 ? cross(along, off) : cross(off, along);
    return dot(normal, normalOf(mesh, edge.triangles[side])) > 0 ? 1 : -1;
}

Bending bendingOf(const ShellMesh& mesh, const TriangleEdges& edges, std::uint32_t triangle) {
    const ShellTriangle& corners = mesh.triangles[triangle];
    const Vec3d normal = normalOf(mesh, triangle);
    const double twice = std::sqrt(dot(normal, normal));
    const PlaneFrame frame = frameOf(mesh, triangle);
    Bending out;
    std::copy(corners.begin(), corners.end(), out.vertices.begin());
    for (std::uint32_t k = edges.first[triangle]; k < edges.first[triangle + 1] && out.count < Bending::kMost; ++k) {
        const ShellEdge& edge = mesh.edges[edges.edges[k]];
        const std::size_t side = edge.triangles[0] == triangle ? 0 : 1;
        const Hinge hinge = hingeOf(mesh, edge);
        const Vec3d along = mesh.vertices[edge.ends[1]] - mesh.vertices[edge.ends[0]];
        const double mx = dot(along, frame.y) / hinge.length, my = -dot(along, frame.x) / hinge.length;
        const double factor = facing(mesh, edge, side) * hinge.length / twice;
        out.vertices[out.count] = edge.across[1 - side];
        for (std::size_t i = 0; i < 4; ++i) {
            const auto corner = std::size_t(std::find(corners.begin(), corners.end(), hinge.vertices[i]) - corners.begin());
            const std::size_t place = i == 3 - side ? out.count : corner;
            out.xx[place] += hinge.slopes[i] * (factor * mx * mx);
            out.yy[place] += hinge.slopes[i] * (factor * my * my);
            out.xy[place] += hinge.slopes[i] * (factor * mx * my);
        }
        ++out.count;
    }
    return out;
}

PlaneTensor Bending::curvature(std::span<const Vec3d> displacements) const {
    PlaneTensor K;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d& u = displacements[vertices[i]];
        K.xx += dot(xx[i], u);
        K.yy += dot(yy[i], u);
        K.xy += dot(xy[i], u);
    }
    return K;
}

}  // namespace sunder::elastic
