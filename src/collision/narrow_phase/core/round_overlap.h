// The axis of least overlap where a cylinder is involved.
#pragma once

#include "collision/narrow_phase/core/separating_axes.h"

namespace sunder::collision {

// For cores that overlap, at least one of them a cylinder. A local minimum of the overlap that is the global one unless the
// cylinder is buried about as deep as it is thick. Where a is a triangle only directions towards its front count.
OverlapAxis findLeastOverlapRound(const PlacedCore& a, const PlacedCore& b);

}  // namespace sunder::collision
