// Triangles of a polygon with holes, as few as there can be and no thinner than they must.
#pragma once

#include <array>
#include <vector>

#include "geometry/pieces/merged_faces.h"

namespace sunder::geometry {

// Appends the triangles of a face, as nodes, counter-clockwise from its front.
void triangulateFace(const std::vector<Vec3d>& nodes, const MergedFace& face,
                     std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace sunder::geometry
