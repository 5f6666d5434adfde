// Which triangles of a mesh a convex shape can touch in the time at hand: cheap tests before a triangle is searched.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Frame as in MeshPatch: the mesh's axes with the origin at the convex shape's.
class MeshReach {
public:
    // poseMesh and poseConvex as in collideMeshConvex, whose range it is.
    MeshReach(const Pose& poseMesh, const BuiltShape& convex, const Pose& poseConvex, const Quat& meshFromConvex,
              const Range& range);

    // Whether the shape may touch something inside the box: bounds in the mesh's frame, where the shape is at `center`. Of
    // boxes much larger than all that it may touch, only whether that overlaps them.
    bool reaches(const Bounds& bounds, const Vec3& center) const;
    // m: nothing nearer than this is left out, in whatever direction.
    Real even() const { return even_; }
    // Whether the triangle can have a contact with the shape. False only where a plane parts the two: the triangle's own, or
    // one along the axes of the shape's box.
    bool reaches(const geometry::TriangleMesh& mesh, std::uint32_t triangle, const Vec3 (&corners)[3]) const;
    // Whether all of the shape lies over a neighbour of the triangle, whose contact is then nearer as a rule.
    bool isBeside(const geometry::TriangleMesh& mesh, std::uint32_t triangle, const Vec3 (&corners)[3]) const;
    // Whether a polyhedron is in front of the triangle's plane and touches it first, if at all, with a normal that the surface
    // around the triangle does not allow.
    bool leansAway(const geometry::TriangleMesh& mesh, std::uint32_t triangle, const Vec3 (&corners)[3]) const;

private:
    // Gap between the shape and the triangle's plane, negative where the shape reaches below it.
    Real gapOver(const Vec3& n, const Vec3& corner) const { return -dot(n, corner) - coreExtent(-n) - rounding_; }
    // How far the shape without its rounding extends from its origin along d, in lengths of d.
    Real coreExtent(const Vec3& d) const;
    Vec3 inShape(const Vec3& v) const { return {dot(axes_[0], v), dot(axes_[1], v), dot(axes_[2], v)}; }

    const BuiltShape& convex_;
    Vec3 axes_[3];  // of the shape
    Vec3 way_;      // m: expected motion of its origin
    Real even_ = 0;
    Real most_ = 0;        // m: the range's margin
    Vec3 center_;          // a point inside
    Real rounding_ = 0;    // m: of a sphere or capsule
    Real grown_ = 0;       // m: rounding_ and even_, with a little to spare
    Real inner_ = 0;       // m: a ball of this radius about center_ is inside a polyhedron
    Bounds swept_;         // of all that it may touch
    Vec3 low_, high_;      // its box along its own axes, swept along the way and grown by even_
    Real large_ = 0;       // m: a box with a longer side than this is much larger
    bool isBall_ = false;  // its box says no more than its bounds
};

}  // namespace sunder::collision
