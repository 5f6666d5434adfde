// Points of contact that carried load in the last step stay while they still touch, though the search has found others in their
// place. It finds one point of two round bodies, or of an edge and a rim, and a small turn may move it from one end of them to
// the other; bodies that lost their support with each such change would rock for ever.
#pragma once

#include "dynamics/contact/scalar/inherit.h"
#include "world/pair/flight.h"

namespace sunder::world {

// From the centre to a point of the surface, at the start of the step.
Vec3 armOf(const Flight& flight, const dynamics::AnchorFrame& frame, const Vec3& anchor);

// Adds those points to a new manifold, with their impulses times scale.
void keepLoadedPoints(const Flight& a, const Flight& b, const dynamics::Inheritance& inheritance, Real scale,
                      dynamics::ContactConstraint& constraint);

}  // namespace sunder::world
