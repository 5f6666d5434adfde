// From a manifold of the narrow phase to the record that the solver works on.
#pragma once

#include "collision/narrow_phase/manifold/manifold.h"
#include "dynamics/contact/scalar/constraint.h"
#include "world/pair/flight.h"

namespace sunder::world {

// Fills in a new constraint, without impulses. moment: when the bodies lie as in the manifold.
void makeConstraint(const Flight& a, const Flight& b, const Moment& moment, const collision::ContactManifold& manifold,
                    dynamics::ContactConstraint& constraint);

// Sets the fields that may change from step to step although the two touch as before. The normal is set already.
void setPair(const Flight& a, const Flight& b, dynamics::ContactConstraint& constraint);

// Sets the rolling and spinning friction, which depend on how many points carry load; impulses are inherited already.
void setTurnFriction(const Flight& a, const Flight& b, dynamics::ContactConstraint& constraint);

}  // namespace sunder::world
