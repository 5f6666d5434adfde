// Overlap that two bodies were born with. The pieces of a fracture lie in each other by a fraction of a cell, as a piece may
// lie in whatever its parent touched: that is no approach that anything has to stop, and pushing it apart would be energy from
// nowhere. So a pair remembers how deep it was when it was first seen and takes that much off its overlaps. The allowance
// shrinks with the overlap and never grows: once apart, they collide like any others.
#pragma once

#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// The rest depth of a pair that has not been seen yet.
inline constexpr Real kMeasureRestDepth = -1;

// restDepth (m) of the pair, with the manifolds found now: brought up to date, then taken off every overlap of the manifolds.
void tolerateOverlap(ManifoldList& manifolds, Real& restDepth);

}  // namespace sunder::collision
