// A pair of surfaces may touch in more than the four points that a manifold holds: two boxes in up to eight. The others make up
// a second manifold. What touches and bears nothing sinks until it is chosen and lifts what lies on it: columns in piles of
// boxes rocked on for ever.
#pragma once

#include "collision/narrow_phase/manifold/reduce.h"

namespace sunder::collision {

// Sets further to the indices of points that were not chosen though they touch, at most four of them, and returns their number.
// chosen: ascending.
int chooseFurther(const PlanarPoint* points, int count, const int (&chosen)[kMaxManifoldPoints], int chosenCount,
                  int (&further)[kMaxManifoldPoints]);

// Puts every point into that of the two manifolds in which it was, and with it stays what it bears; new ones fill the first.
// Which of them the four were makes no difference: all that touch are there.
void keepPlaces(const KnownManifold& known, const KnownManifold& knownFurther, ContactManifold& manifold,
                ContactManifold& further);

}  // namespace sunder::collision
