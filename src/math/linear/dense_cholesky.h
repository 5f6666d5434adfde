// Cholesky factors L L^T of small dense symmetric matrices, in place: the lower triangle, row by row, `stride` numbers from one
// row to the next. Nothing is read or written above the diagonal.
//
//     for each row i, for each column j <= i:   s = a_ij - sum over k < j of l_ik l_jk
//         j < i:   l_ij = s / l_jj
//         j = i:   l_ii = sqrt(s)
//
// Sums run upwards in k. What is kept on the diagonal, and what becomes of a row without a pivot, is the choice of the caller:
//
//     SkippingPivot     the pivot l_ii itself. A row of which nothing is left after the rows before it, because it is locked or
//                       says what they say, has a pivot of zero and gets zero in every solution: for systems that may be
//                       semidefinite. Divides, which is exact where all rows are alone (a diagonal matrix).
//     InvertedPivot     1 / l_ii, so that a solve does not divide. A row without a pivot ends the factorisation: for systems
//                       that must be positive definite and are solved many times.
#pragma once

#include <cmath>

namespace sunder::linear {

struct SkippingPivot {
    static constexpr bool kMustBeDefinite = false;
    template <class Scalar>
    static Scalar of(Scalar rest) {
        return std::sqrt(rest);
    }
    template <class Scalar>
    static Scalar divide(Scalar sum, Scalar pivot) {
        return pivot > 0 ? sum / pivot : Scalar(0);
    }
};

struct InvertedPivot {
    static constexpr bool kMustBeDefinite = true;
    template <class Scalar>
    static Scalar of(Scalar rest) {
        return 1 / std::sqrt(rest);
    }
    template <class Scalar>
    static Scalar divide(Scalar sum, Scalar pivot) {
        return sum * pivot;
    }
};

// A row has no pivot where no more than the share `least` of its diagonal is left. False where a row has none.
template <class Pivot = SkippingPivot, class Scalar>
bool choleskyFactor(Scalar* matrix, int size, int stride, Scalar least) {
    bool isWhole = true;
    for (int i = 0; i < size; ++i) {
        Scalar* row = matrix + i * stride;
        const Scalar whole = row[i];
        for (int j = 0; j <= i; ++j) {
            const Scalar* other = matrix + j * stride;
            Scalar sum = row[j];
            for (int k = 0; k < j; ++k)
                sum -= row[k] * other[k];
            if (j < i) {
                row[j] = Pivot::divide(sum, other[j]);
            } else {
                const bool hasPivot = sum > least * whole;
                if (Pivot::kMustBeDefinite && !hasPivot)
                    return false;
                row[i] = hasPivot ? Pivot::of(sum) : Scalar(0);
                isWhole = isWhole && hasPivot;
            }
        }
    }
    return isWhole;
}

// x = L^-1 x
template <class Pivot = SkippingPivot, class Scalar>
void choleskyForward(const Scalar* factor, Scalar* x, int size, int stride) {
    for (int i = 0; i < size; ++i) {
        const Scalar* row = factor + i * stride;
        Scalar sum = x[i];
        for (int k = 0; k < i; ++k)
            sum -= row[k] * x[k];
        x[i] = Pivot::divide(sum, row[i]);
    }
}

// x = L^-T x, each unknown by a sum down its column: for a few rows.
template <class Pivot = SkippingPivot, class Scalar>
void choleskyBackward(const Scalar* factor, Scalar* x, int size, int stride) {
    for (int i = size - 1; i >= 0; --i) {
        Scalar sum = x[i];
        for (int k = i + 1; k < size; ++k)
            sum -= factor[k * stride + i] * x[k];
        x[i] = Pivot::divide(sum, factor[i * stride + i]);
    }
}

// x = L^-T x, each unknown taken from those above it along its row: for many rows, whose columns are far apart in memory. The
// sums run downwards, so that the last bits are others than choleskyBackward's.
template <class Pivot = SkippingPivot, class Scalar>
void choleskyBackwardByRows(const Scalar* factor, Scalar* x, int size, int stride) {
    for (int i = size - 1; i >= 0; --i) {
        const Scalar* row = factor + i * stride;
        const Scalar solved = x[i] = Pivot::divide(x[i], row[i]);
        for (int k = 0; k < i; ++k)
            x[k] -= row[k] * solved;
    }
}

template <class Pivot = SkippingPivot, class Scalar>
void choleskySolve(const Scalar* factor, Scalar* x, int size, int stride) {
    choleskyForward<Pivot>(factor, x, size, stride);
    choleskyBackward<Pivot>(factor, x, size, stride);
}

}  // namespace sunder::linear
