// Manifolds that are kept from step to step while the two bodies hardly move against each other.
#pragma once

#include <span>

#include "dynamics/contact/scalar/constraint.h"
#include "world/pair/motion_bounds.h"

namespace sunder::world {

// Makes a manifold of the last step ready for the next: its impulses times scale become the first guess, its sums become 0.
void startNextStep(dynamics::ContactConstraint& constraint, Real scale);

// Turns the normal and the tangents, and with them the impulses, of two bodies' manifolds of the last step with the larger one.
void turnWithLarger(const Flight& a, const Flight& b, SeenPair& seen, std::span<dynamics::ContactConstraint> manifolds);

// Compares how the two bodies of a pair lie now with how they lay when they were last looked at.
class Recycling {
public:
    Recycling(const Flight& a, const Flight& b);

    // m: the most that a point of the smaller body has moved relative to the larger one since then.
    Real motionSince(const SeenPair& seen) const;
    // Remembers the poses; the caller sets the rest.
    void remember(SeenPair& seen) const;
    // How the larger body has turned since the normals were last turned with it.
    Quat turnOfLarger(const SeenPair& seen) const { return larger_.orientation * conjugate(seen.larger); }
    // m: the motion up to which manifolds are kept.
    Real tolerance() const;

private:
    const Flight &larger_, &smaller_;
    Vec3 place_;
    Quat turn_;
};

}  // namespace sunder::world
