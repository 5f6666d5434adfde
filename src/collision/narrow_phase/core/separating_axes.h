// The axis of least overlap of two polyhedral cores.
#pragma once

#include "collision/narrow_phase/core/core.h"

namespace sunder::collision {

inline constexpr double kParallelSine2 = 1e-12;  // squared sine of edges that are parallel to rounding
inline constexpr double kFrontSlack = 1e-6;      // cosine: a triangle's edges may give normals in its plane

// A direction along which two cores overlap least, with a pair of points that it pushes apart.
struct OverlapAxis {
    Vec3d normal{0, 1, 0};  // unit, from A to B
    double separation = 0;  // of the cores along the normal; negative
    Vec3d onA, onB;         // points of the cores; onB - onA = separation * normal
    // Polyhedra: the faces with the largest separations, unless those are too small for a face to be preferred (preference.h).
    int faceA = -1, faceB = -1;
    double separationA = 0, separationB = 0;  // of the other core above them
};

// For cores that are no cylinders. Where a is a triangle only directions towards its front count. For cores that are apart it
// gives the axis of the face or edge pair that separates them most, which may be less than their distance; the search ends
// early at a face that separates them by more than `enough`. atLeast: a separation (m) that some direction is known to give, as
// that of the previous contact does; what cannot give more need not be looked at. The result does not depend on it.
OverlapAxis findLeastOverlap(const PlacedCore& a, const PlacedCore& b, double enough = 1e300, double atLeast = -1e300);

// For two segments, apart or crossing: their closest points (separation >= 0). Where they cross, the normal is perpendicular
// to both.
OverlapAxis findClosestOfSegments(const PlacedCore& a, const PlacedCore& b);

}  // namespace sunder::collision
