// Separating axes of polyhedra: the faces of both and those pairs of edges whose arcs cross on the Gauss map, that is the
// faces of the Minkowski difference. Flat triangles (arcs of half a turn) and segments (no faces) need no special case.
#include "collision/narrow_phase/separating_axes.h"

namespace sunder::collision {
namespace {

constexpr double kParallelSine2 = 1e-12;  // squared sine of edges that are parallel to rounding
constexpr double kFrontSlack = 1e-6;      // a triangle's edges may give normals in its plane
constexpr int kMaxEdges = 1024;           // of B that face A; a hull has far fewer

// Along a unit normal n the cores are separated by at most n . offset - inner: both hold a sphere about their centres. So
// faces and edges that look away from the other core need no closer look.
struct PairBounds {
    Double3 offset;    // from A's centre to B's
    double inner = 0;  // the spheres' radii together
};

struct EdgePair {
    double separation = -1e300;
    int edgeA = -1, edgeB = -1;
    Double3 normal;
};

struct FaceAxis {
    double separation = -1e300;
    int face = -1;
};

PairBounds pairBounds(const PlacedCore& a, const PlacedCore& b) {
    return {b.center() - a.center(), a.core.innerRadius + b.core.innerRadius};
}

// offset points from faces to other. front: the triangle's normal, or null.
FaceAxis bestFace(const PlacedCore& faces, const PlacedCore& other, int faceCount, const PairBounds& bounds,
                  const Double3& offset, const Double3* front) {
    FaceAxis best;
    const PolyhedronView& view = faces.core.polyhedron;
    const Double3 innerOffset = innerDirection(faces.placement, offset);
    for (int i = 0; i < faceCount; ++i) {
        if (dot(view.normal(i), innerOffset) - bounds.inner <= best.separation)
            continue;
        const Double3 normal = outerDirection(faces.placement, view.normal(i));
        if (front && dot(*front, normal) > kFrontSlack)
            continue;
        const Double3 lowest = innerPoint(faces.placement, other.support(-normal));
        const double separation = dot(view.normal(i), lowest) - double(view.faces[i].offset);
        if (separation > best.separation)
            best = {separation, i};
    }
    return best;
}

// The largest n . offset over the unit normals n that an edge shows, in the edge's own frame.
double edgeReach(const PolyhedronView& view, const PolyhedronView::Edge& edge, const Double3& offset) {
    const Double3 e = view.vertex(edge.vertex1) - view.vertex(edge.vertex0), across = cross(e, offset);
    if (view.faceCount > 0) {
        const Double3 a = view.normal(edge.face0), b = view.normal(edge.face1);
        if (dot(a, across) > 0 || dot(b, across) < 0)  // the offset's own direction is not on the arc from a to b
            return greater(dot(a, offset), dot(b, offset));
    }
    return std::sqrt(dot(across, across) / greater(dot(e, e), 1e-300));
}

// An edge of A seen from B's frame: e from `start`, between faces with normals a and b.
struct SeenEdge {
    Double3 start, e, a, b;
    double squared = 0;
};

SeenEdge seenFrom(const Placement& bFromOuter, const PlacedCore& first, const PolyhedronView::Edge& edge) {
    const PolyhedronView& view = first.core.polyhedron;
    const auto direction = [&](const Double3& d) { return innerDirection(bFromOuter, outerDirection(first.placement, d)); };
    SeenEdge seen;
    seen.start = innerPoint(bFromOuter, outerPoint(first.placement, view.vertex(edge.vertex0)));
    seen.e = direction(view.vertex(edge.vertex1) - view.vertex(edge.vertex0));
    seen.squared = dot(seen.e, seen.e);
    if (view.faceCount > 0) {
        seen.a = direction(view.normal(edge.face0));
        seen.b = direction(view.normal(edge.face1));
    }
    return seen;
}

// For edges e of A between faces with normals a, b and f of B between c, d, where b is a turned about +e and d is c turned
// about +f: s (e x f) is a face of the Minkowski difference exactly where s (a.f) > 0, s (b.f) < 0, s (c.e) > 0, s (d.e) < 0.
// Returns s, zero where it is none.
double arcsCross(const SeenEdge& seen, bool hasFacesA, const PolyhedronView& viewB, const PolyhedronView::Edge& edgeB,
                 const Double3& f) {
    double s = 0;
    if (viewB.faceCount > 0) {
        const double c = dot(viewB.normal(edgeB.face0), seen.e);
        if (!(c * dot(viewB.normal(edgeB.face1), seen.e) < 0))
            return 0;
        s = c > 0 ? 1 : -1;
    }
    if (hasFacesA) {
        const double af = dot(seen.a, f);
        if (!(af * dot(seen.b, f) < 0) || s * af < 0)
            return 0;
        s = af > 0 ? 1 : -1;
    }
    return s;
}

EdgePair bestEdgePair(const PlacedCore& first, const PlacedCore& second, const PairBounds& bounds, double faceSeparation,
                      const Double3* front) {
    EdgePair best;
    const PolyhedronView &viewA = first.core.polyhedron, &viewB = second.core.polyhedron;
    double limit = faceSeparation;  // an edge pair must separate better than this
    std::uint16_t edgesB[kMaxEdges];
    int countB = 0;
    const Double3 offsetInB = innerDirection(second.placement, -bounds.offset);
    for (int j = 0; j < viewB.edgeCount; ++j)
        if (countB < kMaxEdges && edgeReach(viewB, viewB.edges[j], offsetInB) - bounds.inner > limit)
            edgesB[countB++] = std::uint16_t(j);
    const Double3 offsetInA = innerDirection(first.placement, bounds.offset);
    for (int i = 0; i < viewA.edgeCount; ++i) {
        if (edgeReach(viewA, viewA.edges[i], offsetInA) - bounds.inner <= limit)
            continue;
        const SeenEdge seen = seenFrom(second.placement, first, viewA.edges[i]);
        for (int k = 0; k < countB; ++k) {
            const PolyhedronView::Edge& edgeB = viewB.edges[edgesB[k]];
            const Double3 f = viewB.vertex(edgeB.vertex1) - viewB.vertex(edgeB.vertex0);
            const double s = arcsCross(seen, viewA.faceCount > 0, viewB, edgeB, f);
            Double3 n = cross(seen.e, f);
            const double squared = dot(n, n);
            if (s == 0 || !(squared > kParallelSine2 * seen.squared * dot(f, f)))
                continue;
            n = n * (s / std::sqrt(squared));
            const double separation = dot(n, viewB.vertex(edgeB.vertex0) - seen.start);
            if (!(separation > limit))
                continue;
            const Double3 normal = outerDirection(second.placement, n);
            if (front && dot(normal, *front) <= -kFrontSlack)
                continue;
            best = {separation, i, edgesB[k], normal};
            limit = separation;
        }
    }
    return best;
}

// Where the two edges' lines pass each other. Outside the edges only where a triangle's front excluded a better axis.
void setEdgePoints(const PlacedCore& a, const PlacedCore& b, const EdgePair& pair, OverlapAxis& axis) {
    const PolyhedronView &viewA = a.core.polyhedron, &viewB = b.core.polyhedron;
    const PolyhedronView::Edge &edgeA = viewA.edges[pair.edgeA], &edgeB = viewB.edges[pair.edgeB];
    const Double3 p = outerPoint(a.placement, viewA.vertex(edgeA.vertex0));
    const Double3 q = outerPoint(b.placement, viewB.vertex(edgeB.vertex0));
    const Double3 e = outerPoint(a.placement, viewA.vertex(edgeA.vertex1)) - p;
    const Double3 f = outerPoint(b.placement, viewB.vertex(edgeB.vertex1)) - q;
    const Double3 n = cross(e, f);
    const double w = dot(cross(q - p, e), n) / dot(n, n);
    axis.normal = pair.normal;
    axis.separation = pair.separation;
    axis.onB = q + f * limitTo(w, 0, 1);
    axis.onA = axis.onB - axis.normal * axis.separation;
}

}  // namespace

OverlapAxis findLeastOverlap(const PlacedCore& a, const PlacedCore& b) {
    const bool oneSided = a.core.kind == CoreKind::Triangle;
    const Double3 front = oneSided ? outerDirection(a.placement, a.core.polyhedron.normal(0)) : Double3{};
    const PairBounds bounds = pairBounds(a, b);
    const FaceAxis faceA = bestFace(a, b, oneSided ? 1 : a.core.polyhedron.faceCount, bounds, bounds.offset, nullptr);
    const FaceAxis faceB = bestFace(b, a, b.core.polyhedron.faceCount, bounds, -bounds.offset, oneSided ? &front : nullptr);
    const double face = greater(faceA.separation, faceB.separation);
    const EdgePair edges = bestEdgePair(a, b, bounds, face, oneSided ? &front : nullptr);

    OverlapAxis axis;
    if (edges.separation > face) {
        setEdgePoints(a, b, edges, axis);
    } else if (faceB.separation > faceA.separation) {
        axis.normal = -outerDirection(b.placement, b.core.polyhedron.normal(faceB.face));
        axis.separation = faceB.separation;
        axis.onA = a.support(axis.normal);
        axis.onB = axis.onA + axis.normal * axis.separation;
    } else if (faceA.face >= 0) {
        axis.normal = outerDirection(a.placement, a.core.polyhedron.normal(faceA.face));
        axis.separation = faceA.separation;
        axis.onB = b.support(-axis.normal);
        axis.onA = axis.onB - axis.normal * axis.separation;
    }
    axis.faceA = faceA.face;
    axis.faceB = faceB.face;
    return axis;
}

}  // namespace sunder::collision
