// Where the surface passes through a cell that it crosses as one plane or as two that meet in an edge: most cells, found four
// at a time.
#pragma once

#include "math/eight_integers.h"
#include "math/quads.h"

namespace sunder::geometry {

struct QuadVec3 {
    Quad x, y, z;
};

// The stored values at the corners of four cells.
struct FourCells {
    static constexpr int kLanes = 4;
    typedef std::int32_t Four __attribute__((vector_size(16)));
    Four low[4], high[4];  // at the two ends of the cells' edges along x; bit 0 of the edge's number: y, bit 1: z

    explicit FourCells(const Eight (&cells)[kLanes]);
};

// Four cells as if each held one plane, gradient . (p - middle of the cell) + mean = 0 in cells.
struct PlaneFits {
    QuadVec3 gradient;
    Quad mean, squared;  // |gradient|^2
    QuadVec3 position;   // the projection of the cell's centre, in cells from its lowest node
    QuadVec3 normal;
    Quad misfit;  // | |gradient|^2 - 1 |
    Quad leaves;  // how far the position is outside the cell; at most 0 inside
};
// scale: from stored values to cells.
PlaneFits fitPlanes(const FourCells& cells, Real scale);
// Whether all corners are less than `most` (in cells) off the plane, whatever its slope.
QuadMask areFlat(const FourCells& cells, const PlaneFits& fits, Real scale, Real most);

// Four cells as if each held two planes: the point of their edge that is nearest to the middle of the cell.
struct EdgeFits {
    QuadVec3 position, normal;
    QuadMask isInside;  // there is an edge, and it runs through the cell
};
EdgeFits fitEdges(const PlaneFits& a, const PlaneFits& b);

inline Vec3 laneOf(const QuadVec3& v, std::size_t lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

}  // namespace sunder::geometry
