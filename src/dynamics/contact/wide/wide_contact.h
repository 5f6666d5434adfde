// The contact solver kLanes manifolds at a time. Manifolds of one colour share no moving body, so each lane of a block does
// exactly what soft_contact.h does for one manifold, with the same bits.
//
//   constraints  --pack-->  blocks of kLanes, colour by colour  --kernels, every substep-->  --unpack-->  constraints
//
// Separations and arms are found anew from the bodies' positions by every kernel; of the arms the last ones are kept, because
// the moments of the impulses change with them. What does not fit into this (bounces) is done by the scalar form on the
// constraint itself.
#pragma once

#include <span>

#include "dynamics/contact/scalar/contact_link.h"
#include "dynamics/contact/wide/wide_block.h"
#include "dynamics/contact/wide/wide_kernels.h"

namespace sunder::dynamics {

// What a block is made of. Links say in few bytes what would otherwise be read from constraints all over the memory, one
// waiting for the other.
struct PackSource {
    std::span<const ContactConstraint> constraints;
    std::span<const ContactLink> links;      // of the constraints
    std::span<const std::uint8_t> isMoving;  // by body: it feels impulses
};
// Fills a block that has its memory with constraints[index[0]] .. constraints[index[count - 1]], count <= kLanes.
void pack(WideContact& block, const PackSource& from, const std::uint32_t* index, int count, const WideKernels& kernels);
// Contacts that wake within the step (waiting.h) take the lanes of a spare block, which has memory for all points, one by one.
void beginSpare(WideContact& block);
void addLane(WideContact& block, std::uint32_t index, const PackSource& from);
// Tells the memory that the constraints of the block will be asked for soon.
void fetchConstraints(const WideContact& block, std::span<const ContactConstraint> constraints);
// Into the constraints once the step is over. Gives the bits of the lanes that were pushed in any substep.
std::uint32_t unpack(const WideContact& block, std::span<const SolverBody> bodies, std::span<ContactConstraint> constraints,
                     const WideKernels& kernels);
// All that the scalar form needs to go on with one manifold within a substep, and back.
void unpackLane(const WideContact& block, int lane, ContactConstraint& constraint);
void repackLane(WideContact& block, int lane, const ContactConstraint& constraint);

}  // namespace sunder::dynamics
