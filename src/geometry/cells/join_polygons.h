// From flat polygons between regions to the division of space that they make: faces that meet in whole edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/cutting/cell_complex.h"
#include "math/vec3d.h"

namespace sunder::geometry {

// Convex; polygons of one group lie in one plane, have its normal, and do not overlap.
struct LabelledPolygon {
    std::vector<Vec3d> points;  // counter-clockwise seen from the front
    Vec3d normal;               // unit
    std::uint32_t front = 0, back = 0, group = 0;
};

Vec3d areaVector(std::span<const Vec3d> points);
// Narrower than the tolerance.
bool isSliver(std::span<const Vec3d> points, double tolerance);

// Corners closer than the tolerance (m) become one, and corners on the edges of other polygons, as in a wall of bricks, corners
// of those too.
CellComplex joinPolygons(std::span<const LabelledPolygon> polygons, double tolerance);

}  // namespace sunder::geometry
