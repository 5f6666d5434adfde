// Which triangles of a thin shell share a wall: neighbours that lie within a share of the thickness in one plane, with an
// outline that is convex within another. A wall per triangle would be as right and would cost its square in contacts.
#pragma once

#include <cstdint>
#include <vector>

#include "sunder/shapes.h"

namespace sunder::geometry {

// Shares of the thickness: how far the vertices of a wall may lie apart along its normal, and how far its hull may reach beyond
// its triangles. Half of the thickness is the rim that every wall has around its triangles.
inline constexpr double kWallSag = 0.5, kWallOverhang = 0.25;

// In order of the first triangle of each; every triangle is in one. Triangles must have an area.
std::vector<std::vector<std::uint32_t>> wallPatches(const Shell& shell);

}  // namespace sunder::geometry
