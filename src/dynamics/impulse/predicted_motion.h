// Where bodies are expected during a step, and where they then meet.
//
// A body flies on the parabola  setback + t v + t^2 a / 2  from its centre at the start of the step. An impulse at time t
// changes v and moves the setback so that the place at time t stays: the parabola is bent there. Hence an impulse j at time t
// adds j/m to v^n and (1 - t/dt) j/m to v~^(n+1/2); with t = 0 this is the rule of [SSF08].
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// Gravity, forces, and damping as in its implicit step.
Vec3 linearAcceleration(const SolverBody& body, const SolverBodyConstants& constants, Real dt);
Vec3 angularAcceleration(const SolverBody& body, const SolverBodyConstants& constants, Real dt);

// Displacement since the start of the step, and orientation.
struct Placement {
    Vec3 displacement;
    Quat orientation;
};
Placement placeInFlight(const ImpulseStep& step, std::uint32_t body, Real time);

// Which points the arms of a site run to.
enum class Arms {
    ToCommonPoint,  // between the surfaces: the pair gains no angular momentum
    ToOwnSurfaces,  // for impulses that are dropped again: exact where the surfaces are predicted to overlap
};

// Finds the sites of a pair at the given placements, deepest first. Sites that continue earlier ones keep their impulses.
void findSites(ImpulseStep& step, ImpulsePair& pair, const Placement& a, const Placement& b, Real margin, Arms arms);
// Gives earlier impulses to the sites that continue theirs: those with equal features or, where a tilt made the
// narrow phase pick others, the nearest.
void takeOver(std::span<ImpulseSite> sites, std::span<const ImpulseSite> from);

}  // namespace sunder::dynamics
