// Keeps a bounce from adding kinetic energy [Su09] 3.2.
#pragma once

#include "dynamics/contact/scalar/constraint.h"

namespace sunder::dynamics {

// Scales this substep's impulses of a manifold in which a point bounced, so that the pair ends with no more kinetic energy than
// it would have without this contact, and counts the scaling in constraint.clamped. The state without the contact is at the
// same time as the positions, so the state is not split [Su09] 3.1, and a resting body keeps its support: without its contact
// it would fall.
void clampBounce(ContactConstraint& constraint, SolverBody& a, SolverBody& b);

}  // namespace sunder::dynamics
