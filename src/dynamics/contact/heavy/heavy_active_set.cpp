#include "dynamics/contact/heavy/heavy_active_set.h"

#include <algorithm>
#include <cmath>

#include "math/linear/pivoted_elimination.h"

namespace sunder::dynamics {

namespace {

// Most rounds. A block at rest needs one; a block whose states have not settled by then is solved in two stages.
constexpr int kMostSetRounds = 4;

}  // namespace

bool HeavyActiveSet::solve(HeavySystem& system) {
    points_.resize(system.pointCount);
    for (std::size_t i = 0; i < system.pointCount; ++i)
        points_[i] = {system.wantsToPush(i) ? State::Sticking : State::Open, 0, 0};
    for (int round = 0; round < kMostSetRounds; ++round) {
        fixRows(system);
        if (!solveFreeRows(system))
            return false;
        for (std::size_t i = 0; i < system.pointCount; ++i)
            if (points_[i].state == State::Open)
                system.findLeft(i);
        if (!updateStates(system)) {
            findSlip(system);
            return true;
        }
    }
    return false;
}

// Updates `left` (m/s) along the tangents of points that do not stick.
void HeavyActiveSet::findSlip(HeavySystem& system) const {
    for (std::size_t i = 0; i < system.pointCount; ++i)
        if (points_[i].state != State::Sticking) {
            system.findLeft(system.tangentOf(i));
            system.findLeft(system.tangentOf(i) + 1);
        }
}

// Fixes the rows that the linear system leaves out: impulses of open points become 0, friction of sliding points follows their
// load.
void HeavyActiveSet::fixRows(HeavySystem& system) {
    system.begin();
    free_.clear();
    anySlides_ = false;
    const auto fix = [&](std::size_t row, double impulse) {
        if (impulse != system.had[row])
            system.add(row, impulse - system.had[row]);
    };
    for (std::size_t i = 0; i < system.pointCount; ++i) {
        const Point& point = points_[i];
        if (point.state == State::Open)
            fix(i, 0);
        else
            free_.push_back(static_cast<std::uint32_t>(i));
        anySlides_ = anySlides_ || point.state == State::Sliding;
    }
    for (std::size_t i = 0; i < system.pointCount; ++i) {
        const Point& point = points_[i];
        const std::size_t row = system.tangentOf(i);
        if (point.state == State::Sticking) {
            free_.push_back(static_cast<std::uint32_t>(row));
            free_.push_back(static_cast<std::uint32_t>(row + 1));
        } else {
            const double most = point.state == State::Sliding ? system.friction[i] * system.had[i] : 0;
            fix(row, most * point.slide1);
            fix(row + 1, most * point.slide2);
        }
    }
}

bool HeavyActiveSet::solveFreeRows(HeavySystem& system) {
    values_.resize(free_.size());
    for (std::size_t i = 0; i < free_.size(); ++i)
        values_[i] = system.left[free_[i]];
    if (anySlides_) {
        layOutSliding(system);
        if (!linear::solvePivoted<double>(matrix_, values_))
            return false;
    } else if (!system.stickingFactor.solve(system.matrix, system.rowCount, free_, values_)) {
        return false;
    }
    for (std::size_t i = 0; i < free_.size(); ++i) {
        const std::uint32_t row = free_[i];
        system.change[row] += values_[i];
        system.left[row] = 0;
        if (row < system.pointCount && points_[row].state == State::Sliding) {
            const double drag = system.friction[row] * values_[i];
            system.change[system.tangentOf(row)] += drag * points_[row].slide1;
            system.change[system.tangentOf(row) + 1] += drag * points_[row].slide2;
        }
    }
    return true;
}

// Builds the matrix of the free rows; where a point slides, its friction grows with its load.
void HeavyActiveSet::layOutSliding(const HeavySystem& system) {
    const std::size_t m = free_.size();
    matrix_.resize(m * m);
    for (std::size_t i = 0; i < m; ++i) {
        const double* answer = system.answerTo(free_[i]);
        for (std::size_t j = 0; j < m; ++j)
            matrix_[i * m + j] = answer[free_[j]];
    }
    for (std::size_t j = 0; j < m && free_[j] < system.pointCount; ++j) {
        const Point& point = points_[free_[j]];
        if (point.state != State::Sliding)
            continue;
        const double *answer1 = system.answerTo(system.tangentOf(free_[j])), *answer2 = answer1 + system.rowCount;
        const double drag1 = system.friction[free_[j]] * point.slide1, drag2 = system.friction[free_[j]] * point.slide2;
        for (std::size_t i = 0; i < m; ++i)
            matrix_[i * m + j] += drag1 * answer1[free_[i]] + drag2 * answer2[free_[i]];
    }
}

// Updates which points are open, slide or stick. True where one changed, so that the system must be solved again.
bool HeavyActiveSet::updateStates(const HeavySystem& system) {
    bool changed = false;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        Point& point = points_[i];
        const State before = point.state;
        const std::size_t row = system.tangentOf(i);
        const double normal = system.had[i] + system.change[i];
        const double t1 = system.had[row] + system.change[row], t2 = system.had[row + 1] + system.change[row + 1];
        const double most = system.friction[i] * normal * (1 + 1e-6), squared = t1 * t1 + t2 * t2;
        if (before == State::Open) {
            if (system.left[i] > kSlowApproach)
                point.state = State::Sticking;
        } else if (normal < 0) {
            point = {State::Open, 0, 0};
        } else if (before == State::Sticking && squared > most * most) {
            const double size = std::sqrt(squared);
            point = {State::Sliding, t1 / size, t2 / size};
        }
        changed = changed || point.state != before;
    }
    return changed;
}

}  // namespace sunder::dynamics
