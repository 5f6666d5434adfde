// Bordering for a row that comes or goes, Sherman and Morrison's formula for a column that changes.
#include "dynamics/analytic/active_inverse.h"

#include <algorithm>
#include <cmath>

namespace sunder::dynamics {

namespace {

// A pivot below this share of the sizes that were subtracted to get it is rounding.
constexpr double kSingular = 1e-11;

}  // namespace

std::size_t ActiveInverse::positionOf(std::size_t row) const {
    return std::size_t(std::find(rows_.begin(), rows_.end(), row) - rows_.begin());
}

void ActiveInverse::multiply(const std::vector<double>& v, std::vector<double>& x) const {
    const std::size_t k = rows_.size();
    x.assign(k, 0);
    for (std::size_t i = 0; i < k; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < k; ++j)
            sum += inverse_[i * k + j] * v[j];
        x[i] = sum;
    }
}

bool ActiveInverse::add(std::size_t row) {
    const std::size_t k = rows_.size(), n = k + 1;
    std::vector<double> column(k), lower(k), x, y(k, 0);
    for (std::size_t i = 0; i < k; ++i) {
        column[i] = entry_(rows_[i], row);
        lower[i] = entry_(row, rows_[i]);
    }
    multiply(column, x);
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j < k; ++j)
            y[j] += lower[i] * inverse_[i * k + j];
    const double corner = entry_(row, row);
    double schur = corner;
    for (std::size_t i = 0; i < k; ++i)
        schur -= lower[i] * x[i];
    rows_.push_back(row);
    if (!(std::fabs(schur) > kSingular * std::fabs(corner)))
        return false;
    next_.assign(n * n, 0);
    for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t j = 0; j < k; ++j)
            next_[i * n + j] = inverse_[i * k + j] + x[i] * y[j] / schur;
        next_[i * n + k] = -x[i] / schur;
        next_[k * n + i] = -y[i] / schur;
    }
    next_[k * n + k] = 1 / schur;
    std::swap(inverse_, next_);
    return true;
}

bool ActiveInverse::remove(std::size_t row) {
    const std::size_t k = rows_.size(), p = positionOf(row), n = k - 1;
    const double pivot = inverse_[p * k + p];
    double size = 0;
    for (std::size_t i = 0; i < k; ++i)
        size = std::max(size, std::fabs(inverse_[p * k + i]));
    next_.assign(n * n, 0);
    const bool isGood = std::fabs(pivot) > kSingular * size;
    for (std::size_t i = 0; i < k && isGood; ++i) {
        if (i == p)
            continue;
        for (std::size_t j = 0; j < k; ++j)
            if (j != p)
                next_[(i - (i > p)) * n + (j - (j > p))] =
                    inverse_[i * k + j] - inverse_[i * k + p] * inverse_[p * k + j] / pivot;
    }
    rows_.erase(rows_.begin() + std::ptrdiff_t(p));
    std::swap(inverse_, next_);
    return isGood;
}

bool ActiveInverse::changeColumn(std::size_t row, const std::vector<double>& change) {
    const std::size_t k = rows_.size(), p = positionOf(row);
    std::vector<double> x;
    multiply(change, x);
    const double scale = 1 + x[p];
    if (!(std::fabs(scale) > kSingular))
        return false;
    const std::vector<double> pivotRow(inverse_.begin() + std::ptrdiff_t(p * k),
                                       inverse_.begin() + std::ptrdiff_t((p + 1) * k));
    for (std::size_t i = 0; i < k; ++i) {
        const double factor = x[i] / scale;
        for (std::size_t j = 0; j < k; ++j)
            inverse_[i * k + j] -= factor * pivotRow[j];
    }
    return true;
}

bool ActiveInverse::refactor() {
    const std::size_t k = rows_.size();
    std::vector<double> m(k * k);
    inverse_.assign(k * k, 0);
    double size = 0;
    for (std::size_t i = 0; i < k; ++i) {
        inverse_[i * k + i] = 1;
        for (std::size_t j = 0; j < k; ++j) {
            m[i * k + j] = entry_(rows_[i], rows_[j]);
            size = std::max(size, std::fabs(m[i * k + j]));
        }
    }
    for (std::size_t c = 0; c < k; ++c) {
        std::size_t best = c;
        for (std::size_t i = c + 1; i < k; ++i)
            if (std::fabs(m[i * k + c]) > std::fabs(m[best * k + c]))
                best = i;
        const double pivot = m[best * k + c];
        if (!(std::fabs(pivot) > kSingular * size))
            return false;
        for (std::size_t j = 0; j < k; ++j) {
            std::swap(m[best * k + j], m[c * k + j]);
            std::swap(inverse_[best * k + j], inverse_[c * k + j]);
            m[c * k + j] /= pivot;
            inverse_[c * k + j] /= pivot;
        }
        for (std::size_t i = 0; i < k; ++i) {
            const double factor = m[i * k + c];
            if (i == c || factor == 0)
                continue;
            for (std::size_t j = 0; j < k; ++j) {
                m[i * k + j] -= factor * m[c * k + j];
                inverse_[i * k + j] -= factor * inverse_[c * k + j];
            }
        }
    }
    return true;
}

}  // namespace sunder::dynamics
