// The rest shape of a tetrahedron and its inverse, in double.
//   [Parker09] 3, [IO06]   the singular values of the inverse of a badly shaped tetrahedron are clamped
#pragma once

#include <array>
#include <vector>

#include "geometry/tets/tet_mesh.h"

namespace sunder::deformable {

struct RestShape {
    std::array<double, 9> edges{};    // by rows: columns are the edges from node 0
    std::array<double, 9> beta{};     // its inverse
    std::array<double, 9> clamped{};  // with clamped singular values
    double volume = 0;
    bool isClamped = false;
};

RestShape restShapeOf(const std::vector<Vec3>& nodes, const geometry::TetCorners& tet);

}  // namespace sunder::deformable
