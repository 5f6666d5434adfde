// Eigenvalues and eigenvectors of symmetric 3 x 3 matrices in double, with the same bits on every machine.
#pragma once

#include <array>

namespace sunder {

struct SymmetricEigen {
    std::array<double, 3> values{};
    // vectors[row][column]: column i belongs to values[i]. A rotation (determinant +1), as near to the identity as the
    // order of the values allows: a matrix that is already diagonal keeps its axes and their order.
    std::array<std::array<double, 3>, 3> vectors{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

// Entries in the order xx yy zz xy xz yz.
SymmetricEigen symmetricEigen(const std::array<double, 6>& matrix);

}  // namespace sunder
