// Which plane of a convex shape another one is above: how what goes over a floor of several parts is told from what runs into
// one of them.
#pragma once

#include "collision/built_shape.h"
#include "math/quat.h"

namespace sunder::collision {

// m: how high the lowest point of a convex shape is above the face of another whose normal is nearest to `up`; -infinity where
// the two normals differ by more than two degrees or `other` is nearer to that of the face, and where there are no faces.
// Directions are unit vectors in world axes. Neither shape is a mesh, level set or compound.
Real heightOverFace(const BuiltShape& below, const Pose& poseBelow, const BuiltShape& above, const Pose& poseAbove,
                    const Vec3& up, const Vec3& other);

}  // namespace sunder::collision
