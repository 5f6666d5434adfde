// Contact forces by pivoting: D. Baraff, "Fast contact force computation for nonpenetrating rigid bodies", 1994, as used in
// [Egan03] 3.3.1.
//
// The problem: a = A f + b, one row per unknown.
//   normal row     f >= 0, a >= 0, f a = 0
//   friction row   |f| <= mu F, F the force of its normal row; a = 0 where it is less, else a f <= 0
// Rows are accelerations and forces, or, for a step of a time-stepping scheme, velocities and impulses: the conditions are the
// same. A contact that slides has no friction row: its friction, -mu times the normal force, is part of the column of its
// normal row, and A is then not symmetric. All in double: the rows of a box on four corners depend on each other.
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

struct PivotSettings {
    // Share of the largest |b|: an acceleration that is less below zero counts as none. The thesis found that the loop must end
    // at -1e-5 where the paper has 0, or it goes round for ever in rounding.
    double tolerance = 1e-9;
    int mostPivotsPerRow = 4;  // bounds the time of each attempt; friction may make the method go round
};

enum class PivotStatus {
    Solved,
    Inconsistent,  // no forces do it: friction jams a sliding contact (Baraff's answer is an impulse)
    GaveUp,        // too many pivots, or rows that rounding cannot tell apart
};

struct PivotResult {
    PivotStatus status = PivotStatus::Solved;
    std::vector<double> f, a;
    int pivots = 0;
    int refactored = 0;  // how often the inverse was found anew instead of updated
};

PivotResult solveByPivoting(const PivotProblem& problem, const PivotSettings& settings = {});

// How far forces are from meeting the conditions: the largest violation, accelerations as a share of the largest |b|, forces as
// a share of the largest |f|.
double complementarityResidual(const PivotProblem& problem, const std::vector<double>& f);

}  // namespace sunder::dynamics
