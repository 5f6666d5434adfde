// Any two convex shapes: the closest points of their cores where those are apart, the axis of least overlap where not.
#include "collision/narrow_phase/convex/contact_patch.h"
#include "collision/narrow_phase/convex/gjk.h"
#include "collision/narrow_phase/convex/pairs.h"
#include "collision/narrow_phase/convex/round_overlap.h"

namespace sunder::collision {

namespace {

// Up to this many edge pairs it is cheaper to try the separating axes first: resting bodies overlap.
constexpr int kFewEdgePairs = 2000;

bool isSmallPolyhedron(const CorePair& pair) {
    return pair.a.core.kind == CoreKind::Polyhedron && pair.b.core.kind == CoreKind::Polyhedron &&
           pair.a.core.polyhedron.edgeCount * pair.b.core.polyhedron.edgeCount <= kFewEdgePairs;
}

ContactManifold nothingWithin(double distance) {
    ContactManifold none;
    none.distance = Real(distance);
    return none;
}

}  // namespace

ContactManifold collideCores(const CorePair& pair) {
    if (pair.a.core.kind == CoreKind::Segment && pair.b.core.kind == CoreKind::Segment)
        return buildManifold(pair, findClosestOfSegments(pair.a, pair.b));
    if (isSmallPolyhedron(pair)) {
        const OverlapAxis axis = findLeastOverlap(pair.a, pair.b, pair.margin);
        if (axis.separation > pair.margin)
            return nothingWithin(axis.separation);
        if (axis.separation < 0)
            return buildManifold(pair, axis);
    }
    const ClosestPoints closest = findClosestPoints(pair.a, pair.b, pair.margin + pair.rounding());
    switch (closest.status) {
        case ClosestPoints::Status::Beyond: return nothingWithin(closest.distance - pair.rounding());
        case ClosestPoints::Status::Apart:
            return buildManifold(pair, {closest.normal, closest.distance, closest.onA, closest.onB});
        case ClosestPoints::Status::Touching: break;
    }
    const bool isRound = pair.a.core.kind == CoreKind::Cylinder || pair.b.core.kind == CoreKind::Cylinder;
    return buildManifold(pair, isRound ? findLeastOverlapRound(pair.a, pair.b) : findLeastOverlap(pair.a, pair.b));
}

ContactManifold collideGeneral(const PlacedShape& a, const PlacedShape& b, const Range& range, const KnownManifold& known) {
    const ConvexCore coreA(a.shape), coreB(b.shape);
    const Placement outerFromA = toPlacement(a.pose), outerFromB = toPlacement(b.pose);
    return collideCores({{coreA, {}},
                         {coreB, relativePlacement(outerFromA, outerFromB)},
                         outerFromA,
                         double(range.margin),
                         known,
                         range.points.rocking});
}

}  // namespace sunder::collision
