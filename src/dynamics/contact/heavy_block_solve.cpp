// The solution of a block's system.
#include <algorithm>

#include "dynamics/contact/heavy_block.h"

namespace sunder::dynamics {

namespace {

// Rounds of the active set. A block at rest needs one; what is not settled by then is solved in two stages.
constexpr int kMaxRounds = 4, kMaxNormalRounds = 8;
constexpr int kFrictionSweeps = 2;
// A block whose friction did not settle is not asked again for so many substeps.
constexpr std::uint8_t kRoughSubsteps = 7;

// Gaussian elimination with partial pivoting: sliding rows make the matrix unsymmetric. False where it is singular.
bool solveLinear(std::vector<double>& A, std::vector<double>& x, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            pivot = std::fabs(A[i * n + k]) > std::fabs(A[pivot * n + k]) ? i : pivot;
        if (!(std::fabs(A[pivot * n + k]) > 0))
            return false;
        if (pivot != k) {
            std::swap_ranges(A.begin() + long(k * n), A.begin() + long(k * n + n), A.begin() + long(pivot * n));
            std::swap(x[k], x[pivot]);
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            const double f = A[i * n + k] / A[k * n + k];
            if (f == 0)
                continue;
            for (std::size_t j = k + 1; j < n; ++j)
                A[i * n + j] -= f * A[k * n + j];
            x[i] -= f * x[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k)
            x[i] -= A[i * n + k] * x[k];
        x[i] /= A[i * n + i];
    }
    return true;
}

}  // namespace

bool HeavyBlock::solve() {
    if (!isHeavy())
        return false;
    if (isRough_ > 0)
        --isRough_;
    else if (solveActiveSet())
        return true;
    else
        isRough_ = kRoughSubsteps;
    return solveStaggered();
}

// False where the states do not settle, or where the result would add energy: sliding friction can make such systems
// insoluble, and then the ordinary passes, which always damp, must do.
bool HeavyBlock::solveActiveSet() {
    change_.assign(rows_.size(), 0);
    for (int round = 0; round < kMaxRounds; ++round) {
        if (!solveFreeRows())
            return false;
        if (!updateStates())
            return isSound();
    }
    return false;
}

// Normal impulses as friction is, exactly, then friction as the normal impulses are, point by point.
bool HeavyBlock::solveStaggered() {
    if (!solveNormals() || !isSound()) {
        // Without what overlaps ask for nothing is gained, whatever the impulses.
        for (std::size_t i = 0; i < rows_.size(); i += 3) {
            wanted_[i] -= std::fmax(targets_[i], 0);
            targets_[i] = std::fmin(targets_[i], 0);
        }
        if (!solveNormals() || !isSound())
            return false;
    }
    for (int sweep = 0; sweep < kFrictionSweeps; ++sweep)
        for (std::size_t i = 0; i < points_.size(); ++i)
            rub(sweep % 2 == 0 ? i : points_.size() - 1 - i);
    return true;
}

bool HeavyBlock::solveNormals() {
    const std::size_t n = rows_.size();
    for (std::size_t i = 0; i < points_.size(); ++i)
        points_[i].state = points_[i].point->normalImpulse > 0 || wanted_[3 * i] > 0 ? State::Sticking : State::Open;
    for (int round = 0; round < kMaxNormalRounds; ++round) {
        free_.clear();
        change_.assign(n, 0);
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (points_[i].state == State::Open)
                change_[3 * i] = -double(points_[i].point->normalImpulse);
            else
                free_.push_back(static_cast<std::uint32_t>(3 * i));
        }
        const std::size_t m = free_.size();
        factor_.resize(m * m);
        work_.resize(m);
        for (std::size_t i = 0; i < m; ++i) {
            const double* row = &matrix_[free_[i] * n];
            work_[i] = wanted_[free_[i]];
            for (std::size_t j = 0; j < n; j += 3)
                work_[i] -= row[j] * change_[j];
            for (std::size_t j = 0; j < m; ++j)
                factor_[i * m + j] = row[free_[j]];
        }
        if (!solveLinear(factor_, work_, m))
            return false;
        for (std::size_t i = 0; i < m; ++i)
            change_[free_[i]] = work_[i];
        bool changed = false;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            Point& p = points_[i];
            const bool opens = p.state != State::Open && p.point->normalImpulse + change_[3 * i] < 0;
            const bool closes = p.state == State::Open && left(3 * i) > 1e-6;
            if (opens || closes)
                p.state = opens ? State::Open : State::Sticking;
            changed = changed || opens || closes;
        }
        if (!changed)
            return true;
    }
    return false;
}

// What the change has not yet given to a row of what it wants.
double HeavyBlock::left(std::size_t row) const {
    const std::size_t n = rows_.size();
    double sum = wanted_[row];
    for (std::size_t j = 0; j < n; ++j)
        sum -= matrix_[row * n + j] * change_[j];
    return sum;
}

