// Where the surface passes through a cell that it crosses as a plane: most cells, found four at a time.
#pragma once

#include "math/vec3.h"

namespace sunder::geometry {

// Four cells as if each held one plane: the projection of its centre, the normal, and how well that fits.
struct PlaneFits {
    static constexpr int kLanes = 4;
    Real x[kLanes], y[kLanes], z[kLanes];  // in cells from the cell's lowest node
    Real normalX[kLanes], normalY[kLanes], normalZ[kLanes];
    Real misfit[kLanes];  // | |gradient|^2 - 1 |
    Real leaves[kLanes];  // how far the point is outside the cell; at most 0 inside
};

// v: the values at the eight corners of four cells, x first; scale: from stored values to cells.
PlaneFits fitPlanes(const Real (&v)[8][PlaneFits::kLanes], Real scale);

}  // namespace sunder::geometry
