// Separating axes of polyhedra: the faces of both and those pairs of edges whose arcs cross on the Gauss map, that is the
// faces of the Minkowski difference. Flat triangles (arcs of half a turn) and segments (no faces) need no special case.
#include "collision/narrow_phase/core/separating_axes.h"

#include "collision/narrow_phase/core/farthest.h"
#include "collision/narrow_phase/manifold/preference.h"
#include "math/mat3.h"

namespace sunder::collision {
namespace {

constexpr int kMaxFaces = 256;             // of a core whose heights are stored; the edges of larger cores are not pruned
constexpr int kMaxEdges = 64;              // of B compared with A's at a time
constexpr Real kHeightSlack = Real(1e-5);  // of the lengths: allowance for the pruning, which is done in Real

struct EdgePair {
    double separation = -1e300;
    int edgeA = -1, edgeB = -1;
    Vec3d normal;
};

struct FaceAxis {
    double separation = -1e300;
    int face = -1;
};

// How far the other core's centre is above each face of a core. The other core contains a sphere of its inner radius about that
// centre, so no face separates the two by more than this height less the radius. An edge's plane through a unit normal n on the
// arc between those of its faces contains the edge's vertices, as both faces do: the centre's height above it is the same
// combination of the two heights as n is of the two normals. So faces and edges that look away from the other core are skipped.
struct Heights {
    Real over[kMaxFaces];
    Real slack = 0;
    Real inner = 0;     // of the other core
    int top = 0;        // the face that the other core's centre is highest above
    bool kept = false;  // `over` is filled in

    Heights(const PlacedCore& core, const PlacedCore& other) : inner(Real(other.core.innerRadius)) {
        const PolyhedronView& view = core.core.polyhedron;
        kept = view.faceCount > 0 && view.faceCount <= kMaxFaces;
        if (!kept)
            return;
        const Vec3 point = toReal(innerPoint(core.placement, other.center()));
        slack = kHeightSlack * (length(point) + Real(core.core.size));
        if (view.faceQuads != nullptr) {
            top = findHeights(view.faceQuads, view.faceCount, point, over);
            return;
        }
        for (int i = 0; i < view.faceCount; ++i)
            over[i] = dot(view.faces[i].normal, point) - view.faces[i].offset;
        for (int i = 1; i < view.faceCount; ++i)
            if (over[i] > over[top])
                top = i;
    }
    // Upper bound of the separation of the other core along face i.
    double most(int i) const { return double(over[i] + slack - inner); }
};

// The faces of one core and how well they separate it from another.
class FaceSearch {
public:
    // front: the triangle's normal, or null. faceCount: those that count.
    FaceSearch(const PlacedCore& faces, const PlacedCore& other, int faceCount, const Vec3d* front)
        : heights(faces, other),
          faces_(faces),
          other_(other),
          otherFromFaces_(relativePlacement(other.placement, faces.placement)),
          count_(faceCount),
          front_(front) {}

    // The face that is most likely to be the best.
    void lookAtFirst() {
        first_ = heights.kept && count_ == faces_.core.polyhedron.faceCount ? heights.top : 0;
        if (count_ > 0)
            look(first_);
    }
    // All others that may separate by more than the best so far and by more than `least`; ends at one that does so by `enough`.
    void lookAtOthers(double least, double enough) {
        for (int i = 0; i < count_ && !(best.separation > enough); ++i)
            if (i != first_ && (!heights.kept || heights.most(i) > greater(best.separation, least)))
                look(i);
    }

    const Heights heights;
    FaceAxis best;

private:
    void look(int i) {
        const PolyhedronView& view = faces_.core.polyhedron;
        const Vec3d normal = view.normal(i);
        if (front_ && dot(*front_, outerDirection(faces_.placement, normal)) > kFrontSlack)
            return;
        const Vec3d lowest = other_.core.support(-outerDirection(otherFromFaces_, normal));
        const double separation = dot(normal, innerPoint(otherFromFaces_, lowest)) - double(view.faces[i].offset);
        if (separation > best.separation)
            best = {separation, i};
    }

