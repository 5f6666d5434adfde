// Contact between a convex shape and a triangle mesh.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Appends at most kMaxMeshManifolds manifolds, deepest first; normals point from the mesh (A) to the convex shape (B). Keys
// come from the normal in the mesh's frame and features from the convex shape, so that both survive sliding from triangle to
// triangle.
void collideMeshConvex(const BuiltShape& mesh, const Pose& poseMesh, const BuiltShape& convex, const Pose& poseConvex,
                       const Range& range, ManifoldList& out);

inline constexpr int kMaxMeshManifolds = 8;  // directions of contact at once; the deepest are kept

}  // namespace sunder::collision
