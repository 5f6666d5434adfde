// Cylinders that cross, and segments that cross them, touch along their sides: rods in a heap, logs, the wheel on the axle.
// Then the closest points of their axes say all, where a search for the distance takes twenty rounds.
#pragma once

#include "collision/narrow_phase/core/separating_axes.h"

namespace sunder::collision {

// What the axes of two cores say.
struct AxesContact {
    // Where this is false axis.separation is no more than a lower bound of the distance; where it is true the axis is that of
    // the closest points or, where the cores overlap, of the least overlap.
    bool isClosest = false;
    OverlapAxis axis;
};

bool haveAxes(const PlacedCore& a, const PlacedCore& b);  // whether both are cylinders or segments
AxesContact compareAxes(const PlacedCore& a, const PlacedCore& b);

}  // namespace sunder::collision
