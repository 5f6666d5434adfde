// Space divided into labelled cells, given by the faces between cells of different labels. Surfaces are cut by it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/vec3d.h"

namespace sunder::geometry {

// Faces meet in whole edges and corners only. The division ends at edges with one face; no surface may reach them.
struct CellComplex {
    struct Face {
        std::array<std::uint32_t, 3> points{};
        std::uint32_t front = 0, back = 0;  // labels; the front is where the points turn left
        std::uint32_t group = 0;            // faces of one group lie in one plane and have their fronts on one side of it
        Vec3d normal;                       // unit, of that plane
    };
    struct Edge {
        std::uint32_t from = 0, to = 0;
        std::uint32_t firstInFan = 0, faceCount = 0;
    };
    // One side of a face; `order` sorts the faces about an edge, turning left about its direction.
    struct EdgeUse {
        std::uint32_t from = 0, to = 0, order = 0, face = 0, side = 0;
    };

    std::vector<Vec3d> points;
    std::vector<Face> faces;
    std::vector<Edge> edges;
    std::vector<std::uint32_t> fans;                      // faces about each edge
    std::vector<std::array<std::uint32_t, 3>> faceEdges;  // edge i joins points[i] and points[i + 1]

    // Fills in edges, fans and faceEdges. An edge may be given in either direction as long as all its uses agree.
    void setEdges(std::vector<EdgeUse> uses);
};

}  // namespace sunder::geometry
