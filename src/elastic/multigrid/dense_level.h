// The coarsest level, solved by a dense factor of A + S + (D R) (D R)^T = U^T U.
//     R   the six rigid motions, orthonormal with the weights D: A does not resist them, and loads have no part along them.
//     D   the stiffness of each node, the mean of its diagonal. Without it, nodes that hardly touch the body (their cubes hold
//         the edge of it) could balance the mean motion of all others at no cost.
//     S   weak springs between neighbours, against motions of such nodes that no fine node feels.
// A lift of the diagonal would do for both, but resist rigid motions of the fine nodes so little that the rounding of the loads
// becomes a rigid motion in which, in float, all else drowns.
#pragma once

#include <span>
#include <vector>

#include "elastic/solve/block_matrix.h"
#include "math/vec3d.h"

namespace sunder::elastic {

class DenseLevel {
public:
    DenseLevel() = default;
    DenseLevel(std::span<const Vec3d> positions, const BlockPattern& pattern, const BlockMatrix<double>& matrix);

    // x = A^-1 b; four numbers per row in both, three of them used.
    void solve(const float* b, float* x);

private:
    void addSprings(std::span<const Vec3d> positions, const BlockPattern& pattern, std::span<const double> stiffness);
    void addRigidMotions(std::span<const Vec3d> positions, std::span<const double> stiffness);
    void factor();

    std::size_t size_ = 0;
    std::vector<double> upper_;  // rows of U from the diagonal on count; 1 over the pivots in inverse_
    std::vector<double> inverse_, work_;
};

}  // namespace sunder::elastic
