// Moves one body through a substep.
#pragma once

#include "dynamics/body/solver_body.h"
#include "sunder/definitions.h"

namespace sunder::dynamics {

inline constexpr std::uint8_t kRotationLocks = kLockRx | kLockRy | kLockRz;

// Applies gravity, forces and damping, then repeats the last substep's contact impulses: the body is warm started as a whole,
// so that its contacts need no pass for it. The first substep of a step repeats nothing.
void beginSubstep(SolverBody& body, const SolverBodyConstants& constants, Real h, bool isFirst);

// Displacement and orientation; the inverse inertia follows, the angular momentum stays.
void integratePosition(SolverBody& body, const SolverBodyConstants& constants, Real h, bool energyFix);

// The inverse inertia in world axes; about locked axes the body does not turn.
Sym3 worldInverseInertia(const Quat& worldFromPrincipal, const SolverBodyConstants& constants);

}  // namespace sunder::dynamics
