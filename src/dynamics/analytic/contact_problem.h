// The problem of contact forces: a = A f + b, one row per unknown.
//   normal row     f >= 0, a >= 0, f a = 0
//   friction row   |f| <= mu F, F the force of its normal row; a = 0 where it is less, else a f <= 0
// Rows are accelerations and forces, or, for a step of a time-stepping scheme, velocities and impulses: the conditions are the
// same.
#pragma once

#include <cstddef>
#include <vector>

namespace sunder::dynamics {

struct PivotRow {
    int normal = -1;  // of a friction row: its normal row; -1: this is a normal row
    double friction = 0;
};

struct PivotProblem {
    std::vector<PivotRow> rows;
    std::vector<double> A, b;  // A by rows

    std::size_t size() const { return rows.size(); }
    double at(std::size_t row, std::size_t column) const { return A[row * rows.size() + column]; }
    double& at(std::size_t row, std::size_t column) { return A[row * rows.size() + column]; }
    void resize(std::size_t count) {
        rows.assign(count, {});
        A.assign(count * count, 0);
        b.assign(count, 0);
    }
};

// How far forces are from meeting the conditions: the largest violation, accelerations as a share of the largest |b|, forces as
// a share of the largest |f|.
double complementarityResidual(const PivotProblem& problem, const std::vector<double>& f);

}  // namespace sunder::dynamics
