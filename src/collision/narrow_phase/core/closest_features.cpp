#include "collision/narrow_phase/core/closest_features.h"

namespace sunder::collision {
namespace {

// Whether a point lies over a face of a polyhedron, seen along its normal; all in its frame.
bool liesOver(const PolyhedronView& view, int face, const Vec3d& normal, const Vec3d& point) {
    const PolyhedronView::Face& f = view.faces[face];
    const std::uint16_t* const loop = view.faceVertices + f.firstIndex;
    Vec3d from = view.vertex(loop[f.vertexCount - 1]);
    for (int i = 0; i < f.vertexCount; ++i) {
        const Vec3d to = view.vertex(loop[i]);
        if (dot(cross(normal, to - from), point - from) < 0)
            return false;
        from = to;
    }
    return true;
}

// An edge and the normals of its faces, in the frame of B.
struct PlacedEdge {
    Vec3d from, along, normal0, normal1;

    PlacedEdge(const PolyhedronView& view, int index, const Placement& bFromCore) {
        const PolyhedronView::Edge& edge = view.edges[index];
        from = outerPoint(bFromCore, view.vertex(edge.vertex0));
        along = outerDirection(bFromCore, view.vertex(edge.vertex1) - view.vertex(edge.vertex0));
        normal0 = outerDirection(bFromCore, view.normal(edge.face0));
        normal1 = outerDirection(bFromCore, view.normal(edge.face1));
    }
};

// The sign with which e x f points out of A at its edge and into B at B's: see ArcTest in separating_axes.cpp; 0 where it does
// not.
double sideOf(const PlacedEdge& a, const PlacedEdge& b) {
    const double a0 = dot(a.normal0, b.along), a1 = dot(a.normal1, b.along);
    const double b0 = dot(b.normal0, a.along), b1 = dot(b.normal1, a.along);
    if (a0 > 0 && a1 < 0 && b0 > 0 && b1 < 0)
        return 1;
    return a0 < 0 && a1 > 0 && b0 < 0 && b1 > 0 ? -1 : 0;
}

}  // namespace

FeatureAxis axisOfFace(const PlacedCore& a, const PlacedCore& b, bool isFaceOfB, int face) {
    const PlacedCore &core = isFaceOfB ? b : a, &other = isFaceOfB ? a : b;
    const PolyhedronView& view = core.core.polyhedron;
    const Vec3d inner = view.normal(face), outer = outerDirection(core.placement, inner);
    const Vec3d lowest = other.support(-outer), point = innerPoint(core.placement, lowest);
    FeatureAxis found;
    OverlapAxis& axis = found.axis;
    found.isSeparation = true;
    axis.separation = dot(inner, point) - double(view.faces[face].offset);
    axis.normal = isFaceOfB ? -outer : outer;
    found.isClosest = axis.separation > 0 && liesOver(view, face, inner, point);
    axis.onA = isFaceOfB ? lowest : lowest - axis.normal * axis.separation;
    axis.onB = isFaceOfB ? lowest + axis.normal * axis.separation : lowest;
    (isFaceOfB ? axis.faceB : axis.faceA) = face;
    (isFaceOfB ? axis.separationB : axis.separationA) = axis.separation;
    return found;
}

FeatureAxis axisOfEdges(const PlacedCore& a, const PlacedCore& b, int edgeA, int edgeB) {
    const PlacedEdge ofA(a.core.polyhedron, edgeA, relativePlacement(b.placement, a.placement));
    const PlacedEdge ofB(b.core.polyhedron, edgeB, {});
    FeatureAxis found;
    const double side = sideOf(ofA, ofB);
    const Vec3d n = cross(ofA.along, ofB.along), between = ofB.from - ofA.from;
    const double squared = dot(n, n);
    if (side == 0 || !(squared > kParallelSine2 * dot(ofA.along, ofA.along) * dot(ofB.along, ofB.along)))
        return found;
    const Vec3d normal = n * (side / std::sqrt(squared));
    OverlapAxis& axis = found.axis;
    found.isSeparation = true;
    axis.separation = dot(normal, between);
    axis.normal = outerDirection(b.placement, normal);
    const double alongA = dot(cross(between, ofB.along), n) / squared, alongB = dot(cross(between, ofA.along), n) / squared;
    found.isClosest = axis.separation > 0 && alongA >= 0 && alongA <= 1 && alongB >= 0 && alongB <= 1;
    axis.onB = outerPoint(b.placement, ofB.from + ofB.along * alongB);
    axis.onA = axis.onB - axis.normal * axis.separation;
    return found;
}

}  // namespace sunder::collision
