// The parts of a cut triangle as polygons, holes joined to what is around them by slits, and the polygons as triangles.
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
        bool isSlit = false;  // that edge is none of the loop's
    };
    std::uint32_t label = 0;
    std::vector<Corner> corners;
    std::vector<std::array<std::uint32_t, 3>> triangles;        // into corners
    std::vector<std::pair<std::uint32_t, std::uint32_t>> same;  // corners that are the same corner, at the ends of slits
};

// The label of the triangle's own outline where no segment ends on it: that of the loops floating in it as seen from outside.
std::uint32_t outlineLabel(std::span<const FaceLoop> loops, std::span<const std::uint32_t> labels, const NodeNumbers& nodes,
                           const std::array<Vec3d, 3>& triangle);

// Loops of one triangle with these corners, each with its label.
void makePolygons(std::span<const FaceLoop> loops, std::span<const std::uint32_t> labels, const NodeNumbers& nodes,
                  const std::array<Vec3d, 3>& triangle, std::vector<CutPolygon>& polygons);

}  // namespace sunder::geometry
