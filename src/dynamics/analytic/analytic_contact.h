// The contact phase of the damped step by pivoting, for groups of bodies that are small enough [Egan03] 3.3.1.
//
// Rows are velocities and impulses over the step, the time-stepping form that the thesis wanted next: collisions that are left
// and resting contact are then one problem. Geometrically stable bodies (ImpulseScratch::isStable) count as immovable, which
// splits groups and leaves out all contacts among them; passes find those, for their friction.
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

struct AnalyticOutcome {
    int groups = 0, failed = 0, tooLarge = 0;
    int points = 0;       // in the groups that were solved
    double residual = 0;  // largest complementarity residual of these
};

// Call between findTouchingSites and runVelocityPasses. Solves every group of bodies with at most mostPoints contact points,
// and marks its pairs as solved. Groups that are larger, or for which pivoting fails, are left to the passes. Rolling friction
// is not part of the problem.
AnalyticOutcome solveAnalytically(ImpulseStep& step, int mostPoints);

}  // namespace sunder::dynamics
