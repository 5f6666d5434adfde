// Cyclic Jacobi rotations. Each turns by at most 45 degrees, so axes are not permuted without need; three to five sweeps
// reach full precision, and the fixed order of the sweeps makes the result reproducible.
#include "math/eigen.h"

#include <cmath>
#include <limits>

namespace sunder {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

// Convergence is quadratic; the bound only guards against non-finite input.
constexpr int kMaxSweeps = 32;

// Makes a[p][q] zero and turns the columns of v along.
void jacobiRotate(Matrix& a, Matrix& v, int p, int q) {
    const double offDiagonal = a[p][q];
    const double tau = (a[q][q] - a[p][p]) / (2 * offDiagonal);
    // The smaller root of t^2 + 2 tau t - 1 = 0. tau^2 may overflow to infinity, and t is then 0 as it should be.
    const double t = (tau >= 0 ? 1.0 : -1.0) / (std::fabs(tau) + std::sqrt(1 + tau * tau));
    const double cosine = 1 / std::sqrt(1 + t * t), sine = t * cosine;
    a[p][p] -= t * offDiagonal;
    a[q][q] += t * offDiagonal;
    a[p][q] = a[q][p] = 0;
    const int r = 3 - p - q;
    const double rp = a[r][p], rq = a[r][q];
    a[r][p] = a[p][r] = cosine * rp - sine * rq;
    a[r][q] = a[q][r] = sine * rp + cosine * rq;
    for (auto& row : v) {
        const double vp = row[p], vq = row[q];
        row[p] = cosine * vp - sine * vq;
        row[q] = sine * vp + cosine * vq;
    }
}

}  // namespace

SymmetricEigen symmetricEigen(const std::array<double, 6>& m) {
    Matrix a{{{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}}};
    SymmetricEigen result;
    constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        bool done = true;
        for (const auto& pair : kPairs) {
            const int p = pair[0], q = pair[1];
            const double negligible =
                0.5 * std::numeric_limits<double>::epsilon() * std::sqrt(std::fabs(a[p][p]) * std::fabs(a[q][q]));
            if (std::fabs(a[p][q]) <= negligible)
                continue;
            jacobiRotate(a, result.vectors, p, q);
            done = false;
        }
        if (done)
            break;
    }
    result.values = {a[0][0], a[1][1], a[2][2]};
    return result;
}

}  // namespace sunder
