// Separating axes of polyhedra: the faces of both and those pairs of edges whose arcs cross on the Gauss map, that is the
// faces of the Minkowski difference. Flat triangles (arcs of half a turn) and segments (no faces) need no special case.
#include "collision/narrow_phase/convex/separating_axes.h"

#include "math/mat3.h"

namespace sunder::collision {
namespace {

constexpr double kParallelSine2 = 1e-12;  // squared sine of edges that are parallel to rounding
constexpr double kFrontSlack = 1e-6;      // a triangle's edges may give normals in its plane
constexpr int kMaxFaces = 128;  // of a core whose face directions are stored; the edges of larger cores are not pruned
constexpr int kMaxEdges = 64;   // of B compared with A's at a time
constexpr Real kReachSlack = Real(1e-5);  // of the offset: allowance for the pruning, which is done in Real

// Along a unit normal n the cores are separated by at most n . offset - inner, since both contain a sphere about their centres.
// So faces and edges that look away from the other core can be skipped.
struct PairBounds {
    Vec3d offset;      // from A's centre to B's
    double inner = 0;  // sum of the spheres' radii
};

struct EdgePair {
    double separation = -1e300;
    int edgeA = -1, edgeB = -1;
    Vec3d normal;
};

struct FaceAxis {
    double separation = -1e300;
    int face = -1;
};

PairBounds pairBounds(const PlacedCore& a, const PlacedCore& b) {
    return {b.center() - a.center(), a.core.innerRadius + b.core.innerRadius};
}

// How much the faces of a core look towards the other one: normal . offset, in the core's own frame.
struct Looks {
    Vec3 offset;
    Real along[kMaxFaces];
    int most = 0;       // the face that looks towards the other most
    bool kept = false;  // `along` is filled in

