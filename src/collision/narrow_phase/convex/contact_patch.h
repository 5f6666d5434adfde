// From the direction in which two cores are closest, or overlap least, to a manifold.
#pragma once

#include "collision/narrow_phase/convex/core_pair.h"
#include "collision/narrow_phase/core/closest_features.h"
#include "collision/narrow_phase/core/separating_axes.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// From two cores to their manifold: search, then buildManifold.
ContactManifold collideCores(const CorePair& pair);

// axis: the closest points and their direction, or those of least overlap; its separation is that of the cores.
ContactManifold buildManifold(const CorePair& pair, const OverlapAxis& axis);

// The manifold over face `face` of a, if any of b lies over it.
ContactManifold buildFaceManifold(const CorePair& pair, int face);

// Of two polyhedra, the axis now of the features between which the previous manifold was; nothing where there was none, or
// where only corners touched.
FeatureAxis knownAxis(const CorePair& pair);

}  // namespace sunder::collision
