// Copies contact pairs into the impulse scheme, and its impulses back.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Lists the pairs of this step that may push on each other. Needs SolveState::bodies and the constraints of findContacts.
void listImpulsePairs(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs,
                      const PagedVector<dynamics::ContactConstraint>& constraints, SolveState& solve);
// Fills ImpulsePair::carried from those constraints and the impulses that they inherited.
void listCarriedSites(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs,
                      const PagedVector<dynamics::ContactConstraint>& constraints, SolveState& solve);
// Appends one more; material: of the contact of the two, source: the pair's number.
void addImpulsePair(const PagedVector<Body>& bodies, const ContactPair& pair, std::uint32_t source,
                    const dynamics::ContactConstraint& material, dynamics::ImpulseScratch& scratch);
// Replaces WorldState::constraints by what the step did: one per manifold, with the impulses that changed velocities.
void storeImpulses(PagedVector<ContactPair>& pairs, PagedVector<dynamics::ContactConstraint>& constraints, SolveState& solve);

}  // namespace sunder::world
