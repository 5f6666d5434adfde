// One convex shape against one triangle of a mesh.
#pragma once

#include <cstdint>

#include "collision/built_shape.h"
#include "collision/narrow_phase/core/core.h"
#include "collision/narrow_phase/manifold/manifold.h"
#include "collision/narrow_phase/mesh/facing_polygon.h"

namespace sunder::collision {

// The feature of the triangle whose outward directions contain the normal. Edge i joins vertices i and i + 1.
enum class TriangleFeature : std::uint8_t { Face, Edge0, Edge1, Edge2, Vertex0, Vertex1, Vertex2 };

struct NearestPoint {
    Vec3d point;
    TriangleFeature feature;  // on which it lies
};
// The point of a triangle nearest to the origin; the triangle may be degenerate.
NearestPoint nearestToOrigin(const Vec3d (&corner)[3]);

struct TriangleManifold {
    ContactManifold manifold;  // A is the triangle, B the convex shape: the normal points from the triangle to the convex
    TriangleFeature feature = TriangleFeature::Face;
};

// A convex shape under a pose, ready to be compared with many triangles. Triangles are given in the frame of the pose,
// counter-clockwise from their front, and are one-sided: a shape whose centre is behind the plane gives nothing, and no normal
// has a component against the front (beyond rounding). A degenerate triangle gives nothing. The shape must outlive it.
class ConvexOverTriangles {
public:
    ConvexOverTriangles(const BuiltShape& convex, const Pose& pose);

    // count is 0 where the two are further apart than the range's margin.
    TriangleManifold collide(const Vec3 (&triangle)[3], const Range& range) const;
    // Contact with the normal held to the triangle's own, for edges that must not turn the normal. Only what lies in front of
    // or behind the triangle's face (inside its three side planes) counts. Empty where no part of the convex shape's surface
    // that faces the triangle lies over it.
    ContactManifold collideFace(const Vec3 (&triangle)[3], Real margin);

private:
    void moveToPose(ContactManifold& manifold) const;  // from the axes about the position

    const ConvexCore core_;
    const Placement placement_;  // about the pose's position, so that no digits are lost far from the origin
    const Vec3 position_;
    Vec3d center_;  // a point inside, from the position
    FacingPolygon facing_;
};

// As the members of ConvexOverTriangles, for a single triangle.
TriangleManifold collideConvexTriangle(const BuiltShape& convex, const Pose& poseConvex, const Vec3 (&triangle)[3],
                                       const Range& range);
ContactManifold collideConvexTriangleFace(const BuiltShape& convex, const Pose& poseConvex, const Vec3 (&triangle)[3],
                                          Real margin);

}  // namespace sunder::collision
