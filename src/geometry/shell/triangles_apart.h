// Whether two triangles in space are apart, on the safe side of rounding.
#pragma once

#include <array>

#include "math/vec3d.h"

namespace sunder::geometry {

using TriangleCorners = std::array<Vec3d, 3>;

// Whether some plane has the triangles on its two sides, with a slab of `gap` (m) between them. With a gap of 0 that is so
// exactly where they do not meet, but for rounding; with more, those that nearly meet at their corners may be called not apart.
bool areApart(const TriangleCorners& a, const TriangleCorners& b, double gap);

}  // namespace sunder::geometry
