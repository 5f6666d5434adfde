#include "fracture/prescored/piece_mass.h"

#include <algorithm>
#include <cmath>

namespace sunder::fracture {

using geometry::Grid;
using geometry::MassProperties;

namespace {

// Largest relative stretch of the pieces that makes their inertia add up. Splinters of a few nodes need a good part of it: with
// less, pieces that spin fast lose angular momentum when they break. Where the user gave the inertia a larger stretch than this
// share would move the pieces away from their geometry.
constexpr double kMostStretch = 1, kMostGivenStretch = 0.1;

using Matrix = std::array<std::array<double, 3>, 3>;  // rows
// Index in a Symmetric of an entry by row and column.
constexpr int kEntry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

// Inertia from the integral of x x^T and back: I = tr(S) - S, S = tr(I) / 2 - I.
Symmetric inertiaOf(const Symmetric& s) { return {s[1] + s[2], s[0] + s[2], s[0] + s[1], -s[3], -s[4], -s[5]}; }
Symmetric secondMomentsOf(const Symmetric& inertia) {
    const double half = 0.5 * (inertia[0] + inertia[1] + inertia[2]);
    return {half - inertia[0], half - inertia[1], half - inertia[2], -inertia[3], -inertia[4], -inertia[5]};
}

// Lower triangular L with L L^T = s; false where s is not positive definite.
bool cholesky(const Symmetric& s, Matrix& L) {
    L = {};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = s[kEntry[i][j]];
            for (int k = 0; k < j; ++k)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0))
                return false;
            L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
        }
    return true;
}

// A with A L' = L for lower triangular matrices; then A S' A^T = S.
Matrix stretchBetween(const Matrix& from, const Matrix& to) {
    Matrix A{};
    for (int i = 0; i < 3; ++i)
        for (int j = i; j >= 0; --j) {
            double sum = to[i][j];
            for (int k = j + 1; k <= i; ++k)
                sum -= A[i][k] * from[k][j];
            A[i][j] = sum / from[j][j];
        }
    return A;
}

bool isWithin(const Matrix& A, double limit) {
    double most = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            most = std::max(most, std::fabs(A[i][j] - (i == j ? 1 : 0)));
    return most <= limit;
}

Symmetric stretched(const Matrix& A, const Symmetric& s) {
    Symmetric result{};
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) {
            double sum = 0;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l)
                    sum += A[i][k] * s[kEntry[k][l]] * A[j][l];
            result[kEntry[i][j]] = sum;
        }
    return result;
}

Vec3d centerOf(const MassProperties& mass) { return {mass.center[0], mass.center[1], mass.center[2]}; }

// x with s x = b for a positive definite s; zero where it is not.
Vec3d solve(const Symmetric& s, const Vec3d& b) {
    Matrix L;
    if (!cholesky(s, L))
        return {};
    const double y0 = b.x / L[0][0], y1 = (b.y - L[1][0] * y0) / L[1][1];
    const double y2 = (b.z - L[2][0] * y0 - L[2][1] * y1) / L[2][2];
    const double z = y2 / L[2][2], y = (y1 - L[2][1] * z) / L[1][1];
    return {(y0 - L[1][0] * y - L[2][0] * z) / L[0][0], y, z};
}

}  // namespace

MassProperties massOfSums(const NodeSums& sums, int fullCell, const Grid& grid) {
    if (sums[0] <= 0)
        return {};
    const double count = double(sums[0]), h = grid.cell;
    const double cells = count / fullCell, volume = cells * h * h * h;
    const double cx = double(sums[1]) / count, cy = double(sums[2]) / count, cz = double(sums[3]) / count;
    const double own = 1.0 / 12;  // second moment of the cube about each node, in cells
    const double scale = volume * h * h;
    const auto moment = [&](int entry, double a, double b) {
        return scale * (double(sums[std::size_t(entry)]) / count - a * b);
    };
    const Symmetric second = {moment(4, cx, cx) + scale * own,
                              moment(5, cy, cy) + scale * own,
                              moment(6, cz, cz) + scale * own,
                              moment(7, cx, cy),
                              moment(8, cx, cz),
                              moment(9, cy, cz)};
    return {volume,
            {double(grid.origin.x) + cx * h, double(grid.origin.y) + cy * h, double(grid.origin.z) + cz * h},
            inertiaOf(second)};
}

void addUpTo(const MassProperties& whole, std::span<MassProperties> pieces, bool isGiven) {
    const MassProperties sum = geometry::combined(pieces);
    if (!(sum.volume > 0) || !(whole.volume > 0))
        return;
    const double factor = whole.volume / sum.volume;
    Symmetric scaledSum = sum.inertia;
    for (double& entry : scaledSum)
        entry *= factor;
    Matrix from, to, A{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Vec3d center = centerOf(whole);
    if (cholesky(secondMomentsOf(scaledSum), from) && cholesky(secondMomentsOf(whole.inertia), to)) {
        const Matrix stretch = stretchBetween(from, to);
        if (isWithin(stretch, isGiven ? kMostGivenStretch : kMostStretch))
            A = stretch;
    }
    for (MassProperties& piece : pieces) {
        piece.volume *= factor;
        for (double& entry : piece.inertia)
            entry *= factor;
        const Vec3d offset = centerOf(piece) - centerOf(sum);
        const Vec3d moved = center + Vec3d{A[0][0] * offset.x + A[0][1] * offset.y + A[0][2] * offset.z,
                                           A[1][0] * offset.x + A[1][1] * offset.y + A[1][2] * offset.z,
                                           A[2][0] * offset.x + A[2][1] * offset.y + A[2][2] * offset.z};
        piece.center = {moved.x, moved.y, moved.z};
        piece.inertia = inertiaOf(stretched(A, secondMomentsOf(piece.inertia)));
    }
}

std::vector<Motion> motionOfPieces(const MassProperties& whole, const Motion& motion, std::span<const MassProperties> pieces) {
    const MassProperties sum = geometry::combined(pieces);
    const Vec3d center = centerOf(sum), w = motion.angularVelocity;
    // Momentum and angular momentum about the whole's centre, moved to the common centre of the pieces.
    const double factor = sum.volume > 0 ? whole.volume / sum.volume : 1;
    const Vec3d velocity = motion.velocity * factor;
    const Vec3d L = times(whole.inertia, w) + cross(centerOf(whole) - center, motion.velocity) * whole.volume;
    Vec3d common = solve(sum.inertia, L);
    const double before = dot(w, times(whole.inertia, w)) + whole.volume * dot(motion.velocity, motion.velocity);
    const double linear = sum.volume * dot(velocity, velocity), rotational = dot(common, L);
    if (linear + rotational > before && rotational > 0)
        common = common * std::sqrt(std::max(before - linear, 0.0) / rotational);
    std::vector<Motion> result;
    result.reserve(pieces.size());
    for (const MassProperties& piece : pieces)
        result.push_back({velocity + cross(common, centerOf(piece) - center), common});
    return result;
}

}  // namespace sunder::fracture
