// Contact between a level set and any shape that is not a compound.
//   [GBF03] 2   the particles of each in the distance field of the other, both ways
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Appends at most kMaxLevelSetManifolds manifolds, deepest first, with normals from the level set (A) to B. Returns a lower
// bound of the distance (m) where nothing was appended, else 0. It is the distance of the particles, which changes by no more
// than the bodies move.
Real collideLevelSet(const BuiltShape& levelSet, const Pose& poseLevelSet, const BuiltShape& other, const Pose& poseOther,
                     const Range& range, ManifoldList& out, KnownManifolds known);

}  // namespace sunder::collision
