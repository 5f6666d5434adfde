// Contact between any two convex shapes.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// For two convex shapes (neither mesh nor compound); count is 0 where they are further apart than the range's margin.
ContactManifold collideConvex(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB,
                              const Range& range, const KnownManifold& known = {});

}  // namespace sunder::collision
