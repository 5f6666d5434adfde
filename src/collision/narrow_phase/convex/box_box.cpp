// Box against box: the fifteen separating axes, then the incident face clipped to the reference face.
// Everything is computed in the frame of the reference box; a, b are the boxes' axes, t the offset of their centres.
// The axes' separations underestimate the distance of boxes that are apart and whose closest features are vertices or the
// ends of edges; those pairs are left to the general path.
#include "collision/narrow_phase/convex/facing_corners.h"
#include "collision/narrow_phase/convex/pairs.h"
#include "collision/narrow_phase/convex/patch.h"
#include "collision/narrow_phase/manifold/further_points.h"
#include "collision/narrow_phase/manifold/preference.h"

namespace sunder::collision {
namespace {

// Squared sine below which two edges count as parallel: their cross product has no direction worth testing, and the face axes
// separate equally well to within this angle.
constexpr Real kNearlyParallelSine2 = Real(1e-6);
// Share of a face's half width by which a point may stick out and still be kept unclipped, so that equal boxes stacked exactly
// keep their corners' features.
constexpr Real kClipSlack = Real(1e-5);

// Share of the smaller box's size by which another axis must separate better than that of the last time, where that was a face;
// for pairs of edges it is kKeptPreference. Edges of boxes that lie face on face are nearly parallel, and the axis across them
// leans anyhow: with less, boxes in piles hopped between face and edges and kicked each other (of 96 piles of 1000, 9 did not
// come to rest, now 1).
constexpr Real kKeptFace = Real(0.04);

constexpr int kNext[3] = {1, 2, 0}, kAfter[3] = {2, 0, 1};

// The second box as seen from the first.
struct RelativeBoxes {
    Real halfA[3], halfB[3];
    Real R[3][3];  // aFromB: columns are b's axes in a's frame
    Real t[3];     // centre of b in a's frame

