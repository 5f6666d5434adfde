// Moves one body through a substep.
#pragma once

#include "dynamics/body/solver_body.h"

namespace sunder::dynamics {

// Gravity, forces, damping. Then what contacts did in the last substep is done again: the body as a whole is warm started,
// so that its contacts need no pass of their own for it. The first substep of a step has no such past.
void beginSubstep(SolverBody& body, const SolverBodyConstants& constants, Real h, bool isFirst);

// Displacement and orientation; the inverse inertia follows, the angular momentum stays.
void integratePosition(SolverBody& body, const SolverBodyConstants& constants, Real h, bool energyFix);

// The inverse inertia in world axes; about locked axes the body does not turn.
Sym3 worldInverseInertia(const Quat& worldFromPrincipal, const SolverBodyConstants& constants);

}  // namespace sunder::dynamics
