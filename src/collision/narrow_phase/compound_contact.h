// Contact between shapes of which at least one is a compound.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Collides a child of A with a child of B; see collide (collide.h).
using CollideChildren = Real (*)(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB,
                                 const Range& range, ManifoldList& out, KnownManifolds known);

// Appends the manifolds of every pair of children whose bounds are closer than the margin, in the order of A's children, then
// B's. Keys tell the children apart. Normals point from A to B. Returns how far apart the surfaces are at least where nothing
// is appended.
Real collideCompound(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, const Range& range,
                     ManifoldList& out, KnownManifolds known, CollideChildren collideChildren);

}  // namespace sunder::collision
