// One convex shape against one triangle of a mesh.
#pragma once

#include <cstdint>

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// The feature of the triangle whose outward directions contain the normal. Edge i joins vertices i and i + 1.
enum class TriangleFeature : std::uint8_t { Face, Edge0, Edge1, Edge2, Vertex0, Vertex1, Vertex2 };

struct TriangleManifold {
    ContactManifold manifold;  // A is the triangle, B the convex shape: the normal points from the triangle to the convex
    TriangleFeature feature = TriangleFeature::Face;
};

// The triangle is given in the frame of the pose, counter-clockwise from its front, and is one-sided: a shape whose centre is
// behind the plane gives nothing, and no normal has a component against the front (beyond rounding).
// count is 0 where the two are further apart than the range's margin. A degenerate triangle gives nothing.
TriangleManifold collideConvexTriangle(const BuiltShape& convex, const Pose& poseConvex, const Vec3 (&triangle)[3],
                                       const Range& range);

// Contact with the normal held to the triangle's own, for edges that must not turn the normal. Only what lies in front of or
// behind the triangle's face (inside its three side planes) counts. Empty where no part of the convex shape's surface that
// faces the triangle lies over it.
ContactManifold collideConvexTriangleFace(const BuiltShape& convex, const Pose& poseConvex, const Vec3 (&triangle)[3],
                                          Real margin);

}  // namespace sunder::collision
