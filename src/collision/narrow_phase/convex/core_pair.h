// Two cores whose contact is looked for.
#pragma once

#include "collision/narrow_phase/core/core.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Two cores in the frame of the first, and the placement of that frame in the frame of the poses.
struct CorePair {
    PlacedCore a, b;
    Placement outerFromCommon;
    double margin = 0;
    KnownManifold known = {};            // the previous manifold of the pair
    PointKinds points = {};              // which points are added to an edge or corner
    ContactManifold* further = nullptr;  // where set, it gets points that touch besides the four of the manifold

    double rounding() const { return a.core.rounding + b.core.rounding; }
};

}  // namespace sunder::collision
