// Warm starting: a manifold takes over the impulses of the one it continues.
#pragma once

#include <span>

#include "dynamics/contact/scalar/constraint.h"

namespace sunder::dynamics {

// scale: length of the new substep over that of the old one; a load's impulse grows with the time it acts.
void inheritImpulses(ContactConstraint& constraint, std::span<const KeptManifold> previous, Real scale);
// The same for a manifold whose points are a few of many, and soon others. What points bore that are no longer among them is
// borne by all, so that the force is the same, and its moment as nearly as impulses that only push can have it.
void inheritLoad(ContactConstraint& constraint, std::span<const KeptManifold> previous, Real scale);

// Holds the torques against rolling and spinning to what the load that the manifold starts with allows. Where none of its
// points took over a load nothing solves the manifold before it touches again, and torques it had kept would turn its bodies
// until then.
void limitRotation(ContactConstraint& constraint);

}  // namespace sunder::dynamics
