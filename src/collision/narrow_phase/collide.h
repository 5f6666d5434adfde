// Contact between any two shapes: the only entry to the narrow phase.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Appends the manifolds of the pair: every place where the surfaces are closer than the range's margin. Both poses are in one
// frame, whose origin should be near the shapes (float). Exchanging A and B gives the same normals and separations up to
// rounding. Two meshes give nothing. Thread-safe; allocates only when `out` or the thread's scratch must grow. Returns a lower
// bound of the distance (m) where nothing was appended, else 0. known: the manifolds of the previous look at this pair, if any.
Real collide(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, const Range& range,
             ManifoldList& out, KnownManifolds known = {});

}  // namespace sunder::collision
