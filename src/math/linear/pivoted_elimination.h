// Gaussian elimination with partial pivoting: dense systems that are not symmetric.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace sunder::linear {

// matrix: x.size() rows of as many numbers; destroyed. x: the right-hand side, replaced by the solution. False where a column
// has no pivot at all; then x holds nothing of use.
template <class Scalar>
bool solvePivoted(std::span<Scalar> matrix, std::span<Scalar> x) {
    const std::size_t n = x.size();
    for (std::size_t k = 0; k < n; ++k) {
        Scalar* own = &matrix[k * n];
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            pivot = std::fabs(matrix[i * n + k]) > std::fabs(matrix[pivot * n + k]) ? i : pivot;
        if (!(std::fabs(matrix[pivot * n + k]) > 0))
            return false;
        if (pivot != k) {
            std::swap_ranges(own + k, own + n, &matrix[pivot * n + k]);
            std::swap(x[k], x[pivot]);
        }
        const Scalar inverse = 1 / own[k];
        for (std::size_t i = k + 1; i < n; ++i) {
            Scalar* row = &matrix[i * n];
            const Scalar f = row[k] * inverse;
            if (f == 0)
                continue;
            for (std::size_t j = k + 1; j < n; ++j)
                row[j] -= f * own[j];
            x[i] -= f * x[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        const Scalar* row = &matrix[i * n];
        for (std::size_t k = i + 1; k < n; ++k)
            x[i] -= row[k] * x[k];
        x[i] /= row[i];
    }
    return true;
}

}  // namespace sunder::linear
