// Closest points of two segments.
#include "collision/narrow_phase/core/separating_axes.h"

namespace sunder::collision {

// The segments are p + s e and q + w f with s and w in [-1, 1]; d = q - p.
OverlapAxis findClosestOfSegments(const PlacedCore& a, const PlacedCore& b) {
    const Vec3d e = a.placement.axisY * a.core.halfHeight, f = b.placement.axisY * b.core.halfHeight;
    const Vec3d p = a.placement.origin, q = b.placement.origin, d = q - p, n = cross(e, f);
    const double ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), de = dot(d, e), df = dot(d, f);
    const auto bestS = [&](double w) { return ee > 0 ? limitTo((de + ef * w) / ee, -1, 1) : 0; };
    const auto bestW = [&](double s) { return ff > 0 ? limitTo((ef * s - df) / ff, -1, 1) : 0; };

    // The closest points of the two lines, then each clamped to its segment in turn. Parallel lines start from the middle.
    const double squared = dot(n, n);
    double s = squared > 1e-24 * ee * ff && squared > 0 ? limitTo((de * ff - ef * df) / squared, -1, 1) : 0;
    const double w = bestW(s);
    s = bestS(w);

    OverlapAxis axis;
    axis.onA = p + e * s;
    axis.onB = q + f * w;
    const Vec3d between = axis.onB - axis.onA;
    axis.separation = length(between);
    const double size = a.core.size + b.core.size;
    if (axis.separation > 1e-10 * size) {
        axis.normal = between * (1 / axis.separation);
        return axis;
    }
    axis.separation = 0;
    axis.normal = squared > 1e-12 * ee * ff && squared > 0 ? normalizeOr(n, {0, 1, 0})
                                                           : anyPerpendicular(ee >= ff ? a.placement.axisY : b.placement.axisY);
    if (dot(axis.normal, d) < 0)
        axis.normal = -axis.normal;
    return axis;
}

}  // namespace sunder::collision
