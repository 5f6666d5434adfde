// A cylinder lies inside the capsule about its axis and touches it all along its side. So it is never nearer than the capsule
// is, and as near where the point of its axis that is closest is none of its ends. The difference of two crossing cylinders has
// a flat face, the parallelogram that their axes span. A point below it whose depth is less than its way to the rim of the face
// is nearest to that face.
#include "collision/narrow_phase/core/crossing_axes.h"

namespace sunder::collision {

namespace {

// Of the half height: an axis point nearer to the end is the end. Axes that were turned are unit vectors to the rounding of
// Real.
constexpr double kAtEnd = 1e-5;

bool hasAxis(const ConvexCore& core) { return core.kind == CoreKind::Cylinder || core.kind == CoreKind::Segment; }
double radiusOf(const ConvexCore& core) { return core.kind == CoreKind::Cylinder ? core.radius : 0; }

// m: from a point of the axis to its nearer end.
double toEnd(const PlacedCore& core, const Vec3d& point) {
    return core.core.halfHeight - std::fabs(dot(point - core.placement.origin, core.placement.axisY));
}
bool isEnd(const PlacedCore& core, double toEnd) { return !(toEnd > kAtEnd * core.core.halfHeight); }

}  // namespace

bool haveAxes(const PlacedCore& a, const PlacedCore& b) { return hasAxis(a.core) && hasAxis(b.core); }

AxesContact compareAxes(const PlacedCore& a, const PlacedCore& b) {
    AxesContact contact{false, findClosestOfSegments(a, b)};
    OverlapAxis& axis = contact.axis;
    const double toEndA = toEnd(a, axis.onA), toEndB = toEnd(b, axis.onB);
    axis.separation -= radiusOf(a.core) + radiusOf(b.core);
    axis.onA += axis.normal * radiusOf(a.core);
    axis.onB += axis.normal * -radiusOf(b.core);
    const bool endsA = isEnd(a, toEndA), endsB = isEnd(b, toEndB);
    if (axis.separation >= 0) {
        contact.isClosest = !(endsA && a.core.kind == CoreKind::Cylinder) && !(endsB && b.core.kind == CoreKind::Cylinder);
        return contact;
    }
    const double sine = length(cross(a.placement.axisY, b.placement.axisY));
    contact.isClosest = !endsA && !endsB && lesser(toEndA, toEndB) * sine > -axis.separation;
    return contact;
}

}  // namespace sunder::collision
