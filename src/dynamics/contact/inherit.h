// Warm starting: a manifold takes over the impulses of the one it continues.
#pragma once

#include <span>

#include "dynamics/contact/constraint.h"

namespace sunder::dynamics {

// scale: length of the new substep over that of the old one; a load's impulse grows with the time it acts.
void inheritImpulses(ContactConstraint& constraint, std::span<const KeptManifold> previous, Real scale);
// The same for a manifold whose points are a few of many, and soon others. What points bore that are no longer among them is
// borne by all, so that the force is the same, and its moment as nearly as impulses that only push can have it.
void inheritLoad(ContactConstraint& constraint, std::span<const KeptManifold> previous, Real scale);

}  // namespace sunder::dynamics
