// Contact pairs on their way into the impulse scheme, and its impulses on their way out.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// The pairs of this step that may push on each other. Needs solverBodies and the constraints of findContacts.
void listImpulsePairs(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs,
                      const PagedVector<dynamics::ContactConstraint>& constraints, SolveState& solve);
// Makes world.constraints tell what the step did: one per manifold, with the impulses that changed velocities.
void storeImpulses(PagedVector<ContactPair>& pairs, PagedVector<dynamics::ContactConstraint>& constraints, SolveState& solve);

}  // namespace sunder::world
