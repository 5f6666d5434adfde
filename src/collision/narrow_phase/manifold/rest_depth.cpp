#include "collision/narrow_phase/manifold/rest_depth.h"

namespace sunder::collision {

void tolerateOverlap(ManifoldList& manifolds, Real& restDepth) {
    Real overlap = 0;
    for (const ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            overlap = max(overlap, -manifold.points[i].separation);
    restDepth = restDepth < 0 ? overlap : min(restDepth, overlap);
    if (!(restDepth > 0))
        return;
    for (ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i) {
            ContactPoint& point = manifold.points[i];
            const Real shift = min(restDepth, max(0, -point.separation));
            point.separation += shift;
            point.onB += manifold.normal * shift;
        }
}

}  // namespace sunder::collision