    Vec3 axisB(int j) const { return {R[0][j], R[1][j], R[2][j]}; }
    Vec3 center() const { return {t[0], t[1], t[2]}; }
};

enum class AxisKind { None, FaceOfA, FaceOfB, EdgePair };

struct Axis {
    AxisKind kind = AxisKind::None;
    int index = 0;  // faces: axis; edges: 3 i + j
    Real separation = -kInfinity;
};

struct PlanarVertex {
    Real u, v, depth;   // in the reference face's plane; depth is the height above it
    std::uint8_t edge;  // the edge that leaves this vertex: 0-3 of the incident face, 4-7 sides of the reference face
};

constexpr int kMaxPlanarVertices = 12;  // a quadrangle cut by four lines has at most eight

struct PlanarPolygon {
    PlanarVertex vertices[kMaxPlanarVertices];
    int count = 0;
};

RelativeBoxes relativeBoxes(const PlacedShape& a, const PlacedShape& b) {
    const Mat3 rotationA = toMatrix(a.pose.orientation);
    const Mat3 R = transpose(rotationA) * toMatrix(b.pose.orientation);
    const Vec3 t = transposeTimes(rotationA, b.pose.position - a.pose.position);
    const Vec3 &p = a.shape.halfExtents, &q = b.shape.halfExtents;
    return {{p.x, p.y, p.z},
            {q.x, q.y, q.z},
            {{R.row0.x, R.row0.y, R.row0.z}, {R.row1.x, R.row1.y, R.row1.z}, {R.row2.x, R.row2.y, R.row2.z}},
            {t.x, t.y, t.z}};
}

// Exchanges the roles: the first box as seen from the second.
RelativeBoxes exchange(const RelativeBoxes& r) {
    RelativeBoxes e{};
    for (int i = 0; i < 3; ++i) {
        e.halfA[i] = r.halfB[i];
        e.halfB[i] = r.halfA[i];
        e.t[i] = -dot(r.center(), r.axisB(i));
        for (int j = 0; j < 3; ++j)
            e.R[i][j] = r.R[j][i];
    }
    return e;
}

Real separationOfFaceA(const RelativeBoxes& r, int i) {
    const Real reachB =
        std::fabs(r.R[i][0]) * r.halfB[0] + std::fabs(r.R[i][1]) * r.halfB[1] + std::fabs(r.R[i][2]) * r.halfB[2];
    return std::fabs(r.t[i]) - (r.halfA[i] + reachB);
}

Real separationOfFaceB(const RelativeBoxes& r, int j) {
    const Real reachA =
        std::fabs(r.R[0][j]) * r.halfA[0] + std::fabs(r.R[1][j]) * r.halfA[1] + std::fabs(r.R[2][j]) * r.halfA[2];
    const Real distance = r.t[0] * r.R[0][j] + r.t[1] * r.R[1][j] + r.t[2] * r.R[2][j];
    return std::fabs(distance) - (r.halfB[j] + reachA);
}

// Axis a_i x b_j, minus infinity where the two are parallel. In a's frame such an axis has two entries, both from column j of
// R; along it b's other two axes reach |a_i . (b_j x b_k)|, again entries of R.
Real separationOfEdges(const RelativeBoxes& r, int i, int j) {
    const int i1 = kNext[i], i2 = kAfter[i], j1 = kNext[j], j2 = kAfter[j];
    const Real p = r.R[i1][j], q = r.R[i2][j], squared = p * p + q * q;
    if (squared < kNearlyParallelSine2)
        return -kInfinity;
    const Real reachA = r.halfA[i1] * std::fabs(q) + r.halfA[i2] * std::fabs(p);
    const Real reachB = r.halfB[j1] * std::fabs(r.R[i][j2]) + r.halfB[j2] * std::fabs(r.R[i][j1]);
    return (std::fabs(r.t[i2] * p - r.t[i1] * q) - (reachA + reachB)) / std::sqrt(squared);
}

Real separationOf(const RelativeBoxes& r, AxisKind kind, int index) {
    switch (kind) {
        case AxisKind::FaceOfA: return separationOfFaceA(r, index);
        case AxisKind::FaceOfB: return separationOfFaceB(r, index);
        case AxisKind::EdgePair: return separationOfEdges(r, index / 3, index % 3);
        case AxisKind::None: break;
    }
    return -kInfinity;
}

Axis bestOf(const RelativeBoxes& r, AxisKind kind, int count) {
    Axis best{kind, 0};
    for (int i = 0; i < count; ++i)
        if (const Real separation = separationOf(r, kind, i); separation > best.separation)
            best = {kind, i, separation};
    return best;
}

// Keeps the part of the polygon where sign * coordinate <= limit. Axis 0 is u, 1 is v.
void clip(PlanarPolygon& polygon, int axis, Real sign, Real limit, std::uint8_t side) {
    const auto outside = [&](const PlanarVertex& p) { return sign * (axis == 0 ? p.u : p.v) - limit; };
    const Real slack = kClipSlack * limit;
    bool isCut = false;
    for (int k = 0; k < polygon.count; ++k)
        isCut |= outside(polygon.vertices[k]) > slack;
    if (!isCut)
        return;
    PlanarPolygon result;
    for (int k = 0; k < polygon.count; ++k) {
        const PlanarVertex& p = polygon.vertices[k];
        const PlanarVertex& q = polygon.vertices[k + 1 < polygon.count ? k + 1 : 0];
        const Real dp = outside(p), dq = outside(q);
        if (dp <= slack)
            result.vertices[result.count++] = p;
        if ((dp <= slack) == (dq <= slack))
            continue;
        const Real f = clamp(dp / (dp - dq), 0, 1);
        result.vertices[result.count++] = {p.u + f * (q.u - p.u), p.v + f * (q.v - p.v), p.depth + f * (q.depth - p.depth),
                                           dp <= slack ? side : p.edge};
    }
    polygon = result;
}

// The incident face of b against face `axis` of a, in a's frame. Sets sign to the side of a on which b lies.
// slopeU, slopeV: how far a step of 1 along the line of sight moves in the face's plane; 0 looks along its normal.
PlanarPolygon clipIncidentFace(const RelativeBoxes& r, int axis, Real& sign, int& incidentFace, Real slopeU = 0,
                               Real slopeV = 0) {
    const int u = kNext[axis], v = kAfter[axis];
    sign = r.t[axis] < 0 ? Real(-1) : Real(1);

    const Real x = std::fabs(r.R[axis][0]), y = std::fabs(r.R[axis][1]), z = std::fabs(r.R[axis][2]);
    const int m = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
    const int p = kNext[m], q = kAfter[m];
    const Real side = sign * r.R[axis][m] > 0 ? Real(-1) : Real(1);
    incidentFace = 2 * m + (side > 0 ? 1 : 0);

    const auto corner = [&](int row, Real alongP, Real alongQ) {
        return r.t[row] + r.R[row][m] * (side * r.halfB[m]) + r.R[row][p] * alongP + r.R[row][q] * alongQ;
    };
    PlanarPolygon polygon;
    for (int k = 0; k < 4; ++k) {
        const Real alongP = k == 1 || k == 2 ? r.halfB[p] : -r.halfB[p], alongQ = k >= 2 ? r.halfB[q] : -r.halfB[q];
        const Real depth = sign * corner(axis, alongP, alongQ) - r.halfA[axis];
        polygon.vertices[k] = {corner(u, alongP, alongQ) - slopeU * depth, corner(v, alongP, alongQ) - slopeV * depth, depth,
                               std::uint8_t(k)};
    }
    polygon.count = 4;
    clip(polygon, 0, Real(1), r.halfA[u], 4);
    clip(polygon, 0, Real(-1), r.halfA[u], 5);
    clip(polygon, 1, Real(1), r.halfA[v], 6);
    clip(polygon, 1, Real(-1), r.halfA[v], 7);
    return polygon;
}

// Features: bits 30 and 31 say what the axis was (face of the first box, face of the second, an edge pair, corners beside an
// edge pair); then come the axis, the faces and the two edges of the clipped face between which the corner lies.
constexpr std::uint32_t kEdgePair = 0x80000000u, kBesideEdgePair = 0xc0000000u;

std::uint32_t faceBits(int axis, Real sign, int incidentFace) {
    return std::uint32_t((2 * axis + (sign > 0 ? 1 : 0)) << 23 | incidentFace << 16);
}

std::uint32_t cornerBits(const PlanarPolygon& polygon, int k) {
    return std::uint32_t(polygon.vertices[k > 0 ? k - 1 : polygon.count - 1].edge) << 8 | polygon.vertices[k].edge;
}

// The axis that a known manifold had, and how far it separates the boxes now.
Axis knownAxis(const RelativeBoxes& r, const KnownManifold& known) {
    Axis axis;
    if (known.count == 0)
        return axis;
    const std::uint32_t feature = known.features[0];
    switch (feature >> 30) {
        case 0: axis = {AxisKind::FaceOfA, int(feature >> 24 & 3)}; break;
        case 1: axis = {AxisKind::FaceOfB, int(feature >> 24 & 3)}; break;
        case 2: axis = {AxisKind::EdgePair, int(feature >> 8 & 15)}; break;
        default: axis = {AxisKind::EdgePair, int(feature >> 26 & 15) - 1}; break;  // -1: beside points of the general path
    }
    const int count = axis.kind == AxisKind::EdgePair ? 9 : 3;
    if (axis.index < 0 || axis.index >= count)
        return {};
    axis.separation = separationOf(r, axis.kind, axis.index);
    return axis;
}

// Points over face `axis` of the reference box, whose pose is given. Returns the smallest separation, infinity without points.
Real faceManifold(const RelativeBoxes& r, int axis, const Pose& poseReference, bool referenceIsSecond, Real margin,
                  ContactManifold& manifold, ContactManifold& further) {
    Real sign = 1;
    int incidentFace = 0;
    const PlanarPolygon polygon = clipIncidentFace(r, axis, sign, incidentFace);
    const int u = kNext[axis], v = kAfter[axis];

    const std::uint32_t faces = std::uint32_t((referenceIsSecond ? 1 : 0) << 30 | faceBits(axis, sign, incidentFace));
    PlanarPoint candidates[kMaxPlanarVertices];
    std::uint32_t features[kMaxPlanarVertices];
    int count = 0;
    Real smallest = kInfinity;
    for (int k = 0; k < polygon.count; ++k) {
        const PlanarVertex& c = polygon.vertices[k];
        smallest = min(smallest, c.depth);
        if (!(c.depth <= margin))
            continue;
        features[count] = faces | cornerBits(polygon, k);
        candidates[count++] = {c.u, c.v, c.depth};
    }
    int chosen[kMaxManifoldPoints], others[kMaxManifoldPoints];
    manifold.count = choosePoints(candidates, count, chosen);
    further.count = chooseFurther(candidates, count, chosen, manifold.count, others);

    Vec3 normalInReference;
    setComponent(normalInReference, axis, sign);
    const Vec3 normal = rotate(poseReference.orientation, normalInReference);
    manifold.normal = further.normal = referenceIsSecond ? -normal : normal;
    const auto pointOf = [&](int i) -> ContactPoint {
        const PlanarPoint& c = candidates[i];
        Vec3 onReference;
        setComponent(onReference, u, c.x);
        setComponent(onReference, v, c.y);
        setComponent(onReference, axis, sign * r.halfA[axis]);
        const Vec3 p = transformPoint(poseReference, onReference), q = p + normal * c.separation;
        return {referenceIsSecond ? q : p, referenceIsSecond ? p : q, c.separation, features[i]};
    };
    for (int i = 0; i < manifold.count; ++i)
        manifold.points[i] = pointOf(chosen[i]);
    for (int i = 0; i < further.count; ++i)
        further.points[i] = pointOf(others[i]);
    return smallest;
}

Vec3 unitAxis(int i) { return {Real(i == 0), Real(i == 1), Real(i == 2)}; }

// The crossing of edge i of a with edge j of b; false where the closest points of their lines are outside the edges.
bool edgeManifold(const RelativeBoxes& r, int i, int j, Real separation, const Pose& poseA, ContactManifold& manifold) {
    Vec3 n = normalizeOr(cross(unitAxis(i), r.axisB(j)), {0, 1, 0});
    if (dot(n, r.center()) < 0)
        n = -n;
    std::uint32_t signs = 0;
    Vec3 middleA, middleB = r.center();
    for (int k = 0; k < 3; ++k) {
        const Vec3 b = r.axisB(k);
        const bool positiveA = component(n, k) > 0, positiveB = dot(n, b) < 0;
        signs |= std::uint32_t(k != i && positiveA) << k | std::uint32_t(k != j && positiveB) << (k + 3);
        if (k != i)
            setComponent(middleA, k, positiveA ? r.halfA[k] : -r.halfA[k]);
        if (k != j)
            middleB += b * (positiveB ? r.halfB[k] : -r.halfB[k]);
    }
    // Closest points of the lines middleA + s a_i and middleB + w b_j.
    const Vec3 b = r.axisB(j), d = middleB - middleA;
    const Real c = component(b, i), da = component(d, i), db = dot(d, b);
    const Real s = (da - c * db) / (1 - c * c), w = (c * da - db) / (1 - c * c);
    const Real limitA = r.halfA[i] * (1 + kClipSlack), limitB = r.halfB[j] * (1 + kClipSlack);
    if (!(std::fabs(s) <= limitA && std::fabs(w) <= limitB))
        return false;
    setComponent(middleA, i, s);
    manifold.normal = rotate(poseA.orientation, n);
    manifold.count = 1;
    ContactPoint& point = manifold.points[0];
    point.onA = transformPoint(poseA, middleA);
    point.onB = point.onA + manifold.normal * separation;
    point.separation = separation;
    point.feature = kEdgePair | std::uint32_t(3 * i + j) << 8 | signs;
    return true;
}

int mostAligned(Real x, Real y, Real z) {
    x = std::fabs(x), y = std::fabs(y), z = std::fabs(z);
    return x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
}

// Adds the facing corners. Two boxes that meet edge on edge, or corner first, with faces that nearly face each other will rock
// onto those faces within the step. Besides the point that touches first, the manifold gets the corners of the faces' overlap,
// each with its own separation along the normal. edgePair: the pair of edges that touches, or -1.
void addFacingCorners(const RelativeBoxes& r, const Pose& poseA, Real margin, int edgePair, ContactManifold& manifold,
                      ContactManifold& further) {
    const Vec3 n = inverseRotate(poseA.orientation, manifold.normal);
    const int axis = mostAligned(n.x, n.y, n.z);
    const Vec3 alongB{dot(n, r.axisB(0)), dot(n, r.axisB(1)), dot(n, r.axisB(2))};
    const int axisB = mostAligned(alongB.x, alongB.y, alongB.z);
    const Real facing = std::fabs(component(n, axis));
    if (facing < Real(kFacingCosine) || std::fabs(component(alongB, axisB)) < Real(kFacingCosine) ||
        component(n, axis) * r.t[axis] <= 0)
        return;
    Real sign = 1;
    int incidentFace = 0;
    const int u = kNext[axis], v = kAfter[axis];
    const PlanarPolygon polygon =
        clipIncidentFace(r, axis, sign, incidentFace, component(n, u) / facing, component(n, v) / facing);

    PlanarPoint candidates[kMaxManifoldPoints + kMaxPlanarVertices];
    ContactPoint points[kMaxManifoldPoints + kMaxPlanarVertices];
    int count = 0;
    const auto add = [&](const Vec3& onAInA, const ContactPoint& point) {
        candidates[count] = {component(onAInA, u), component(onAInA, v), point.separation};
        points[count++] = point;
    };
    for (int i = 0; i < manifold.count; ++i)
        add(inverseTransformPoint(poseA, manifold.points[i].onA), manifold.points[i]);
    const Real nearby =
        kSamePlace * min(length(Vec3{r.halfA[0], r.halfA[1], r.halfA[2]}), length(Vec3{r.halfB[0], r.halfB[1], r.halfB[2]}));
    const std::uint32_t faces = kBesideEdgePair | std::uint32_t(edgePair + 1) << 26 | faceBits(axis, sign, incidentFace);
    for (int k = 0; k < polygon.count; ++k) {
        const PlanarVertex& c = polygon.vertices[k];
        const Real separation = c.depth / facing;
        if (!(separation <= margin))
            continue;
        Vec3 onA;
        setComponent(onA, u, c.u);
        setComponent(onA, v, c.v);
        setComponent(onA, axis, sign * r.halfA[axis]);
        const Vec3 onB = onA + n * separation;
        const ContactPoint point{transformPoint(poseA, onA), transformPoint(poseA, onB), separation,
                                 faces | cornerBits(polygon, k)};
        if (!isAmong(manifold, point.onA, nearby))
            add(onA, point);
    }
    int chosen[kMaxManifoldPoints], others[kMaxManifoldPoints];
    manifold.count = choosePoints(candidates, count, chosen);
    for (int i = 0; i < manifold.count; ++i)
        manifold.points[i] = points[chosen[i]];
    further.normal = manifold.normal;
    further.count = chooseFurther(candidates, count, chosen, manifold.count, others);
    for (int i = 0; i < further.count; ++i)
        further.points[i] = points[others[i]];
}

// Prefers a face to an edge pair, a face of the first box to one of the second, and the previous axis to any other, unless the
// alternative is clearly better.
Axis chooseAxis(const RelativeBoxes& r, const Axis& faceA, const Axis& faceB, const Axis& edges, Real size,
                const KnownManifold& known) {
    const Real best = max(max(faceA.separation, faceB.separation), edges.separation);
    const Axis last = knownAxis(r, known);
    if (last.separation > best - (last.kind == AxisKind::EdgePair ? kKeptPreference : kKeptFace) * size)
        return last;
    const Axis& face = faceB.separation > faceA.separation + preferenceTolerance(faceA.separation, size) ? faceB : faceA;
    return edges.separation > face.separation + preferenceTolerance(face.separation, size) ? edges : face;
}

}  // namespace

ContactManifold collideBoxBox(const PlacedShape& a, const PlacedShape& b, const Range& range, const KnownManifold& known,
                              ContactManifold& further) {
    const Real margin = range.margin;
    ContactManifold manifold;
    const RelativeBoxes r = relativeBoxes(a, b);
    const Axis faceA = bestOf(r, AxisKind::FaceOfA, 3);
    manifold.distance = faceA.separation;
    if (!(faceA.separation <= margin))
        return manifold;
    const Axis faceB = bestOf(r, AxisKind::FaceOfB, 3);
    manifold.distance = max(manifold.distance, faceB.separation);
    if (faceB.separation > margin)
        return manifold;
    const Axis edges = bestOf(r, AxisKind::EdgePair, 9);
    manifold.distance = max(manifold.distance, edges.separation);
    if (edges.separation > margin)
        return manifold;

    const Real size = min(length(a.shape.halfExtents), length(b.shape.halfExtents)), best = manifold.distance;
    const Axis axis = chooseAxis(r, faceA, faceB, edges, size, known);
    const bool isEdge = axis.kind == AxisKind::EdgePair;
    if (isEdge && edgeManifold(r, axis.index / 3, axis.index % 3, axis.separation, a.pose, manifold)) {
        if (range.points.facingCorners)
            addFacingCorners(r, a.pose, margin, axis.index, manifold, further);
        return manifold;
    }
    if (!isEdge || best <= 0) {
        const Axis& face = !isEdge ? axis : faceB.separation > faceA.separation ? faceB : faceA;
        const Real smallest = face.kind == AxisKind::FaceOfB
                                  ? faceManifold(exchange(r), face.index, b.pose, true, margin, manifold, further)
                                  : faceManifold(r, face.index, a.pose, false, margin, manifold, further);
        // The separation of a point over the face is a true distance, and no distance is below the best axis's separation.
        if (smallest <= best + preferenceTolerance(face.separation, size))
            return manifold;
    }
    further.count = 0;
    manifold = collideGeneral(a, b, range, {}, further);
    if (manifold.count > 0 && range.points.facingCorners)
        addFacingCorners(r, a.pose, margin, -1, manifold, further);
    return manifold;
}

}  // namespace sunder::collision
