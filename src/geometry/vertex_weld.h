// Finds vertices that lie in the same place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace sunder::geometry {

// Share of the mesh's size: closer vertices are one. A few roundings of a float coordinate.
inline constexpr Real kWeldTolerance = Real(1e-6);

// For each vertex the lowest-numbered representative within the tolerance, which represents itself. Vertices that are not
// finite represent themselves.
std::vector<std::uint32_t> weldVertices(std::span<const Vec3> vertices, Real tolerance);

}  // namespace sunder::geometry
