// Moves one body through a substep.
#pragma once

#include "dynamics/solver_body.h"

namespace sunder::dynamics {

// Gravity, forces, damping. Remembers the velocity that the body would have if no contact acted in this substep.
void integrateVelocity(SolverBody& body, const SolverBodyConstants& constants, Real h);

// Displacement and orientation; the inverse inertia follows, the angular momentum stays.
void integratePosition(SolverBody& body, const SolverBodyConstants& constants, Real h, bool energyFix);

// The inverse inertia in world axes; about locked axes the body does not turn.
Sym3 worldInverseInertia(const Quat& worldFromPrincipal, const SolverBodyConstants& constants);

}  // namespace sunder::dynamics
