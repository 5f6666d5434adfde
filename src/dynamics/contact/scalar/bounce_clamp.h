// Keeps a bounce from adding kinetic energy [Su09] 3.2.
#pragma once

#include "dynamics/contact/scalar/constraint.h"

namespace sunder::dynamics {

// Scales the substep's impulses of a manifold in which a point bounced, so that the pair ends with no more kinetic energy than
// it would have without this contact; counts it in constraint.clamped. The state without the contact lives at the same time
// as the positions, so nothing is split [Su09] 3.1, and a body at rest keeps its support: without it, it would fall.
void clampBounce(ContactConstraint& constraint, SolverBody& a, SolverBody& b);

}  // namespace sunder::dynamics
