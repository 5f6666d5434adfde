// Contact between a convex shape and a triangle mesh.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Appends at most two manifolds for each of kMaxMeshManifolds directions, deepest first; normals point from the mesh (A) to the
// convex shape (B). Keys come from the normal in the mesh's frame and features from the convex shape, so that both survive
// sliding from triangle to triangle. known: manifolds of the last look, given again where others are hardly better; their
// normals, like those of the pair, point from the mesh where meshIsFirst, and to it otherwise. Returns how far apart the
// surfaces are at least where nothing is appended.
Real collideMeshConvex(const BuiltShape& mesh, const Pose& poseMesh, const BuiltShape& convex, const Pose& poseConvex,
                       const Range& range, ManifoldList& out, KnownManifolds known = {}, bool meshIsFirst = true);

inline constexpr int kMaxMeshManifolds = 8;  // directions of contact at once; the deepest are kept

}  // namespace sunder::collision
