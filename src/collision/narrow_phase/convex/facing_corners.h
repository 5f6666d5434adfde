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

// Share of the smaller shape's size. Where two edges cross is a corner of the region in which their faces lie over each other
// too: one place, and one contact. As two, a blow there was that of two bodies that meet twice, and heaps of planks trembled.
inline constexpr Real kSamePlace = Real(1e-3);

inline bool isAmong(const ContactManifold& manifold, const Vec3& onA, Real nearby) {
    for (int i = 0; i < manifold.count; ++i)
        if (lengthSquared(manifold.points[i].onA - onA) <= square(nearby))
            return true;
    return false;
}

// Adds the ends or corners of the region in which the two lie over each other along n, each with its own separation, and leaves
// the four best points. n: unit, from A to B.
void addFacingCorners(const CorePair& pair, const Vec3d& n, const FacingSide& sideA, const FacingSide& sideB,
                      ContactManifold& manifold);

}  // namespace sunder::collision
