// The face of a polyhedron that faces a triangle, and the part of it that lies over the triangle.
#pragma once

#include "collision/narrow_phase/core/core.h"
#include "collision/narrow_phase/manifold/manifold.h"
#include "core/inline_list.h"

namespace sunder::collision {

// For one polyhedron and many triangles, whose normals differ little: what was found for one serves the next. The core and the
// placement must outlive it.
class FacingPolygon {
public:
    FacingPolygon(const ConvexCore& core, const Placement& placement) : core_(core), placement_(placement) {}

    // buildFaceManifold for a triangle with the unit normal n. Corners and results in the frame of the placement.
    ContactManifold collide(const Vec3d (&triangle)[3], const Vec3d& n, double margin);

private:
    static constexpr int kMostVertices = 32;  // larger faces are thinned to this many
    static constexpr int kMostClipped = kMostVertices + 3;
    static constexpr int kMostFaces = 16;  // about one vertex; of more, those that come first

    struct Vertex {
        Vec3d point;
        int edge;  // that leaves the vertex: of the face, or kMostVertices + side of the triangle
    };
    using Clipped = InlineList<Vertex, kMostClipped>;

    void choose(const Vec3d& direction);
    void listFaces(int vertex);
    void fill(int face);
    static void clip(const Clipped& in, const Vec3d& outward, const Vec3d& onSide, int side, double slack, Clipped& out);
    static ContactManifold chooseFrom(const Clipped& points, const Vec3d& corner, const Vec3d& n, double margin);

    const ConvexCore& core_;
    const Placement& placement_;
    int vertex_ = -1;  // whose faces are listed
    int faceCount_ = 0;
    int faces_[kMostFaces];
    int face_ = -1;  // whose vertices are placed
    Clipped vertices_;
};

}  // namespace sunder::collision
