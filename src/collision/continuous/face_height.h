// Which plane of a convex shape another one is above: how what goes over a floor of several parts is told from what runs into
// one of them. Neither shape is a mesh, level set or compound.
#pragma once

#include <optional>

#include "collision/built_shape.h"
#include "math/quat.h"

namespace sunder::collision {

// The plane of a face, in the axes of its shape.
struct FacePlane {
    Vec3 normal;
    Real offset = 0;  // m, along the normal
};

// The face of a shape whose normal is nearest to `up`; none where the two differ by more than two degrees or `other` is nearer
// to that of the face, and where there are no faces. Directions are unit vectors in the axes of the shape.
std::optional<FacePlane> faceAlong(const BuiltShape& shape, const Vec3& up, const Vec3& other);

// m: how high the lowest point of a shape is above a face of another.
Real heightOverFace(const FacePlane& face, const Pose& poseBelow, const BuiltShape& above, const Pose& poseAbove);

}  // namespace sunder::collision
