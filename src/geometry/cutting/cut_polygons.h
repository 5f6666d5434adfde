// The fragments of a cut triangle as polygons, with holes joined to their surroundings by slits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/cutting/face_loops.h"

namespace sunder::geometry {

struct CutPolygon {
    struct Corner {
        LoopEdge edge;        // to the next corner
        bool isSlit = false;  // that edge is a slit, not an edge of the loop
    };
    std::uint32_t label = 0;
    std::vector<Corner> corners;
};

// The label of the triangle's own outline where no segment ends on it: the outer label of the loops that float in it.
std::uint32_t outlineLabel(std::span<const FaceLoop> loops, std::span<const std::uint32_t> labels, const NodeNumbers& nodes,
                           const std::array<Vec3d, 3>& triangle);

// Loops of one triangle with these corners, each with its label.
void makePolygons(std::span<const FaceLoop> loops, std::span<const std::uint32_t> labels, const NodeNumbers& nodes,
                  const std::array<Vec3d, 3>& triangle, std::vector<CutPolygon>& polygons);

}  // namespace sunder::geometry
