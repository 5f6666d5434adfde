// The elasticity of a thin shell: a membrane of constant strain, and a plate that bends (shell_bending.h).
//   [Bao07] IV   triangles; a membrane alone bends for free
// Membrane, with the gradients g of the shape functions in the plane and the rest frame T (3 x 2):
//     G = sym(T^T F_u),   P = T (2 mu G + lambda' tr(G) I),   lambda' = 2 lambda mu / (lambda + 2 mu)      plane stress
// Plate, with the curvature K of a triangle of area A:
//     energy A D / 2 ((1 - nu) K:K + nu tr(K)^2),   D = E t^3 / (12 (1 - nu^2))
// Deviation: the paper takes F - I, which does not exist for 3 x 2, and its shells resist no bending.
#pragma once

#include <array>

#include "elastic/shell/shell_mesh.h"
#include "elastic/solid/elastic_solid.h"
#include "elastic/solve/stiffness.h"

namespace sunder::elastic {

// 1/m: the gradients of the three shape functions, in the triangle's plane.
std::array<Vec3d, 3> gradientsOf(const ShellMesh& mesh, std::uint32_t triangle);

// Nodes, masses and components, for NodalLoads and rigid motions; no elements.
ElasticSolid lumpedShell(const ShellMesh& mesh, const ElasticMaterial& material);

// The stiffness of one component over Young's modulus. nodes: ascending.
Stiffness shellStiffness(const ShellMesh& mesh, const ElasticSolid& lumped, std::span<const std::uint32_t> nodes,
                         TaskRunner& runner);

}  // namespace sunder::elastic
