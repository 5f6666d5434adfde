// Chooses at most four of many contact points.
#pragma once

#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// A contact point in the plane of its patch.
struct PlanarPoint {
    Real x = 0, y = 0;
    Real separation = 0;
};

// Sets chosen to the indices of at most four points, ascending, and returns their number: the deepest point and nearly the
// largest area, to which points near the deepest count most. Near ties go to earlier points, so that points do not hop under
// small motion; the depth lost by that is below 2e-3 of the patch's size.
int choosePoints(const PlanarPoint* points, int count, int (&chosen)[kMaxManifoldPoints]);

// choosePoints for contact points: fills the manifold's normal and points.
void reduceToManifold(const ContactPoint* candidates, int count, const Vec3& normal, ContactManifold& manifold);

}  // namespace sunder::collision
