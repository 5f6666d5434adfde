// Small symmetric positive matrices: Cholesky factors in place, lower triangle by rows. In double whatever Real is: the masses
// along a chain may differ by thousands.
#pragma once

#include <cmath>

namespace sunder::dynamics {

// A row in which nothing answers any more, of whose diagonal no more than the share `least` is left (locked axes, or a row that
// says what others say), has a pivot of zero: it gets no impulse.
inline void choleskyFactor(double* matrix, int size, int stride, double least) {
    for (int i = 0; i < size; ++i) {
        const double whole = matrix[i * stride + i];
        for (int j = 0; j <= i; ++j) {
            double sum = matrix[i * stride + j];
            for (int k = 0; k < j; ++k)
                sum -= matrix[i * stride + k] * matrix[j * stride + k];
            const double pivot = matrix[j * stride + j];
            matrix[i * stride + j] = i == j ? (sum > least * whole ? std::sqrt(sum) : 0) : (pivot > 0 ? sum / pivot : 0);
        }
    }
}

// x = L^-1 x
inline void choleskyForward(const double* factor, double* x, int size, int stride) {
    for (int i = 0; i < size; ++i) {
        double sum = x[i];
        for (int k = 0; k < i; ++k)
            sum -= factor[i * stride + k] * x[k];
        const double pivot = factor[i * stride + i];
        x[i] = pivot > 0 ? sum / pivot : 0;
    }
}

// x = L^-T x
inline void choleskyBackward(const double* factor, double* x, int size, int stride) {
    for (int i = size - 1; i >= 0; --i) {
        double sum = x[i];
        for (int k = i + 1; k < size; ++k)
            sum -= factor[k * stride + i] * x[k];
        const double pivot = factor[i * stride + i];
        x[i] = pivot > 0 ? sum / pivot : 0;
    }
}

inline void choleskySolve(const double* factor, double* x, int size, int stride) {
    choleskyForward(factor, x, size, stride);
    choleskyBackward(factor, x, size, stride);
}

}  // namespace sunder::dynamics
