// The tangent planes that nodes of a distance field see, even next to an edge, where differences across the edge lie.
#pragma once

#include "geometry/level_set/level_set.h"

namespace sunder::geometry {

// Of the corners of a cell, in their order (bit 0: x, bit 1: y, bit 2: z).
struct CornerPlanes {
    Real x[8], y[8], z[8];  // normal: unit, outward
    Real offset[8];         // normal . p = offset on the plane, p from the node, in cells
    Real weight[8];         // in [0, 1]: 1 where the gradient has unit length as a distance must; 0 where it is no distance
};

// Central differences where they have unit length; else, per axis, the forward or the backward one, in the combination whose
// length is nearest to 1: away from its medial axis a distance is smooth on at least one side.
template <class Stored>
CornerPlanes cornerPlanes(const LevelSet<Stored>& field, const Int3& cell);

}  // namespace sunder::geometry
