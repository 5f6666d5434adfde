// Points for two polyhedra that meet with an edge or a corner while a face of one nearly faces the other: a hull that lies
// across the edge of another touches it along a line, of which the two edges that cross are one end.
#pragma once

#include "collision/narrow_phase/convex/core_pair.h"
#include "collision/narrow_phase/convex/patch.h"

namespace sunder::collision {

// What a core shows along the normal: the face that faces it most, and the edge or corner that touches.
struct FacingSide {
    const FlatFace& face;
    const Patch& line;
};

// Adds the ends or corners of the region in which the two lie over each other along n, each with its own separation, and leaves
// the four best points. n: unit, from A to B.
void addFacingCorners(const CorePair& pair, const Vec3d& n, const FacingSide& sideA, const FacingSide& sideB,
                      ContactManifold& manifold);

}  // namespace sunder::collision
