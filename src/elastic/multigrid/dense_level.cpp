#include "elastic/multigrid/dense_level.h"

#include <algorithm>
#include <cmath>

namespace sunder::elastic {

namespace {

// A row of which no larger share of its diagonal is left depends on those before it: far above what rounding leaves, far below
// the softest bending.
constexpr double kLeastShare = 1e-10;

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
    addRigidMotions(positions);
    factor();
}

void DenseLevel::addRigidMotions(std::span<const Vec3d> positions) {
    Vec3d centre;
    for (const Vec3d& p : positions)
        centre += p;
    centre = centre * (1 / double(positions.size()));
    double stiffness = 0;
    for (std::size_t i = 0; i < size_; ++i)
        stiffness += upper_[i * size_ + i] / double(size_);
    std::vector<std::vector<double>> motions;
    for (int m = 0; m < 6; ++m) {
        std::vector<double> motion(size_);
        for (std::size_t i = 0; i < size_; ++i)
            motion[i] = rigidEntry(m, positions[i / 3] - centre, int(i % 3));
        double whole = 0, rest = 0;
        for (const double x : motion)
            whole += x * x;
        for (const std::vector<double>& other : motions) {
            double along = 0;
            for (std::size_t i = 0; i < size_; ++i)
                along += other[i] * motion[i];
            for (std::size_t i = 0; i < size_; ++i)
                motion[i] -= along * other[i];
        }
        for (const double x : motion)
            rest += x * x;
        if (!(rest > 1e-20 * whole))
            continue;
        for (double& x : motion)
            x /= std::sqrt(rest);
        motions.push_back(std::move(motion));
    }
    for (const std::vector<double>& motion : motions)
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = i; j < size_; ++j)
                upper_[i * size_ + j] += stiffness * motion[i] * motion[j];
}

void DenseLevel::factor() {
    for (std::size_t k = 0; k < size_; ++k)
        work_[k] = upper_[k * size_ + k];
    for (std::size_t k = 0; k < size_; ++k) {
        double* pivotRow = upper_.data() + k * size_;
        inverse_[k] = pivotRow[k] > kLeastShare * work_[k] ? 1 / std::sqrt(pivotRow[k]) : 0;
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
