// Contact between any two convex shapes.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// For two convex shapes (neither mesh nor compound); count is 0 where they are further apart than the range's margin. further
// gets points that touch besides the four of the manifold.
ContactManifold collideConvex(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB,
                              const Range& range, KnownManifolds known, ContactManifold& further);
// Without the further points.
inline ContactManifold collideConvex(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB,
                                     const Range& range, const KnownManifold& known = {}) {
    ContactManifold further;
    return collideConvex(a, poseA, b, poseB, range, KnownManifolds(&known, 1), further);
}

}  // namespace sunder::collision
