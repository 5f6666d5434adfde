#include "dynamics/contact/heavy/kept_factor.h"

#include <algorithm>
#include <cmath>

namespace sunder::dynamics {

bool KeptFactor::solve(std::span<const double> matrix, std::size_t stride, std::span<const std::uint32_t> rows,
                       std::span<double> values) {
    if (!isValid_ || !std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end())) {
        rows_.assign(rows.begin(), rows.end());
        isValid_ = factorise(matrix, stride);
        if (!isValid_)
            return false;
    }
    const std::size_t n = rows.size();
    for (std::size_t i = 0; i < n; ++i) {
        const double* row = &lower_[i * n];
        double sum = values[i];
        for (std::size_t k = 0; k < i; ++k)
            sum -= row[k] * values[k];
        values[i] = sum * inverse_[i];
    }
    for (std::size_t i = n; i-- > 0;) {
        const double* row = &lower_[i * n];
        const double x = values[i] *= inverse_[i];
        for (std::size_t k = 0; k < i; ++k)
            values[k] -= row[k] * x;
    }
    return true;
}

bool KeptFactor::factorise(std::span<const double> matrix, std::size_t stride) {
    const std::size_t n = rows_.size();
    lower_.resize(n * n);
    inverse_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        double* row = &lower_[i * n];
        const double* from = &matrix[rows_[i] * stride];
        double diagonal = from[rows_[i]];
        for (std::size_t j = 0; j < i; ++j) {
            const double* other = &lower_[j * n];
            double sum = from[rows_[j]];
            for (std::size_t k = 0; k < j; ++k)
                sum -= row[k] * other[k];
            row[j] = sum * inverse_[j];
            diagonal -= row[j] * row[j];
        }
        if (!(diagonal > 0))
            return false;
        inverse_[i] = 1 / std::sqrt(diagonal);
    }
    return true;
}

}  // namespace sunder::dynamics