    Looks(const PlacedCore& core, const Vec3d& towards) : offset(toReal(innerDirection(core.placement, towards))) {
        const PolyhedronView& view = core.core.polyhedron;
        kept = view.faceCount > 0 && view.faceCount <= kMaxFaces;
        if (!kept)
            return;
        for (int i = 0; i < view.faceCount; ++i)
            along[i] = dot(view.faces[i].normal, offset);
        for (int i = 1; i < view.faceCount; ++i)
            if (along[i] > along[most])
                most = i;
    }
};

// The face that separates most. front: the triangle's normal, or null. Stops at a face that separates by more than `enough`.
FaceAxis bestFace(const PlacedCore& faces, const PlacedCore& other, int faceCount, const PairBounds& bounds, const Looks& looks,
                  const Vec3d* front, double enough) {
    FaceAxis best;
    const PolyhedronView& view = faces.core.polyhedron;
    const Placement otherFromFaces = relativePlacement(other.placement, faces.placement);
    const auto look = [&](int i) {
        const Vec3d normal = view.normal(i);
        if (front && dot(*front, outerDirection(faces.placement, normal)) > kFrontSlack)
            return;
        const Vec3d lowest = other.core.support(-outerDirection(otherFromFaces, normal));
        const double separation = dot(normal, innerPoint(otherFromFaces, lowest)) - double(view.faces[i].offset);
        if (separation > best.separation)
            best = {separation, i};
    };
    // Start with the face that is most likely to be the best; few others then need a test.
    const int first = looks.kept && faceCount == view.faceCount ? looks.most : 0;
    if (faceCount > 0)
        look(first);
    const Real slack = kReachSlack * length(looks.offset);
    for (int i = 0; i < faceCount && !(best.separation > enough); ++i) {
        const Real along = looks.kept ? looks.along[i] : dot(view.faces[i].normal, looks.offset);
        if (i != first && double(along + slack) - bounds.inner > best.separation)
            look(i);
    }
    return best;
}

// Whether n . offset exceeds the limit for one of the unit normals n that an edge shows: those on the arc between its faces'
// normals a and b. On the circle through a and b the largest is sqrt(p^2 + q^2 - 2 p q c) / sqrt(1 - c^2), where p, q and c
// are a . offset, b . offset and a . b; it is on the arc where p > q c and q > p c. The faces of a triangle are opposite.
bool reachesBeyond(const PolyhedronView& view, const PolyhedronView::Edge& edge, const Looks& looks, Real limit) {
    if (!looks.kept)
        return true;
    const Real p = looks.along[edge.face0], q = looks.along[edge.face1];
    const Real c = dot(view.faces[edge.face0].normal, view.faces[edge.face1].normal);
    if (max(p, q) > limit || limit < 0)
        return true;
    if (c > Real(-0.99) && !(p > q * c && q > p * c))
        return false;
    return c <= Real(-0.99) || p * p + q * q - 2 * p * q * c > limit * limit * (1 - c * c);
}

// Four numbers at a time, with the bits of one at a time in each lane.
typedef Real Real4 __attribute__((vector_size(4 * sizeof(Real))));
using Mask4 = decltype(Real4{} < Real4{});

struct Vec3x4 {
    Real4 x, y, z;
};

inline Real4 dot(const Vec3x4& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline void setLane(Vec3x4& a, int lane, const Vec3& b) {
    a.x[lane] = b.x;
    a.y[lane] = b.y;
    a.z[lane] = b.z;
}

// Edges of B in B's frame: directions and the normals of the two faces at each. Unused lanes are zero and cross nothing.
struct EdgesOfB {
    static constexpr int kBlocks = kMaxEdges / 4;
    Vec3x4 f[kBlocks], c[kBlocks], d[kBlocks];
    int index[kMaxEdges];
    int count = 0;

    void add(const PolyhedronView& view, int edge) {
        const PolyhedronView::Edge& added = view.edges[edge];
        const int block = count / 4, lane = count % 4;
        if (lane == 0)
            f[block] = c[block] = d[block] = Vec3x4{};
        setLane(f[block], lane, view.vertices[added.vertex1] - view.vertices[added.vertex0]);
        if (view.faceCount > 0) {
            setLane(c[block], lane, view.faces[added.face0].normal);
            setLane(d[block], lane, view.faces[added.face1].normal);
        }
        index[count++] = edge;
    }
};

// For edges e of A between faces with normals a, b and f of B between c, d, where b is a turned about +e and d is c turned
// about +f: s (e x f) is a face of the Minkowski difference exactly where s (a.f) > 0, s (b.f) < 0, s (c.e) > 0, s (d.e) < 0.
// A segment has no faces, and its conditions drop out. Lanes are true where such an s exists.
struct ArcTest {
    Vec3 e, a, b;  // in B's frame
    bool hasFacesA, hasFacesB;

    Mask4 cross(const EdgesOfB& edges, int block) const {
        const Real4 zero{}, ce = dot(edges.c[block], e), af = dot(edges.f[block], a);
        const Mask4 crossesB = ce * dot(edges.d[block], e) < zero, crossesA = af * dot(edges.f[block], b) < zero;
        if (!hasFacesB)
            return crossesA;
        return hasFacesA ? (crossesA & crossesB) & (ce * af > zero) : crossesB;
    }
};

bool isAny(const Mask4& mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

// The sign with which e x f points out of A at its edge and into B at B's. Each of the four conditions gives it, but where arcs
// meet at their very ends, as those of two faces that lie on each other do, one or two of them are rounding; the sum of all
// four is not.
double sideOf(const PolyhedronView& viewA, const PolyhedronView::Edge& a, const Vec3d& e, const PolyhedronView& viewB,
              const PolyhedronView::Edge& b, const Vec3d& f, const Placement& bFromA) {
    double side = 0;
    if (viewA.faceCount > 0)
        side += dot(outerDirection(bFromA, viewA.normal(a.face0) - viewA.normal(a.face1)), f);
    if (viewB.faceCount > 0)
        side += dot(viewB.normal(b.face0) - viewB.normal(b.face1), e);
    return side;
}

// Tests one pair of edges exactly: updates best and limit where it separates better than limit.
void comparePair(const PlacedCore& first, const PlacedCore& second, const Placement& bFromA, int edgeA, int edgeB,
                 const Vec3d* front, double& limit, EdgePair& best) {
    const PolyhedronView &viewA = first.core.polyhedron, &viewB = second.core.polyhedron;
    const PolyhedronView::Edge &a = viewA.edges[edgeA], &b = viewB.edges[edgeB];
    const Vec3d e = outerDirection(bFromA, viewA.vertex(a.vertex1) - viewA.vertex(a.vertex0));
    const Vec3d f = viewB.vertex(b.vertex1) - viewB.vertex(b.vertex0);
    const double side = sideOf(viewA, a, e, viewB, b, f, bFromA);
    Vec3d n = cross(e, f);
    const double squared = dot(n, n);
    if (!(squared > kParallelSine2 * dot(e, e) * dot(f, f)))
        return;
    n = n * ((side > 0 ? 1 : -1) / std::sqrt(squared));
    const double separation = dot(n, viewB.vertex(b.vertex0) - outerPoint(bFromA, viewA.vertex(a.vertex0)));
    if (!(separation > limit))
        return;
    const Vec3d normal = outerDirection(second.placement, n);
    if (front && dot(normal, *front) <= -kFrontSlack)
        return;
    best = {separation, edgeA, edgeB, normal};
    limit = separation;
}

// Tests a batch of B's edges against all edges of A.
void compareEdges(const PlacedCore& first, const PlacedCore& second, const EdgesOfB& edgesB, const Looks& looksA, double inner,
                  const Vec3d* front, double& limit, EdgePair& best) {
    const PolyhedronView& viewA = first.core.polyhedron;
    const bool hasFacesA = viewA.faceCount > 0, hasFacesB = second.core.polyhedron.faceCount > 0;
    const Placement bFromA = relativePlacement(second.placement, first.placement);
    const Mat3 turn = transpose({toReal(bFromA.axisX), toReal(bFromA.axisY), toReal(bFromA.axisZ)});
    const Real slack = kReachSlack * length(looksA.offset);
    for (int i = 0; i < viewA.edgeCount; ++i) {
        const PolyhedronView::Edge& edge = viewA.edges[i];
        if (!reachesBeyond(viewA, edge, looksA, Real(limit + inner) - slack))
            continue;
        ArcTest test{turn * (viewA.vertices[edge.vertex1] - viewA.vertices[edge.vertex0]), {}, {}, hasFacesA, hasFacesB};
        if (hasFacesA) {
            test.a = turn * viewA.faces[edge.face0].normal;
            test.b = turn * viewA.faces[edge.face1].normal;
        }
        for (int block = 0; 4 * block < edgesB.count; ++block) {
            const Mask4 crosses = test.cross(edgesB, block);
            if (!isAny(crosses))
                continue;
            for (int lane = 0; lane < 4; ++lane)
                if (crosses[lane] != 0)
                    comparePair(first, second, bFromA, i, edgesB.index[4 * block + lane], front, limit, best);
        }
    }
}

EdgePair bestEdgePair(const PlacedCore& first, const PlacedCore& second, const PairBounds& bounds, const Looks& looksA,
                      const Looks& looksB, double faceSeparation, const Vec3d* front) {
    EdgePair best;
    const PolyhedronView& viewB = second.core.polyhedron;
    double limit = faceSeparation;  // an edge pair must separate better than this
    const Real slack = kReachSlack * length(looksB.offset);
    EdgesOfB edgesB;
    for (int j = 0; j < viewB.edgeCount; ++j) {
        if (reachesBeyond(viewB, viewB.edges[j], looksB, Real(limit + bounds.inner) - slack))
            edgesB.add(viewB, j);
        if (edgesB.count == kMaxEdges || (j + 1 == viewB.edgeCount && edgesB.count > 0)) {
            compareEdges(first, second, edgesB, looksA, bounds.inner, front, limit, best);
            edgesB.count = 0;
        }
    }
    return best;
}

// Where the lines of the two edges pass each other. Outside the edges only where a triangle's front excluded a better axis.
void setEdgePoints(const PlacedCore& a, const PlacedCore& b, const EdgePair& pair, OverlapAxis& axis) {
    const PolyhedronView &viewA = a.core.polyhedron, &viewB = b.core.polyhedron;
    const PolyhedronView::Edge &edgeA = viewA.edges[pair.edgeA], &edgeB = viewB.edges[pair.edgeB];
    const Vec3d p = outerPoint(a.placement, viewA.vertex(edgeA.vertex0));
    const Vec3d q = outerPoint(b.placement, viewB.vertex(edgeB.vertex0));
    const Vec3d e = outerPoint(a.placement, viewA.vertex(edgeA.vertex1)) - p;
    const Vec3d f = outerPoint(b.placement, viewB.vertex(edgeB.vertex1)) - q;
    const Vec3d n = cross(e, f);
    const double w = dot(cross(q - p, e), n) / dot(n, n);
    axis.normal = pair.normal;
    axis.separation = pair.separation;
    axis.onB = q + f * limitTo(w, 0, 1);
    axis.onA = axis.onB - axis.normal * axis.separation;
}

}  // namespace

OverlapAxis findLeastOverlap(const PlacedCore& a, const PlacedCore& b, double enough) {
    const bool oneSided = a.core.kind == CoreKind::Triangle;
    const Vec3d front = oneSided ? outerDirection(a.placement, a.core.polyhedron.normal(0)) : Vec3d{};
    const Vec3d* onlyFront = oneSided ? &front : nullptr;
    const PairBounds bounds = pairBounds(a, b);
    const Looks looksA(a, bounds.offset), looksB(b, -bounds.offset);
    const FaceAxis faceA = bestFace(a, b, oneSided ? 1 : a.core.polyhedron.faceCount, bounds, looksA, nullptr, enough);
    FaceAxis faceB;
    if (!(faceA.separation > enough))
        faceB = bestFace(b, a, b.core.polyhedron.faceCount, bounds, looksB, onlyFront, enough);
    const double face = greater(faceA.separation, faceB.separation);
    EdgePair edges;
    if (!(face > enough))
        edges = bestEdgePair(a, b, bounds, looksA, looksB, face, onlyFront);

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
