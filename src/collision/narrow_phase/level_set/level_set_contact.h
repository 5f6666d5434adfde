// Contact between a level set and any shape that is not a compound.
//   [GBF03] 2   the particles of each in the distance field of the other, both ways
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Appends at most kMaxLevelSetManifolds manifolds, deepest first, whose normals point from the level set (A) to B. Returns how
// far apart the surfaces are at least where nothing was appended, else 0: "apart" in the sense of the particles, whose
// distances change by no more than the bodies move.
Real collideLevelSet(const BuiltShape& levelSet, const Pose& poseLevelSet, const BuiltShape& other, const Pose& poseOther,
                     const Range& range, ManifoldList& out, KnownManifolds known);

}  // namespace sunder::collision
