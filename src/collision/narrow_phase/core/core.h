// A convex shape as the general routines see it: a core (point, segment, polyhedron, triangle or cylinder) and a radius of
// rounding about it. Spheres are rounded points, capsules rounded segments.
#pragma once

#include "collision/built_shape.h"
#include "collision/narrow_phase/core/placement.h"

namespace sunder::collision {

enum class CoreKind : std::uint8_t { Point, Segment, Polyhedron, Triangle, Cylinder };

// Tables of a polyhedron wherever they lie. A point has no edges or faces, a segment has no faces.
struct PolyhedronView {
    using Face = geometry::Polyhedron::Face;
    using Edge = geometry::Polyhedron::Edge;
    const Vec3* vertices = nullptr;
    const Face* faces = nullptr;
    const std::uint16_t* faceVertices = nullptr;
    const Edge* edges = nullptr;
    int vertexCount = 0, faceCount = 0, edgeCount = 0;
    // Of built shapes only: see Polyhedron.
    const Real *vertexQuads = nullptr, *faceQuads = nullptr, *edgeCosines = nullptr;

    Vec3d vertex(int i) const { return toDouble(vertices[i]); }
    Vec3d normal(int face) const { return toDouble(faces[face].normal); }
};

class ConvexCore {
public:
    explicit ConvexCore(const BuiltShape& shape);
    // One-sided: face 0 is the front; face 1, the back, is there for the edges only.
    explicit ConvexCore(const Vec3 (&triangle)[3]);
    // A copy of the core that is thinner by `shrink` all round where it is a cylinder. The original must outlive it.
    ConvexCore(const ConvexCore& original, double shrink);
    ConvexCore(const ConvexCore&) = delete;
    ConvexCore& operator=(const ConvexCore&) = delete;

    // A point of the core that is farthest along the direction, which need not be a unit vector.
    Vec3d support(const Vec3d& direction) const;
    // The first of the vertices that are; not for cylinders.
    int farthestVertex(const Vec3d& direction) const;

    CoreKind kind = CoreKind::Point;
    bool isBox = false;
    double rounding = 0;
    double radius = 0, halfHeight = 0;  // cylinder about y; halfHeight also of the segment
    Vec3d halfExtents;                  // box
    double size = 0;                    // of a sphere about the origin that holds the rounded shape
    Vec3d center;                       // a point inside
    double innerRadius = 0;             // polyhedra: of a sphere about center inside
    PolyhedronView polyhedron;          // of every kind but the cylinder

private:
    void setSegment(double halfLength);

    Vec3 ownVertices_[3];
    PolyhedronView::Face ownFaces_[2];
    PolyhedronView::Edge ownEdges_[3];
};

// A core under its placement in the common frame (that of the first shape of the pair).
struct PlacedCore {
    const ConvexCore& core;
    Placement placement;

    Vec3d support(const Vec3d& direction) const {
        return outerPoint(placement, core.support(innerDirection(placement, direction)));
    }
    Vec3d center() const { return outerPoint(placement, core.center); }
};

}  // namespace sunder::collision
