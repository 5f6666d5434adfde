// The impulse with friction at one point [GBF03].
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// K = sum over both bodies of (1/m) 1 + [r]^T I^-1 [r].
Sym3 pointResponse(const SolverBody& a, const Vec3& armA, const SolverBody& b, const Vec3& armB);

// Brings u.N to the site's goal where that takes a push, with Coulomb friction; changes the bodies' velocities and
// site.impulse.
void solvePoint(ImpulseSite& site, Real friction, const Vec3& surfaceVelocity, SolverBody& a, SolverBody& b);

}  // namespace sunder::dynamics
