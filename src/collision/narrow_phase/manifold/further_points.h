// A pair of surfaces may touch in more than the four points that a manifold holds: two boxes in up to eight. The others make up
// a second manifold. A corner that touches but has no contact point sinks until it is chosen as one, and then lifts what lies
// on it: columns in piles of boxes rocked on for ever.
#pragma once

#include "collision/narrow_phase/manifold/reduce.h"

namespace sunder::collision {

// Sets further to the indices of points that were not chosen though they touch, at most four of them, and returns their number.
// chosen: ascending.
int chooseFurther(const PlanarPoint* points, int count, const int (&chosen)[kMaxManifoldPoints], int chosenCount,
                  int (&further)[kMaxManifoldPoints]);

// Puts every point into the manifold in which it was in the last step, where its impulse is; new points fill the first
// manifold. It does not matter which four were chosen, since both manifolds together hold all points that touch.
void keepPlaces(const KnownManifold& known, const KnownManifold& knownFurther, ContactManifold& manifold,
                ContactManifold& further);

}  // namespace sunder::collision
