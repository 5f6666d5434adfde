// How the triangles of a thin shell bend: the curvature of each from the angles at its edges.
//   Onate, Cervera: rotation-free plate triangles (1993): the curvature is the change of slope across a triangle's sides over
//   its area, and the slope at a side is the mean of the two triangles that meet there.
//     K = sum over sides of  dtheta L / (2 A) m m^T,          m: across the side, in the triangle's plane
//     dtheta = sum over both triangles of (n.u_across - (1 - s) n.u_0 - s n.u_1) / h
// with the normals n and heights h of the two triangles over the edge (ends 0 and 1), s the foot of the height. A uniform
// curvature comes out exactly where any two neighbours are a parallelogram. The three m m^T are independent, so K is 0 only
// where no edge bends. Free sides have no angle.
#pragma once

#include <span>

#include "elastic/shell/shell_mesh.h"

namespace sunder::elastic {

// Unit axes in the plane of a triangle; (x, y, its normal) is right-handed.
struct PlaneFrame {
    Vec3d x, y;
};
PlaneFrame frameOf(const ShellMesh& mesh, std::uint32_t triangle);

// A tensor in the plane of a triangle: along its two axes.
struct PlaneTensor {
    double xx = 0, yy = 0, xy = 0;
};

// The edges of every triangle: those of triangle t are edges[first[t]] to edges[first[t + 1]].
struct TriangleEdges {
    std::vector<std::uint32_t> first, edges;
};
TriangleEdges edgesOfTriangles(const ShellMesh& mesh);

// The curvature of a triangle as a sum over its corners and the vertices beyond its edges, 1/m: positive where it bends towards
// its normal.
struct Bending {
    // Corners, and one for each edge: a side has at most two, where more than two triangles meet.
    static constexpr std::size_t kMost = 9;
    std::size_t count = 3;
    std::array<std::uint32_t, kMost> vertices{};
    std::array<Vec3d, kMost> xx{}, yy{}, xy{};  // 1/m^2

    PlaneTensor curvature(std::span<const Vec3d> displacements) const;
};
Bending bendingOf(const ShellMesh& mesh, const TriangleEdges& edges, std::uint32_t triangle);

// 1 where the triangle on that side of an edge faces as it would with the edge's first end before the second, else -1.
double facing(const ShellMesh& mesh, const ShellEdge& edge, std::size_t side);

}  // namespace sunder::elastic
