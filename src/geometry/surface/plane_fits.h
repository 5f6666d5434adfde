// The vertex of a cell that the surface crosses as one plane or as two that meet in an edge: most cells, four at a time.
#pragma once

#include "geometry/surface/surface_cell.h"
#include "math/eight_integers.h"
#include "math/quads.h"

namespace sunder::geometry {

// Two planes within 20 degrees make no edge: they do not fix its direction.
inline constexpr Real kParallelCosine = Real(0.94);
// Cells: a point this close to the cell is in it, up to the rounding of stored values.
inline constexpr Real kSlack = Real(0.1);

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

// Fits one plane to each of four cells: gradient . (p - middle of the cell) + mean = 0, in cells.
struct PlaneFits {
    QuadVec3 gradient;
    Quad mean, squared;  // |gradient|^2
    QuadVec3 position;   // the projection of the cell's centre, in cells from its lowest node
    QuadVec3 normal;
    Quad misfit;  // | |gradient|^2 - 1 |
    Quad leaves;  // how far the position is outside the cell; at most 0 inside
};
// Gradients of the interpolated values in the middle of each cell. scale: from stored values to cells.
QuadVec3 gradientsOf(const FourCells& cells, Real scale);
PlaneFits fitPlanes(const FourCells& cells, Real scale);
// Whether all corners are less than `most` (cells) off the plane, whatever its slope.
QuadMask areFlat(const FourCells& cells, const PlaneFits& fits, Real scale, Real most);

// The mean of the points where the surface crosses the edges of each cell, in cells from its lowest node; equals meanCrossing
// (cell_sheets.h) for a cell with one sheet.
QuadVec3 meanCrossings(const FourCells& cells, Real scale);

// Fits two planes to each of four cells: the point of their edge that is nearest to the middle of the cell.
struct EdgeFits {
    QuadVec3 position, normal;
    QuadMask isInside;  // there is an edge, and it runs through the cell
};
EdgeFits fitEdges(const PlaneFits& a, const PlaneFits& b);

// Vertices of the first sheets of four cells, each to its place in `out`. `inCells` as in putVertex (surface_cell.h).
void putVertices(const Grid& grid, const SurfaceCell* const (&cells)[4], const QuadVec3& inCells, const QuadVec3& normals,
                 SurfaceFeature feature, SurfaceVertex* out);

inline Quad toQuad(FourCells::Four whole) { return __builtin_convertvector(whole, Quad); }
inline Quad dot(const QuadVec3& a, const QuadVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 laneOf(const QuadVec3& v, std::size_t lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

// Sums over corners are taken in integers, which are exact.
inline FourCells::FourCells(const Eight (&cells)[kLanes]) {
    for (int lane = 0; lane < kLanes; ++lane) {
        const Four pairs = (Four)cells[lane];
        low[lane] = pairs << 16 >> 16;
        high[lane] = pairs >> 16;
    }
    transpose(low);
    transpose(high);
}

inline QuadVec3 gradientsOf(const FourCells& cells, Real scale) {
    FourCells::Four row[4];
    for (int i = 0; i < 4; ++i)
        row[i] = cells.low[i] + cells.high[i];
    const FourCells::Four alongX =
        row[0] + row[1] + row[2] + row[3] - (cells.low[0] + cells.low[1] + cells.low[2] + cells.low[3]) * 2;
    const FourCells::Four alongY = row[1] + row[3] - row[0] - row[2], alongZ = row[2] + row[3] - row[0] - row[1];
    const Real quarter = scale * Real(0.25);
    return {toQuad(alongX) * quarter, toQuad(alongY) * quarter, toQuad(alongZ) * quarter};
}

inline PlaneFits fitPlanes(const FourCells& cells, Real scale) {
    const FourCells::Four low = cells.low[0] + cells.low[1] + cells.low[2] + cells.low[3];
    const FourCells::Four high = cells.high[0] + cells.high[1] + cells.high[2] + cells.high[3];
    const Real half = Real(0.5);
    PlaneFits fits;
    fits.gradient = gradientsOf(cells, scale);
    fits.mean = toQuad(low + high) * (scale * Real(0.125));
    fits.squared = dot(fits.gradient, fits.gradient);
    const Quad safe = fits.squared > Real(1e-6) ? fits.squared : Quad{} + Real(1);
    const Quad move = fits.mean / safe, inverse = Real(1) / rootOf(safe);
    const QuadVec3 moved{fits.gradient.x * move, fits.gradient.y * move, fits.gradient.z * move};
    fits.position = {half - moved.x, half - moved.y, half - moved.z};
    fits.normal = {fits.gradient.x * inverse, fits.gradient.y * inverse, fits.gradient.z * inverse};
    fits.misfit = absolute(fits.squared - Real(1));
    const Quad outX = absolute(moved.x), outY = absolute(moved.y), outZ = absolute(moved.z);
    const Quad outXY = outX > outY ? outX : outY;
    fits.leaves = (outXY > outZ ? outXY : outZ) - half;
    return fits;
}

}  // namespace sunder::geometry
