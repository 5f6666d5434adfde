// Contact between any two shapes: the only door to the narrow phase.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Appends the manifolds of the pair: every place where the surfaces are closer than the range's margin.
// Both poses are in one frame, whose origin should be near the shapes (float). Exactly symmetric up to exchanging A and B
// is not required, but normals and separations agree with the exchanged call to rounding.
// Meshes against meshes give nothing. Thread-safe; allocates only when out or its thread's scratch must grow.
// Returns how far apart the surfaces are at least where nothing was appended, else 0.
// known: what the pair had when it was last looked at, if anything.
Real collide(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, const Range& range,
             ManifoldList& out, KnownManifolds known = {});

}  // namespace sunder::collision
