// Contact forces by pivoting: D. Baraff, "Fast contact force computation for nonpenetrating rigid bodies", 1994, as used in
// [Egan03] 3.3.1. A contact that slides has no friction row: its friction, -mu times the normal force, is part of the column of
// its normal row, and A is then not symmetric. All in double: the rows of a box on four corners depend on each other.
#pragma once

#include <vector>

#include "dynamics/analytic/contact_problem.h"

namespace sunder::dynamics {

struct PivotSettings {
    // Share of the largest |b|: an acceleration that is less below zero counts as none. The thesis found that the loop must end
    // at -1e-5 where the paper has 0, or it goes round for ever in rounding.
    double tolerance = 1e-7;
    int mostPivotsPerRow = 2;  // bounds the time of each attempt; friction may make the method go round
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

}  // namespace sunder::dynamics
