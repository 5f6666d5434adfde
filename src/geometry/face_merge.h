// Joins the triangles of a convex hull that lie in one plane, so that a cube has six faces and not twelve.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/quickhull.h"

namespace sunder::geometry {

using Loop = std::vector<std::uint32_t>;  // of vertices, counter-clockwise from outside

// Faces whose vertices lie within tolerance of one plane become one loop; vertices that then join only two faces are left out.
// Empty where the result is not a closed surface, which a smaller tolerance may avoid; with a negative tolerance nothing is
// merged and the triangles come back.
std::vector<Loop> mergeFaces(std::span<const GridPoint> points, std::span<const HullTriangle> triangles, double tolerance);

}  // namespace sunder::geometry