    const PlacedCore &faces_, &other_;
    const Placement otherFromFaces_;
    const int count_;
    const Vec3d* front_;
    int first_ = 0;
};

// Which of four edges may separate by more than the limit: those for which the other core's centre is high enough above one of
// the planes of the edge, whose unit normals lie on the arc between its faces' normals a and b. On the circle through a and b
// the largest height is sqrt(p^2 + q^2 - 2 p q c) / sqrt(1 - c^2), where p and q are the heights above the faces and c = a . b;
// it is on the arc where p > q c and q > p c. The faces of a triangle are opposite.
unsigned edgesBeyond(const PolyhedronView& view, int first, const Heights& heights, double separation) {
    const int count = view.edgeCount - first < 4 ? view.edgeCount - first : 4;
    const unsigned all = (1u << count) - 1;
    const Real limit = Real(separation) + heights.inner - heights.slack;
    if (!heights.kept || limit < 0)
        return all;
    const PolyhedronView::Edge* const edges = view.edges + first;
    const int last = count - 1, second = 1 < last ? 1 : last, third = 2 < last ? 2 : last;
    const Real* const over = heights.over;
    const Quad p{over[edges[0].face0], over[edges[second].face0], over[edges[third].face0], over[edges[last].face0]};
    const Quad q{over[edges[0].face1], over[edges[second].face1], over[edges[third].face1], over[edges[last].face1]};
    const Quad c = view.edgeCosines != nullptr ? loadQuad(view.edgeCosines + first) : quadOf(-1), most = quadOf(limit);
    const QuadMask onArc = (p > q * c) & (q > p * c);
    const QuadMask inside = p * p + q * q - quadOf(2) * p * q * c > most * most * (quadOf(1) - c * c);
    const QuadMask opposite = c <= quadOf(Real(-0.99));
    return unsigned(laneBits((p > most) | (q > most) | opposite | (onArc & inside))) & all;
}

struct Vec3x4 {
    Quad x, y, z;
};

inline Quad dot(const Vec3x4& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
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

    QuadMask cross(const EdgesOfB& edges, int block) const {
        const Quad zero{}, ce = dot(edges.c[block], e), af = dot(edges.f[block], a);
        const QuadMask crossesB = ce * dot(edges.d[block], e) < zero, crossesA = af * dot(edges.f[block], b) < zero;
        if (!hasFacesB)
            return crossesA;
        return hasFacesA ? (crossesA & crossesB) & (ce * af > zero) : crossesB;
    }
};

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
void compareEdges(const PlacedCore& first, const PlacedCore& second, const EdgesOfB& edgesB, const Heights& overA,
                  const Vec3d* front, double& limit, EdgePair& best) {
    const PolyhedronView& viewA = first.core.polyhedron;
    const bool hasFacesA = viewA.faceCount > 0, hasFacesB = second.core.polyhedron.faceCount > 0;
    const Placement bFromA = relativePlacement(second.placement, first.placement);
    const Mat3 turn = transpose({toReal(bFromA.axisX), toReal(bFromA.axisY), toReal(bFromA.axisZ)});
    const auto compareEdge = [&](int i) {
        const PolyhedronView::Edge& edge = viewA.edges[i];
        ArcTest test{turn * (viewA.vertices[edge.vertex1] - viewA.vertices[edge.vertex0]), {}, {}, hasFacesA, hasFacesB};
        if (hasFacesA) {
            test.a = turn * viewA.faces[edge.face0].normal;
            test.b = turn * viewA.faces[edge.face1].normal;
        }
        for (int block = 0; 4 * block < edgesB.count; ++block)
            for (std::uint64_t crosses = laneBits(test.cross(edgesB, block)); crosses != 0; crosses &= crosses - 1)
                comparePair(first, second, bFromA, i, edgesB.index[4 * block + lowestBit(crosses)], front, limit, best);
    };
    for (int i = 0; i < viewA.edgeCount; i += 4)
        for (unsigned beyond = edgesBeyond(viewA, i, overA, limit); beyond != 0; beyond &= beyond - 1)
            compareEdge(i + lowestBit(beyond));
}

// least: an edge pair must separate by more than this.
EdgePair bestEdgePair(const PlacedCore& first, const PlacedCore& second, const Heights& overA, const Heights& overB,
                      double least, const Vec3d* front) {
    EdgePair best;
    const PolyhedronView& viewB = second.core.polyhedron;
    double limit = least;
    EdgesOfB edgesB;
    for (int j = 0; j < viewB.edgeCount; j += 4) {
        for (unsigned beyond = edgesBeyond(viewB, j, overB, limit); beyond != 0; beyond &= beyond - 1)
            edgesB.add(viewB, j + lowestBit(beyond));
        if (edgesB.count > kMaxEdges - 4 || (j + 4 >= viewB.edgeCount && edgesB.count > 0)) {
            compareEdges(first, second, edgesB, overA, front, limit, best);
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

OverlapAxis findLeastOverlap(const PlacedCore& a, const PlacedCore& b, double enough, double atLeast) {
    const bool oneSided = a.core.kind == CoreKind::Triangle;
    const Vec3d front = oneSided ? outerDirection(a.placement, a.core.polyhedron.normal(0)) : Vec3d{};
    const Vec3d* onlyFront = oneSided ? &front : nullptr;
    FaceSearch facesA(a, b, oneSided ? 1 : a.core.polyhedron.faceCount, nullptr);
    FaceSearch facesB(b, a, b.core.polyhedron.faceCount, onlyFront);
    facesA.lookAtFirst();
    if (!(facesA.best.separation > enough))
        facesB.lookAtFirst();
    // A triangle's faces are not compared with directions that its front excludes.
    double least = -1e300;
    if (!oneSided) {
        least = greater(atLeast, greater(facesA.best.separation, facesB.best.separation));
        least -= double(mostTolerance(Real(least), Real(lesser(a.core.size, b.core.size))));
    }
    const auto isEnough = [&] { return greater(facesA.best.separation, facesB.best.separation) > enough; };
    if (!isEnough())
        facesA.lookAtOthers(least, enough);
    if (!isEnough())
        facesB.lookAtOthers(least, enough);
    const FaceAxis &faceA = facesA.best, &faceB = facesB.best;
    const double face = greater(faceA.separation, faceB.separation);
    EdgePair edges;
    if (!(face > enough))
        edges = bestEdgePair(a, b, facesA.heights, facesB.heights, oneSided ? face : greater(face, atLeast), onlyFront);

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
    axis.separationA = faceA.separation;
    axis.separationB = faceB.separation;
    return axis;
}

}  // namespace sunder::collision
