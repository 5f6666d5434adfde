// Any two convex shapes: the closest points of their cores where those are apart, the axis of least overlap where not.
#include "collision/narrow_phase/convex/contact_patch.h"
#include "collision/narrow_phase/convex/pairs.h"
#include "collision/narrow_phase/core/gjk.h"
#include "collision/narrow_phase/core/round_overlap.h"

namespace sunder::collision {

namespace {

// For polyhedra with more faces the distance is looked for first: the search for the axis of least overlap would skip none of
// their edges.
constexpr int kMostFaces = 256;
constexpr double kAxisSlack = 1e-6;  // of the smaller size: exceeds the rounding of a separation

bool isSmallPolyhedron(const ConvexCore& core) {
    return core.kind == CoreKind::Polyhedron && core.polyhedron.faceCount <= kMostFaces;
}

ContactManifold nothingWithin(double distance) {
    ContactManifold none;
    none.distance = Real(distance);
    return none;
}

ContactManifold collideApart(const CorePair& pair, const Vec3d* start) {
    const ClosestPoints closest = findClosestPoints(pair.a, pair.b, pair.margin + pair.rounding(), start);
    switch (closest.status) {
        case ClosestPoints::Status::Beyond: return nothingWithin(closest.distance - pair.rounding());
        case ClosestPoints::Status::Apart:
            return buildManifold(pair, {closest.normal, closest.distance, closest.onA, closest.onB});
        case ClosestPoints::Status::Touching: break;
    }
    const bool isRound = pair.a.core.kind == CoreKind::Cylinder || pair.b.core.kind == CoreKind::Cylinder;
    return buildManifold(pair, isRound ? findLeastOverlapRound(pair.a, pair.b) : findLeastOverlap(pair.a, pair.b));
}

// What touched in the previous look is tried first. Where it is still closest, nothing is searched. Otherwise its direction
// parts most pairs that are apart, and of those that overlap it gives nearly the least overlap, so that few faces and edges
// need be looked at.
ContactManifold collidePolyhedra(const CorePair& pair) {
    const double size = lesser(pair.a.core.size, pair.b.core.size);
    const FeatureAxis known = knownAxis(pair);
    Vec3d direction = known.axis.normal;
    double separation = known.axis.separation;
    if (known.isClosest && separation <= pair.margin)
        return buildManifold(pair, known.axis);
    if (!known.isSeparation) {
        direction = innerDirection(pair.outerFromCommon, toDouble(pair.known.normal));
        if (!(dot(direction, direction) > 0.5))  // there was none
            direction = normalizeOr(pair.b.center() - pair.a.center(), {1, 0, 0});
        separation = dot(direction, pair.b.support(-direction) - pair.a.support(direction)) / length(direction);
    }
    if (separation > pair.margin)
        return nothingWithin(separation);
    if (separation > 0)
        return collideApart(pair, &direction);
    const OverlapAxis axis = findLeastOverlap(pair.a, pair.b, 0, separation - kAxisSlack * size);
    if (axis.separation > pair.margin)
        return nothingWithin(axis.separation);
    return axis.separation < 0 ? buildManifold(pair, axis) : collideApart(pair, &axis.normal);
}

}  // namespace

ContactManifold collideCores(const CorePair& pair) {
    if (pair.a.core.kind == CoreKind::Segment && pair.b.core.kind == CoreKind::Segment)
        return buildManifold(pair, findClosestOfSegments(pair.a, pair.b));
    if (isSmallPolyhedron(pair.a.core) && isSmallPolyhedron(pair.b.core))
        return collidePolyhedra(pair);
    const Vec3d known = innerDirection(pair.outerFromCommon, toDouble(pair.known.normal));
    return collideApart(pair, dot(known, known) > 0.5 ? &known : nullptr);
}

ContactManifold collideGeneral(const PlacedShape& a, const PlacedShape& b, const Range& range, const KnownManifold& known,
                               ContactManifold& further) {
    const ConvexCore coreA(a.shape), coreB(b.shape);
    const Placement outerFromA = toPlacement(a.pose), outerFromB = toPlacement(b.pose);
    return collideCores({{coreA, {}},
                         {coreB, relativePlacement(outerFromA, outerFromB)},
                         outerFromA,
                         double(range.margin),
                         known,
                         range.points,
                         &further});
}

}  // namespace sunder::collision
