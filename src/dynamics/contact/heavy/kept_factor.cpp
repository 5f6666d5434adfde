#include "dynamics/contact/heavy/kept_factor.h"

#include <algorithm>

#include "math/linear/dense_cholesky.h"

namespace sunder::dynamics {

namespace {
using Pivot = linear::InvertedPivot;
}  // namespace

bool KeptFactor::solve(std::span<const double> matrix, std::size_t stride, std::span<const std::uint32_t> rows,
                       std::span<double> values) {
    if (!isValid_ || !std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end())) {
        rows_.assign(rows.begin(), rows.end());
        isValid_ = factorise(matrix, stride);
        if (!isValid_)
            return false;
    }
    const int n = static_cast<int>(rows.size());
    linear::choleskyForward<Pivot>(lower_.data(), values.data(), n, n);
    linear::choleskyBackwardByRows<Pivot>(lower_.data(), values.data(), n, n);
    return true;
}

bool KeptFactor::factorise(std::span<const double> matrix, std::size_t stride) {
    const std::size_t n = rows_.size();
    lower_.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        const double* from = matrix.data() + rows_[i] * stride;
        for (std::size_t j = 0; j <= i; ++j)
            lower_[i * n + j] = from[rows_[j]];
    }
    return linear::choleskyFactor<Pivot>(lower_.data(), static_cast<int>(n), static_cast<int>(n), 0.0);
}

}  // namespace sunder::dynamics
