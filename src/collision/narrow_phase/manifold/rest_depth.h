// Overlap that a pair was born with. The pieces of a fracture overlap by a fraction of a cell, and a piece may overlap whatever
// its parent touched. That overlap is no approach that contact has to stop, and pushing it apart would add energy. So a pair
// remembers its overlap when it was first seen and subtracts it from its overlaps. The allowance shrinks with the overlap and
// never grows: once apart, the bodies collide like any others.
#pragma once

#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// The rest depth of a pair that has not been measured yet.
inline constexpr Real kMeasureRestDepth = -1;

// Updates the pair's restDepth (m) from the manifolds found now, then subtracts it from every overlap.
void tolerateOverlap(ManifoldList& manifolds, Real& restDepth);

}  // namespace sunder::collision
