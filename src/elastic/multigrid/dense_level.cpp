#include "elastic/multigrid/dense_level.h"

#include <algorithm>
#include <cmath>

namespace sunder::elastic {

namespace {

// Stiffness of the springs between neighbours over that of the nodes.
constexpr double kSprings = 1e-3;
// A row of which no larger share of its diagonal is left depends on those before it: far above what rounding leaves, far below
// the softest bending.
constexpr double kPivotShare = 1e-10;

// Row j of the six: shifts along the axes, turns about them.
double rigidEntry(int motion, const Vec3d& r, int axis) {
    if (motion < 3)
        return motion == axis ? 1 : 0;
    const Vec3d turn{motion == 3 ? 1.0 : 0, motion == 4 ? 1.0 : 0, motion == 5 ? 1.0 : 0};
    const Vec3d moved = cross(turn, r);
    return axis == 0 ? moved.x : axis == 1 ? moved.y : moved.z;
}

}  // namespace

DenseLevel::DenseLevel(std::span<const Vec3d> positions, const BlockPattern& pattern, const BlockMatrix<double>& matrix)
    : size_(3 * pattern.rows()), upper_(size_ * size_, 0.0), inverse_(size_), work_(size_) {
    const auto put = [&](std::size_t row, std::size_t column, const double* block) {
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                upper_[(3 * row + a) * size_ + 3 * column + b] = block[3 * b + a];
    };
    for (std::size_t row = 0; row < pattern.rows(); ++row) {
        put(row, row, matrix.diagonal.data() + kBlockSize * row);
        for (std::uint32_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k)
            put(row, pattern.columns[k], matrix.values.data() + kBlockSize * k);
    }
    std::vector<double> stiffness(pattern.rows());
    for (std::size_t i = 0; i < size_; ++i)
        stiffness[i / 3] += upper_[i * size_ + i] / 3;
    addSprings(positions, pattern, stiffness);
    addRigidMotions(positions, stiffness);
    factor();
}

void DenseLevel::addSprings(std::span<const Vec3d> positions, const BlockPattern& pattern, std::span<const double> stiffness) {
    for (std::size_t row = 0; row < pattern.rows(); ++row)
        for (std::uint32_t k = pattern.middle[row]; k < pattern.first[row + 1]; ++k) {
            const std::size_t other = pattern.columns[k];
            const Vec3d n = normalizeOr(positions[other] - positions[row], {});
            const double along[3] = {n.x, n.y, n.z}, spring = kSprings * std::sqrt(stiffness[row] * stiffness[other]);
            for (std::size_t a = 0; a < 3; ++a)
                for (std::size_t b = 0; b < 3; ++b) {
                    const double value = spring * along[a] * along[b];
                    upper_[(3 * row + a) * size_ + 3 * row + b] += value;
                    upper_[(3 * other + a) * size_ + 3 * other + b] += value;
                    upper_[(3 * row + a) * size_ + 3 * other + b] -= value;
                }
        }
}

void DenseLevel::addRigidMotions(std::span<const Vec3d> positions, std::span<const double> stiffness) {
    Vec3d centre;
    double whole = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        centre += positions[i] * stiffness[i];
        whole += stiffness[i];
    }
    centre = centre * (1 / whole);
    const auto product = [&](const std::vector<double>& u, const std::vector<double>& v) {
        double sum = 0;
        for (std::size_t i = 0; i < size_; ++i)
            sum += stiffness[i / 3] * u[i] * v[i];
        return sum;
    };
    std::vector<std::vector<double>> motions;
    for (int m = 0; m < 6; ++m) {
        std::vector<double> motion(size_);
        for (std::size_t i = 0; i < size_; ++i)
            motion[i] = rigidEntry(m, positions[i / 3] - centre, int(i % 3));
        const double before = product(motion, motion);
        for (const std::vector<double>& other : motions) {
            const double along = product(other, motion);
            for (std::size_t i = 0; i < size_; ++i)
                motion[i] -= along * other[i];
        }
        const double left = product(motion, motion);
        if (!(left > kPivotShare * before))
            continue;
        for (double& x : motion)
            x /= std::sqrt(left);
        motions.push_back(std::move(motion));
    }
    for (const std::vector<double>& motion : motions)
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = i; j < size_; ++j)
                upper_[i * size_ + j] += stiffness[i / 3] * motion[i] * motion[j] * stiffness[j / 3];
}

void DenseLevel::factor() {
    for (std::size_t k = 0; k < size_; ++k)
        work_[k] = upper_[k * size_ + k];
    for (std::size_t k = 0; k < size_; ++k) {
        double* pivotRow = upper_.data() + k * size_;
        inverse_[k] = pivotRow[k] > kPivotShare * work_[k] ? 1 / std::sqrt(pivotRow[k]) : 0;
        for (std::size_t j = k; j < size_; ++j)
            pivotRow[j] *= inverse_[k];
        for (std::size_t i = k + 1; i < size_; ++i) {
            const double f = pivotRow[i];
            double* row = upper_.data() + i * size_;
            for (std::size_t j = i; j < size_; ++j)
                row[j] -= f * pivotRow[j];
        }
    }
}

void DenseLevel::solve(const float* b, float* x) {
    for (std::size_t i = 0; i < size_; ++i)
        work_[i] = double(b[i / 3 * 4 + i % 3]);
    for (std::size_t k = 0; k < size_; ++k) {
        const double* row = upper_.data() + k * size_;
        const double y = work_[k] *= inverse_[k];
        for (std::size_t j = k + 1; j < size_; ++j)
            work_[j] -= y * row[j];
    }
    for (std::size_t k = size_; k-- > 0;) {
        const double* row = upper_.data() + k * size_;
        double sums[4] = {};
        std::size_t j = k + 1;
        for (; j + 4 <= size_; j += 4)
            for (int n = 0; n < 4; ++n)
                sums[n] += row[j + n] * work_[j + n];
        for (; j < size_; ++j)
            sums[0] += row[j] * work_[j];
        work_[k] = (work_[k] - ((sums[0] + sums[1]) + (sums[2] + sums[3]))) * inverse_[k];
    }
    for (std::size_t i = 0; i < size_; ++i)
        x[i / 3 * 4 + i % 3] = float(work_[i]);
}

}  // namespace sunder::elastic
