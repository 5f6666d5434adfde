// The coarsest level, solved by a dense factor: A + s R R^T = U^T U, with R the six rigid motions of its nodes, orthonormal: A
// does not resist them, and loads have no part along them.
// Nodes that only interpolate what others do already (corners that share one fine node) make rows that depend on others. Such
// rows are left out: any lift of theirs would be soft against motions that are rigid for the fine nodes, and amplify rounding.
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
    void addRigidMotions(std::span<const Vec3d> positions);
    void factor();

    std::size_t size_ = 0;
    std::vector<double> upper_;  // rows of U from the diagonal on count; 1 over the pivots in inverse_
    std::vector<double> inverse_, work_;
};

}  // namespace sunder::elastic
