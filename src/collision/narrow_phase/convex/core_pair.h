// Two cores whose contact is looked for.
#pragma once

#include "collision/narrow_phase/convex/core.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Two cores in the frame of the first, and how that lies in the frame of the poses given.
struct CorePair {
    PlacedCore a, b;
    Placement outerFromCommon;
    double margin = 0;
    KnownManifold known = {};  // of the last time
    bool rocks = true;         // see addRockingPoints

    double rounding() const { return a.core.rounding + b.core.rounding; }
};

}  // namespace sunder::collision
