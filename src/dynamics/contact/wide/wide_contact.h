// The contact solver kLanes manifolds at a time. Manifolds of one colour share no moving body, so each lane of a block does
// exactly what soft_contact.h does for one manifold, with the same bits.
//
//   constraints  --pack-->  blocks of kLanes, colour by colour  --kernels, every substep-->  --unpack-->  constraints
//
// Every kernel finds separations and arms anew from the positions of the bodies. The previous arms are kept, because the
// moments of the impulses change with them. Bounces do not fit into this: the scalar form does them on the constraint itself.
#pragma once

#include <span>

#include "dynamics/contact/scalar/contact_link.h"
#include "dynamics/contact/wide/wide_block.h"
#include "dynamics/contact/wide/wide_kernels.h"

namespace sunder::dynamics {

// What blocks are packed from. The links hold in a few bytes what would otherwise be read from constraints all over the memory.
struct PackSource {
    std::span<const ContactConstraint> constraints;
    std::span<const ContactLink> links;      // one per constraint
    std::span<const std::uint8_t> isMoving;  // by body: whether it feels impulses
};
// Fills a block, whose memory is assigned, with constraints[index[0]] .. constraints[index[count - 1]], count <= kLanes.
void pack(WideContact& block, const PackSource& from, const std::uint32_t* index, int count, const WideKernels& kernels);
// Contacts that wake within the step (waiting.h) take the lanes of a spare block one by one; it has memory for all points.
void beginSpare(WideContact& block);
void addLane(WideContact& block, std::uint32_t index, const PackSource& from);
// Prefetches the constraints of the block.
void fetchConstraints(const WideContact& block, std::span<const ContactConstraint> constraints);
// Writes the results into the constraints at the end of the step. Returns the bits of the lanes that pushed in some substep.
std::uint32_t unpack(const WideContact& block, std::span<const SolverBody> bodies, std::span<ContactConstraint> constraints,
                     const WideKernels& kernels);
// Copies all that the scalar form needs to work on one manifold within a substep, and back.
void unpackLane(const WideContact& block, int lane, ContactConstraint& constraint);
void repackLane(WideContact& block, int lane, const ContactConstraint& constraint);
// Whether a point of that lane hits hard enough in this substep for restitution.
inline void setBounces(WideContact& block, int lane, bool bounces) { block.bounces.set(lane, bounces); }

}  // namespace sunder::dynamics
