// From the direction in which two cores are closest, or overlap least, to a manifold.
#pragma once

#include "collision/narrow_phase/manifold.h"
#include "collision/narrow_phase/separating_axes.h"

namespace sunder::collision {

// Two cores in the frame of the first, and how that lies in the frame of the poses given.
struct CorePair {
    PlacedCore a, b;
    Placement outerFromCommon;
    double margin = 0;
    KnownManifold known = {};  // of the last time

    double rounding() const { return a.core.rounding + b.core.rounding; }
};

// The whole way from two cores to their manifold.
ContactManifold collideCores(const CorePair& pair);

// axis: the closest points and their direction, or those of least overlap; separation of the cores.
ContactManifold buildManifold(const CorePair& pair, const OverlapAxis& axis);

// The manifold over face `face` of a, if any of b lies over it.
ContactManifold buildFaceManifold(const CorePair& pair, int face);

}  // namespace sunder::collision
