// Moves kLanes bodies through a substep at once: those under load, which turn little and whose motion contacts decide.
//
// A body in free flight or in a fast spin takes the exact path of substep.h; only there are its energy and its flips to be
// kept for minutes. For the others a midpoint step is enough: the angular momentum is kept, and the error of the energy is
// third order in an angle of at most kSlowTurn.
#pragma once

#include "dynamics/solver_body.h"

namespace sunder::dynamics {

inline constexpr Real kSlowTurn = Real(0.05);  // rad in a substep

inline bool isLoadedAndSlow(const SolverBody& body, const SolverBodyConstants& constants, Real h) {
    const bool isLoaded = !(body.velocity == body.freeVelocity) || !(body.angularVelocity == body.freeAngularVelocity);
    return isLoaded && constants.isDynamic && constants.lockedAxes == 0 &&
           lengthSquared(body.angularVelocity) * (h * h) <= kSlowTurn * kSlowTurn;
}

}  // namespace sunder::dynamics
