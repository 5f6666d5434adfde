// Points beside a contact, for shapes that will rock within the step.
#pragma once

#include "collision/narrow_phase/convex/core_pair.h"

namespace sunder::collision {

// At one look per frame, two shapes that meet with an edge or a corner rock onto whatever lies beside it before they are
// looked at again. Fills the manifold up with places around its one or two points where the surfaces, seen along the normal,
// are within the margin, each with its own separation. The points that are there stay. n: the normal, onA: the touching point
// of A's core, both in the common frame.
void addRockingPoints(const CorePair& pair, const Vec3d& n, const Vec3d& onA, ContactManifold& manifold);

}  // namespace sunder::collision
