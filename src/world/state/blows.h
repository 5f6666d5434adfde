// All blows that are in no contact manifold: those of fast bodies, and of deformable ones, which a stage of their own moves
// before the rigid bodies of a part of the step are solved.
#pragma once

#include "world/state/solve_state.h"

namespace sunder::world {

// Visits those that are still to be felt and reported. Touches without an impulse are near, and touch nothing.
template <class Visit>
void forEachBlow(const SolveState& solve, Visit&& visit) {
    if (solve.areFleshTouchesNews)
        for (const SweptBlow& touch : solve.fleshTouches)
            if (touch.normalImpulse > 0)
                visit(touch);
    for (const SweptBlow& blow : solve.sweptBlows)
        visit(blow);
}

}  // namespace sunder::world
