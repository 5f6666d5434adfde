// Points beside a contact, for shapes that will rock within the step.
#pragma once

#include "collision/narrow_phase/convex/core_pair.h"

namespace sunder::collision {

// Shapes are collided once per frame; two that meet with an edge or a corner rock onto whatever lies beside it before the next
// look. Fills the manifold up with places around its one or two points where the surfaces, seen along the normal, are within
// the margin, each with its own separation. Existing points stay. n: the normal, onA: the touching point of A's core, both in
// the common frame.
void addRockingPoints(const CorePair& pair, const Vec3d& n, const Vec3d& onA, ContactManifold& manifold);

}  // namespace sunder::collision
