// Contact between shapes of which at least one is a compound.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold.h"

namespace sunder::collision {

// Appends the manifolds of every pair of children whose bounds are closer than the margin, in the order of A's children, then
// B's. Keys tell the children apart. Normals point from A to B.
void collideCompound(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, const Range& range,
                     ManifoldList& out, KnownManifolds known);

}  // namespace sunder::collision
