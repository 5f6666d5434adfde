// Normals that hide the facets of smooth meshes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace sunder::geometry {

// For each corner of each triangle the mean normal, by area, of the triangles at that vertex that are bent away from this one
// by less than 35 degrees.
std::vector<std::array<Vec3, 3>> cornerNormals(std::span<const Vec3> vertices,
                                               std::span<const std::array<std::uint32_t, 3>> triangles);

}  // namespace sunder::geometry
