// The stiffness of one component of a solid as a matrix.
//   [Bao07] IV   f = P B_m, linear in u: K_cd = V (lambda g_c g_d^T + mu g_d g_c^T + mu (g_c . g_d) I)
// Divided by Young's modulus, so that numbers are of the size of lengths whatever the material.
// Deviation: the paper's M is -K.
#pragma once

#include <vector>

#include "elastic/solid/elastic_solid.h"
#include "elastic/solve/block_matrix.h"

namespace sunder::elastic {

struct Stiffness {
    std::vector<std::uint32_t> node;  // of the solid, by row
    std::vector<Vec3d> positions;     // m, by row
    std::vector<double> volumes;      // m^3, by row: of its mass
    BlockPattern pattern;
    BlockMatrix<double> matrix;  // m
    double cubeSize = 0;         // m: of a cubic lattice whose tetrahedra are as large as most of the volume's

    Stiffness() = default;
    // nodes: those of the component, ascending; elements: likewise.
    Stiffness(const ElasticSolid& solid, std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> elements,
              TaskRunner& runner);
};

}  // namespace sunder::elastic
