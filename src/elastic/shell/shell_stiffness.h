// The elasticity of a thin shell: a membrane of constant strain, and a hinge at every edge.
//   [Bao07] IV   triangles; a membrane alone bends for free
// Membrane, with the gradients g of the shape functions in the plane and the rest frame T (3 x 2):
//     G = sym(T^T F_u),   P = T (2 mu G + lambda' tr(G) I),   lambda' = 2 lambda mu / (lambda + 2 mu)      plane stress
// Hinge, with the normals n and heights h of the two triangles over the edge (ends 0 and 1), s the foot of the height:
//     dtheta = sum over both of (n.u_across - (1 - s) n.u_0 - s n.u_1) / h,      curvature dtheta / d,   d = (h_a + h_b) / 3
//     energy 2/3 D dtheta^2 L / d,   D = E t^3 / (12 (1 - nu^2))
// which is that of a plate with Poisson's ratio 1/3 on triangles whose edges lie in all directions alike.
// Deviation: the paper takes F - I, which does not exist for 3 x 2, and its shells resist no bending.
#pragma once

#include <array>

#include "elastic/shell/shell_mesh.h"
#include "elastic/solid/elastic_solid.h"
#include "elastic/solve/stiffness.h"

namespace sunder::elastic {

// 1/m: the gradients of the three shape functions, in the triangle's plane.
std::array<Vec3d, 3> gradientsOf(const ShellMesh& mesh, std::uint32_t triangle);

struct Hinge {
    std::array<std::uint32_t, 4> vertices{};  // ends, across
    std::array<Vec3d, 4> slopes{};            // 1/m: of the angle
    double length = 0, width = 0;             // m: L and d
};
Hinge hingeOf(const ShellMesh& mesh, const ShellEdge& edge);

// Nodes, masses and components, for NodalLoads and rigid motions; no elements.
ElasticSolid lumpedShell(const ShellMesh& mesh, const ElasticMaterial& material);

// Of one component, over Young's modulus. nodes: ascending.
Stiffness shellStiffness(const ShellMesh& mesh, const ElasticSolid& lumped, std::span<const std::uint32_t> nodes,
                         TaskRunner& runner);

}  // namespace sunder::elastic
