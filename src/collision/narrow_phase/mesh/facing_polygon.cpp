#include "collision/narrow_phase/mesh/facing_polygon.h"

#include "collision/narrow_phase/manifold/reduce.h"

namespace sunder::collision {
namespace {

constexpr double kSlack = 1e-5;  // of the smaller size: keeps the corners of shapes stacked exactly

}  // namespace

ContactManifold FacingPolygon::collide(const Vec3d (&triangle)[3], const Vec3d& n, double margin) {
    choose(-n);
    const Vec3d edges[3] = {triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]};
    const double lengths[3] = {length(edges[0]), length(edges[1]), length(edges[2])};
    const double slack = kSlack * lesser(greater(greater(lengths[0], lengths[1]), lengths[2]), core_.size);
    Clipped buffers[2];
    const Clipped* polygon = &vertices_;
    for (int side = 0; side < 3 && polygon->count() > 0; ++side) {
        Clipped& out = buffers[side & 1];
        clip(*polygon, cross(edges[side], n) * (1 / lengths[side]), triangle[side], side, slack, out);
        polygon = &out;
    }
    return chooseFrom(*polygon, triangle[0], n, margin);
}

// Keeps what lies within `slack` of the inside of one side of the triangle, whose outward unit normal is given.
void FacingPolygon::clip(const Clipped& in, const Vec3d& outward, const Vec3d& onSide, int side, double slack, Clipped& out) {
    out.clear();
    const int count = in.count();
    double beyond = dot(outward, in[0].point - onSide);
    const double beyondFirst = beyond;
    for (int i = 0; i < count; ++i) {
        const Vertex& p = in[i];
        const bool isLast = i + 1 == count;
        const Vertex& q = in[isLast ? 0 : i + 1];
        const double beyondNext = isLast ? beyondFirst : dot(outward, q.point - onSide);
        const bool isInside = beyond <= slack;
        if (isInside)
            out.add(p);
        if (isInside != (beyondNext <= slack)) {
            const double f = limitTo(beyond / (beyond - beyondNext), 0, 1);
            out.add({p.point + (q.point - p.point) * f, isInside ? kMostVertices + side : p.edge});
        }
        beyond = beyondNext;
    }
}

ContactManifold FacingPolygon::chooseFrom(const Clipped& points, const Vec3d& corner, const Vec3d& n, double margin) {
    ContactManifold manifold;
    InlineList<PlanarPoint, kMostClipped> candidates;
    InlineList<int, kMostClipped> sources;
    const Vec3d across = anyPerpendicular(n), along = cross(n, across);
    for (int i = 0; i < points.count(); ++i) {
        const double separation = dot(n, points[i].point - corner);
        if (!(separation <= margin))
            continue;
        candidates.add({Real(dot(across, points[i].point)), Real(dot(along, points[i].point)), Real(separation)});
        sources.add(i);
    }
    int chosen[kMaxManifoldPoints] = {0, 1, 2, 3};
    manifold.normal = toReal(n);
    manifold.count = candidates.count() > kMaxManifoldPoints ? choosePoints(candidates.data(), candidates.count(), chosen)
                                                             : candidates.count();
    for (int i = 0; i < manifold.count; ++i) {
        const int k = sources[chosen[i]];
        const Vertex &vertex = points[k], &before = points[k > 0 ? k - 1 : points.count() - 1];
        const Real separation = candidates[chosen[i]].separation;
        manifold.points[i] = {toReal(vertex.point - n * double(separation)), toReal(vertex.point), separation,
                              std::uint32_t(before.edge << 7 | vertex.edge)};
    }
    return manifold;
}

// The best aligned face around the vertex that reaches farthest: on a hull with many faces, the best aligned of all need not
// contain that vertex.
void FacingPolygon::choose(const Vec3d& direction) {
    const PolyhedronView& view = core_.polyhedron;
    const Vec3d inner = innerDirection(placement_, direction);
    if (const int vertex = core_.farthestVertex(inner); vertex != vertex_)
        listFaces(vertex);
    int best = faces_[0];
    double bestCosine = -2;
    for (int i = 0; i < faceCount_; ++i)
        if (const double cosine = dot(view.normal(faces_[i]), inner); cosine > bestCosine) {
            best = faces_[i];
            bestCosine = cosine;
        }
    if (best != face_)
        fill(best);
}

void FacingPolygon::listFaces(int vertex) {
    const PolyhedronView& view = core_.polyhedron;
    vertex_ = vertex;
    faceCount_ = 0;
    for (int i = 0; i < view.edgeCount; ++i) {
        const PolyhedronView::Edge& edge = view.edges[i];
        if (edge.vertex0 != vertex && edge.vertex1 != vertex)
            continue;
        // Every face about the vertex is on this side of one of its edges.
        const int face = edge.vertex0 == vertex ? edge.face0 : edge.face1;
        if (faceCount_ < kMostFaces)
            faces_[faceCount_++] = face;
    }
}

void FacingPolygon::fill(int face) {
    const PolyhedronView& view = core_.polyhedron;
    const PolyhedronView::Face& f = view.faces[face];
    const int count = f.vertexCount < kMostVertices ? f.vertexCount : kMostVertices;
    face_ = face;
    vertices_.clear();
    for (int i = 0; i < count; ++i) {
        const int k = count == f.vertexCount ? i : i * f.vertexCount / count;
        vertices_.add({outerPoint(placement_, view.vertex(view.faceVertices[f.firstIndex + k])), i});
    }
}

}  // namespace sunder::collision
