// Builds manifolds: the incident patch over a flat face where the direction is (nearly) a face's normal, two points where two
// lines lie side by side, and one point otherwise.
#include "collision/narrow_phase/convex/contact_patch.h"

#include <algorithm>

#include "collision/narrow_phase/convex/facing_corners.h"
#include "collision/narrow_phase/convex/patch.h"
#include "collision/narrow_phase/convex/rocking_points.h"
#include "collision/narrow_phase/manifold/further_points.h"
#include "collision/narrow_phase/manifold/preference.h"

namespace sunder::collision {
namespace {

// How far lines that count as parallel may diverge sideways over their common length. On round surfaces the points are off by
// only the square of this.
constexpr double kSidewaysRound = 0.005;     // of the radius
constexpr double kSidewaysSharp = 1e-5;      // of the size
constexpr double kSameDirection = 1 - 1e-9;  // cosine of directions that differ by rounding only

double smallerSize(const CorePair& pair) { return lesser(pair.a.core.size, pair.b.core.size); }

// A point of each core, from which the rounded surfaces are derived along the normal.
struct CorePoint {
    Vec3d onA;
    double separation = 0;  // of the cores
    double reachA = 0, reachB = 0;

    double gap() const { return separation - reachA - reachB; }
};

CorePoint corePoint(const CorePair& pair, const Vec3d& onA, double separation) {
    return {onA, separation, pair.a.core.rounding, pair.b.core.rounding};
}

ContactPoint makePoint(const CorePair& pair, const Vec3d& normal, const CorePoint& c, std::uint32_t feature) {
    const Vec3d p = c.onA + normal * c.reachA;
    return {toReal(outerPoint(pair.outerFromCommon, p)), toReal(outerPoint(pair.outerFromCommon, p + normal * c.gap())),
            Real(c.gap()), feature};
}

// Distance along the unit direction at which a ray from a point of a segment's core leaves its rounded surface.
double reachOfSegment(const PlacedCore& segment, const Vec3d& point, const Vec3d& direction) {
    const double r = segment.core.rounding, halfHeight = segment.core.halfHeight;
    const Vec3d axis = segment.placement.axisY;
    const double slope = dot(axis, direction), position = dot(axis, point - segment.placement.origin);
    const double side = r / std::sqrt(greater(1 - slope * slope, 1e-12));
    const double foot = position + side * slope;
    if (std::fabs(foot) <= halfHeight)
        return side;
    const double toEnd = (foot > 0 ? halfHeight : -halfHeight) - position, ahead = toEnd * slope;
    return ahead + std::sqrt(greater(r * r - (toEnd * toEnd - ahead * ahead), 0));
}

// Features of points over a face have their highest bit clear. The index of the face is kept where it is below this.
constexpr int kMaxKnownFaces = 128;
std::uint32_t faceFeature(bool referenceIsB, int reference, int incident) {
    return std::uint32_t(referenceIsB ? 1 : 0) << 30 | std::uint32_t(reference % kMaxKnownFaces) << 23 |
           std::uint32_t(incident % kMaxKnownFaces) << 16;
}

// The face over which the previous manifold's points lay; -1 where they lay on edges.
struct KnownFace {
    int index = -1;
    bool isB = false;
};

KnownFace knownFace(const CorePair& pair) {
    KnownFace known;
    for (int i = 0; i < pair.known.count; ++i) {
        const std::uint32_t feature = pair.known.features[i];
        if (feature >> 31 != 0)
            continue;
        known.isB = (feature >> 30 & 1) != 0;
        const ConvexCore& core = known.isB ? pair.b.core : pair.a.core;
        if (core.kind == CoreKind::Polyhedron && core.polyhedron.faceCount <= kMaxKnownFaces)
            known.index = std::min(int(feature >> 23 & (kMaxKnownFaces - 1)), core.polyhedron.faceCount - 1);
        break;
    }
    return known;
}

bool isRound(const ConvexCore& core) { return core.kind == CoreKind::Cylinder || core.rounding > 0; }

// Returns the smallest gap found, infinite where nothing lies over the face.
double faceManifold(const CorePair& pair, bool referenceIsB, const FlatFace& face, ContactManifold& manifold) {
    const PlacedCore& other = referenceIsB ? pair.a : pair.b;
    Patch reference, incident;
    fillFace(referenceIsB ? pair.b : pair.a, face.index, reference);
    fillFacing(other, -face.normal, incident);
    PatchPoints points;
    overlay(reference, incident, kOverlaySlack * smallerSize(pair), points);

    const Vec3d normal = referenceIsB ? -face.normal : face.normal;
    const Vec3d across = anyPerpendicular(normal), along = cross(normal, across);
    InlineList<PlanarPoint, kMaxPatchPoints> candidates;
    InlineList<CorePoint, kMaxPatchPoints> corePoints;
    InlineList<std::uint32_t, kMaxPatchPoints> features;
    double smallest = 1e300;
    for (int i = 0; i < points.count(); ++i) {
        const PatchPoint& p = points[i];
        CorePoint c =
            corePoint(pair, referenceIsB ? p.onIncident : p.onReference, dot(face.normal, p.onIncident - p.onReference));
        if (other.core.kind == CoreKind::Segment)
            (referenceIsB ? c.reachA : c.reachB) = reachOfSegment(other, p.onIncident, -face.normal);
        smallest = lesser(smallest, c.gap());
        if (!(c.gap() <= pair.margin))
            continue;
        candidates.add({Real(dot(across, c.onA)), Real(dot(along, c.onA)), Real(c.gap())});
        corePoints.add(c);
        features.add(p.feature);
    }
    const std::uint32_t faces = faceFeature(referenceIsB, reference.index, incident.index);
    int chosen[kMaxManifoldPoints];
    manifold.normal = toReal(outerDirection(pair.outerFromCommon, normal));
    manifold.count = choosePoints(candidates.data(), candidates.count(), chosen);
    const auto pointOf = [&](int i) { return makePoint(pair, normal, corePoints[i], faces | features[i]); };
    for (int i = 0; i < manifold.count; ++i)
        manifold.points[i] = pointOf(chosen[i]);
    if (pair.further) {
        int others[kMaxManifoldPoints];
        pair.further->normal = manifold.normal;
        pair.further->count = chooseFurther(candidates.data(), candidates.count(), chosen, manifold.count, others);
        for (int i = 0; i < pair.further->count; ++i)
            pair.further->points[i] = pointOf(others[i]);
    }
    return smallest;
}

double roundness(const ConvexCore& core) { return core.kind == CoreKind::Cylinder ? core.radius : core.rounding; }

// Bits 29 to 31 of points on edges and corners are 100; the kind and index of the line of each core follow.
std::uint32_t lineFeature(const Patch& a, const Patch& b) {
    const auto id = [](const Patch& p) {
        return std::uint32_t(p.kind == Patch::Kind::Segment ? 1 : 0) << 11 | std::uint32_t(p.index & 0x7ff);
    };
    return 0x80000000u | id(a) << 14 | id(b) << 2;
}

// The edges on which points of the previous manifold lay; -1 where they lay elsewhere.
struct KnownEdges {
    int a = -1, b = -1;
};

KnownEdges knownEdges(const CorePair& pair) {
    constexpr std::uint32_t kIsSegment = 1u << 11, kIndex = kIsSegment - 1;
    for (int i = 0; i < pair.known.count; ++i) {
        const std::uint32_t feature = pair.known.features[i], idA = feature >> 14, idB = feature >> 2;
        if (feature >> 29 != 4 || (idA & idB & kIsSegment) == 0)
            continue;
        const KnownEdges known{int(idA & kIndex), int(idB & kIndex)};
        if (known.a < pair.a.core.polyhedron.edgeCount && known.b < pair.b.core.polyhedron.edgeCount)
            return known;
    }
    return {};
}

// Two points where the lines run side by side; returns whether they do.
bool lineManifold(const CorePair& pair, const OverlapAxis& axis, const Patch& lineA, const Patch& lineB,
                  ContactManifold& manifold) {
    if (lineA.kind != Patch::Kind::Segment || lineB.kind != Patch::Kind::Segment)
        return false;
    const Vec3d startA = lineA.points[0], startB = lineB.points[0];
    const Vec3d stepA = lineA.points[1] - startA, stepB = lineB.points[1] - startB;
    const double lengthA = length(stepA), lengthB = length(stepB);
    if (!(lengthA > 0 && lengthB > 0))
        return false;
    const Vec3d along = stepA * (1 / lengthA);
    const double slope = dot(along, stepB);  // of B's line per unit of its parameter
    const double b0 = dot(along, startB - startA), b1 = b0 + slope;
    const double low = greater(0, lesser(b0, b1)), high = lesser(lengthA, greater(b0, b1));
    if (!(high - low > 1e-4 * lesser(lengthA, lengthB)))
        return false;
    const Vec3d stray = stepB - along * slope;
    const double sideways = length(stray - axis.normal * dot(stray, axis.normal)) * (high - low) / std::fabs(slope);
    const double limit = isRound(pair.a.core) || isRound(pair.b.core)
                             ? kSidewaysRound * (roundness(pair.a.core) + roundness(pair.b.core))
                             : kSidewaysSharp * smallerSize(pair);
    if (sideways > limit)
        return false;

    // Points of a sharp edge are kept exactly; between two round ones the middle is.
    const double weightB = isRound(pair.a.core) ? (isRound(pair.b.core) ? 0.5 : 1.0) : 0.0;
    const std::uint32_t feature = lineFeature(lineA, lineB);
    const double ends[2] = {low, high};
    manifold.count = 0;
    for (int i = 0; i < 2; ++i) {
        const Vec3d onA = startA + along * ends[i], onB = startB + stepB * ((ends[i] - b0) / slope);
        const Vec3d d = onB - onA;
        const double separation = dot(axis.normal, d);
        const CorePoint c = corePoint(pair, onA + (d - axis.normal * separation) * weightB, separation);
        if (c.gap() <= pair.margin)
            manifold.points[manifold.count++] = makePoint(pair, axis.normal, c, feature | std::uint32_t(i));
    }
    return manifold.count > 0;
}

// Two points where lines lie side by side, one where edges or a corner touch, and what faces beside them add.
void edgeManifold(const CorePair& pair, const OverlapAxis& axis, const FlatFace& faceA, const FlatFace& faceB,
                  ContactManifold& manifold) {
    if (pair.further)
        pair.further->count = 0;  // of a face that will not do
    const Vec3d n = axis.normal;
    Patch lineA, lineB;
    const int linesOfB = fillLine(pair.b, -n, {}, lineB);
    fillLine(pair.a, n, lineB.kind == Patch::Kind::Segment ? lineB.points[1] - lineB.points[0] : Vec3d{}, lineA);
    if (linesOfB > 1 && lineA.kind == Patch::Kind::Segment)
        fillLine(pair.b, -n, lineA.points[1] - lineA.points[0], lineB);
    manifold.normal = toReal(outerDirection(pair.outerFromCommon, n));
    if (!lineManifold(pair, axis, lineA, lineB, manifold)) {
        manifold.count = 1;
        manifold.points[0] = makePoint(pair, n, corePoint(pair, axis.onA, axis.separation), lineFeature(lineA, lineB) | 2);
    }
    if (pair.points.facingCorners)
        addFacingCorners(pair, n, {faceA, lineA}, {faceB, lineB}, manifold);
    addRockingPoints(pair, n, axis.onA, manifold);
}

}  // namespace

ContactManifold buildManifold(const CorePair& pair, const OverlapAxis& axis) {
    ContactManifold manifold;
    if (!(axis.separation - pair.rounding() <= pair.margin))
        return manifold;
    const Vec3d n = axis.normal;
    const double size = smallerSize(pair);
    double tolerance = double(preferenceTolerance(Real(axis.separation - pair.rounding()), Real(size)));
    FlatFace faceA = axis.faceA >= 0 ? flatFace(pair.a, axis.faceA, axis.separationA) : findFlatFace(pair.a, pair.b, n, -1);
    FlatFace faceB = axis.faceB >= 0 ? flatFace(pair.b, axis.faceB, axis.separationB) : findFlatFace(pair.b, pair.a, -n, -1);
    const bool oneSided = pair.a.core.kind == CoreKind::Triangle;
    if (oneSided && dot(faceB.normal, faceA.normal) > kFrontSlack)
        faceB.index = -1;
    // The previous face is given up only for a clearly better one.
    bool keepsFace = false;
    const KnownFace known = knownFace(pair);
    if (known.index >= 0) {
        const FlatFace& found = known.isB ? faceB : faceA;
        FlatFace last = found;
        if (found.index != known.index)
            last = known.isB ? findFlatFace(pair.b, pair.a, -n, known.index) : findFlatFace(pair.a, pair.b, n, known.index);
        keepsFace = last.separation >= axis.separation - double(kKeptPreference) * size;
        if (keepsFace) {
            (known.isB ? faceB : faceA) = last;
            tolerance = greater(tolerance, double(kKeptPreference) * size);
        }
    }
    const bool usableA = faceA.index >= 0 && faceA.separation >= axis.separation - tolerance;
    const bool usableB = faceB.index >= 0 && faceB.separation >= axis.separation - tolerance;
    const bool startWithB = keepsFace ? known.isB : usableB && (!usableA || faceB.separation > faceA.separation + tolerance);
    for (int attempt = 0; attempt < 2; ++attempt) {
        const bool useB = startWithB == (attempt == 0);
        if (!(useB ? usableB : usableA))
            continue;
        const FlatFace& face = useB ? faceB : faceA;
        // The separation of a point over the face is a true distance, and no distance is below the axis's separation. A
        // direction that a one-sided triangle excludes may have been better; then the deepest point need not lie over the face.
        const double best = greater(axis.separation, face.separation) - pair.rounding();
        const double smallest = faceManifold(pair, useB, face, manifold);
        const bool isFaceAxis = oneSided && axis.separation < 0 && dot(face.normal, useB ? -n : n) > kSameDirection;
        if (manifold.count > 0 && (smallest <= best + tolerance || isFaceAxis)) {
            addRockingPoints(pair, useB ? -face.normal : face.normal, axis.onA, manifold);
            return manifold;
        }
    }

    edgeManifold(pair, axis, faceA, faceB, manifold);
    return manifold;
}

FeatureAxis knownAxis(const CorePair& pair) {
    if (const KnownFace face = knownFace(pair); face.index >= 0)
        return axisOfFace(pair.a, pair.b, face.isB, face.index);
    const KnownEdges edges = knownEdges(pair);
    return edges.a >= 0 ? axisOfEdges(pair.a, pair.b, edges.a, edges.b) : FeatureAxis{};
}

ContactManifold buildFaceManifold(const CorePair& pair, int face) {
    ContactManifold manifold;
    FlatFace flat;
    flat.index = face;
    flat.normal = outerDirection(pair.a.placement, pair.a.core.polyhedron.normal(face));
    faceManifold(pair, false, flat, manifold);
    return manifold;
}

}  // namespace sunder::collision