// Friction at one point: what stops it, within the cone.
void HeavyBlock::rub(std::size_t point) {
    const std::size_t n = rows_.size(), i = 3 * point + 1, j = i + 1;
    const Point& p = points_[point];
    const double a = matrix_[i * n + i], b = matrix_[i * n + j], c = matrix_[j * n + j], determinant = a * c - b * b;
    if (!(determinant > 0))
        return;
    const double u = left(i), v = left(j);
    const double was1 = double(p.point->tangentImpulse1), was2 = double(p.point->tangentImpulse2);
    double t1 = was1 + change_[i] + (c * u - b * v) / determinant, t2 = was2 + change_[j] + (a * v - b * u) / determinant;
    const double most = p.constraint->friction * std::fmax(p.point->normalImpulse + change_[3 * point], 0);
    const double size = std::sqrt(t1 * t1 + t2 * t2);
    if (size > most) {
        t1 *= most / size;
        t2 *= most / size;
    }
    change_[i] = t1 - was1;
    change_[j] = t2 - was2;
}

// Impulses of open points are zero, those of sliding points follow their load; the others come from the linear system.
bool HeavyBlock::solveFreeRows() {
    const std::size_t n = rows_.size();
    free_.clear();
    change_.assign(n, 0);  // first the parts of the fixed rows that do not depend on the unknowns
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const ConstraintPoint& point = *points_[i].point;
        double* x = &change_[3 * i];
        const double load = points_[i].constraint->friction * point.normalImpulse;
        switch (points_[i].state) {
            case State::Open:
                x[0] = -double(point.normalImpulse);
                x[1] = -double(point.tangentImpulse1);
                x[2] = -double(point.tangentImpulse2);
                break;
            case State::Sliding:
                x[1] = load * points_[i].slide.x - point.tangentImpulse1;
                x[2] = load * points_[i].slide.y - point.tangentImpulse2;
                free_.push_back(static_cast<std::uint32_t>(3 * i));
                break;
            case State::Sticking:
                for (int k = 0; k < 3; ++k)
                    free_.push_back(static_cast<std::uint32_t>(3 * i + k));
                break;
        }
    }
    const std::size_t m = free_.size();
    factor_.assign(m * m, 0);
    work_.resize(m);
    for (std::size_t i = 0; i < m; ++i) {
        const double* row = &matrix_[free_[i] * n];
        double rest = wanted_[free_[i]];
        for (std::size_t j = 0; j < n; ++j)
            rest -= row[j] * change_[j];
        work_[i] = rest;
        for (std::size_t j = 0; j < m; ++j) {
            const std::uint32_t c = free_[j];
            const Point& p = points_[c / 3];
            factor_[i * m + j] = row[c];
            if (p.state == State::Sliding)  // friction grows with the load
                factor_[i * m + j] += p.constraint->friction * (p.slide.x * row[c + 1] + p.slide.y * row[c + 2]);
        }
    }
    if (!solveLinear(factor_, work_, m))
        return false;
    for (std::size_t i = 0; i < m; ++i) {
        const std::uint32_t c = free_[i];
        change_[c] += work_[i];
        const Point& p = points_[c / 3];
        if (p.state == State::Sliding) {
            change_[c + 1] += p.constraint->friction * p.slide.x * work_[i];
            change_[c + 2] += p.constraint->friction * p.slide.y * work_[i];
        }
    }
    return true;
}

// The work of the impulses, by the mean of the velocities before and after, is not beyond what the targets ask for. A body that
// is wedged wants what cannot be, and what comes out, impulses that all but cancel, asks for nothing: each impulse counts only
// up to what the heaviest body of the block would need. Nor may an impulse be far beyond all that the bodies bring along:
// squeezed between others a shard can be held by impulses of any size that cancel, until it has turned a little.
bool HeavyBlock::isSound() const {
    constexpr double kMostSqueezed = 8;
    const std::size_t n = rows_.size();
    for (const double change : change_)
        if (!(std::fabs(change) <= kMostSqueezed * brought_))
            return false;
    double work = 0, asked = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double velocityChange = 0;
        for (std::size_t j = 0; j < n; ++j)
            velocityChange += matrix_[i * n + j] * change_[j];
        work += change_[i] * (targets_[i] - wanted_[i] + 0.5 * velocityChange);
        const double needed = massRatio_ * std::fabs(wanted_[i]) / matrix_[i * n + i];
        asked += std::fabs(targets_[i]) * std::fmin(std::fabs(change_[i]), needed);
    }
    return work <= asked + 1e-9;
}

// True where a point changed its state, so that the system must be solved again.
bool HeavyBlock::updateStates() {
    bool changed = false;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        Point& p = points_[i];
        const double normal = p.point->normalImpulse + change_[3 * i];
        if (p.state == State::Open) {
            if (left(3 * i) > 1e-6) {
                p.state = State::Sticking;
                changed = true;
            }
            continue;
        }
        if (normal < 0) {
            p.state = State::Open;
            changed = true;
            continue;
        }
        if (p.state == State::Sliding)
            continue;
        const double t1 = p.point->tangentImpulse1 + change_[3 * i + 1], t2 = p.point->tangentImpulse2 + change_[3 * i + 2];
        const double size = std::sqrt(t1 * t1 + t2 * t2);
        if (size > p.constraint->friction * normal * (1 + 1e-6)) {
            p.state = State::Sliding;
            p.slide = {Real(t1 / size), Real(t2 / size), 0};
            changed = true;
        }
    }
    return changed;
}

}  // namespace sunder::dynamics
