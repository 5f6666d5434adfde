// A cell complex from labelled nodes of a grid and the places where labels change.
//   [JU06] Ju, Udeshi: Intersection-free contouring on an octree grid. A point per edge, face and cell of the grid; as each
//   lies within its own, no two faces of the complex cross, whatever the labels.
// Points of faces and cells are where the planes of the borders around them meet: flat borders are flat to rounding, and edges
// and corners between them are sharp.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/cutting/cell_complex.h"
#include "geometry/level_set/grid.h"

namespace sunder::geometry {

struct LabelGrid {
    Vec3d origin;
    double cell = 1;
    Int3 nodes;
    std::vector<std::uint32_t> labels;   // by node
    std::vector<std::uint8_t> isActive;  // by lowest node of a cell: whether to divide it

    std::size_t index(int x, int y, int z) const {
        return std::size_t(x) + std::size_t(nodes.x) * (std::size_t(y) + std::size_t(nodes.y) * std::size_t(z));
    }
    Vec3d position(int x, int y, int z) const { return origin + Vec3d{double(x), double(y), double(z)} * cell; }
};

struct BorderPoint {
    double fraction = 0.5;  // of the distance from the first node to the second
    Vec3d normal;           // unit, of the border there
};

// `borderBetween(a, b)` is asked once for each pair of neighbouring nodes with different labels.
CellComplex complexOfGrid(const LabelGrid& grid, const std::function<BorderPoint(const Vec3d&, const Vec3d&)>& borderBetween);

}  // namespace sunder::geometry
