// Any two convex shapes: the closest points of their cores where those are apart, the axis of least overlap where not.
#include "collision/narrow_phase/contact_patch.h"
#include "collision/narrow_phase/gjk.h"
#include "collision/narrow_phase/pairs.h"
#include "collision/narrow_phase/round_overlap.h"

namespace sunder::collision {

ContactManifold collideCores(const CorePair& pair) {
    if (pair.a.core.kind == CoreKind::Segment && pair.b.core.kind == CoreKind::Segment)
        return buildManifold(pair, findClosestOfSegments(pair.a, pair.b));
    const ClosestPoints closest = findClosestPoints(pair.a, pair.b, pair.margin + pair.rounding());
    switch (closest.status) {
        case ClosestPoints::Status::Beyond: return {};
        case ClosestPoints::Status::Apart:
            return buildManifold(pair, {closest.normal, closest.distance, closest.onA, closest.onB});
        case ClosestPoints::Status::Touching: break;
    }
    const bool isRound = pair.a.core.kind == CoreKind::Cylinder || pair.b.core.kind == CoreKind::Cylinder;
    return buildManifold(pair, isRound ? findLeastOverlapRound(pair.a, pair.b) : findLeastOverlap(pair.a, pair.b));
}

ContactManifold collideGeneral(const PlacedShape& a, const PlacedShape& b, Real margin) {
    const ConvexCore coreA(a.shape), coreB(b.shape);
    const Placement outerFromA = toPlacement(a.pose), outerFromB = toPlacement(b.pose);
    return collideCores({{coreA, {}}, {coreB, relativePlacement(outerFromA, outerFromB)}, outerFromA, double(margin)});
}

}  // namespace sunder::collision
