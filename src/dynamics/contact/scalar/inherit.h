// Warm starting: a manifold takes over the impulses of the one it continues.
#pragma once

#include <span>

#include "dynamics/contact/scalar/constraint.h"

namespace sunder::dynamics {

// The manifold that one continues, and its points (bits) whose impulses were taken over.
struct Inheritance {
    const KeptManifold* from = nullptr;
    std::uint32_t taken = 0;
};
// Takes over impulses point by point. scale: new substep length over the old one, since a steady load's impulse grows with the
// time it acts.
Inheritance inheritImpulses(ContactConstraint& constraint, std::span<const KeptManifold> previous, Real scale);
// For a manifold whose points are a few of many and change often (level sets). Points that are gone leave their load to all
// present points, so that the force stays the same, and its moment as nearly as impulses that only push allow.
void inheritLoad(ContactConstraint& constraint, std::span<const KeptManifold> previous, Real scale);

// Gives a point the impulses of a point of the manifold before.
void takeOver(const KeptManifold& old, const KeptPoint& match, Real scale, const ContactConstraint& constraint,
              ConstraintPoint& point);

// Limits rolling and spinning torques to what the manifold's initial load allows. A manifold that inherited no load is not
// solved until it touches again, and torques kept until then would turn its bodies.
void limitRotation(ContactConstraint& constraint);

}  // namespace sunder::dynamics
