// Tangent planes at nodes of a distance field, valid even next to an edge, where differences reach across it.
#pragma once

#include <span>
#include <vector>

#include "geometry/level_set/level_set.h"
#include "geometry/surface/plane_fits.h"
#include "geometry/surface/surface_cell.h"

namespace sunder::geometry {

// Planes at the corners of a cell, in order (bit 0: x, bit 1: y, bit 2: z).
struct CornerPlanes {
    Real x[8], y[8], z[8];  // normal: unit, outward
    Real offset[8];         // normal . p = offset on the plane, p from the node, in cells
    Real weight[8];  // in [0, 1]: 1 where the gradient has unit length, as a distance's must; 0 where the field is no distance
};
// For four cells.
struct FourCornerPlanes {
    Quad x[8], y[8], z[8], offset[8], weight[8];
};
void splitLanes(const FourCornerPlanes& planes, CornerPlanes (&out)[4]);

// Planes at the corners of many cells, each node once, since cells with an edge lie side by side. Keeps its memory. Uses
// central differences where they have unit length; else, per axis, the forward or the backward one, in the combination whose
// length is nearest to 1: away from its medial axis a distance is smooth on at least one side. At the border of the grid the
// difference on the other side replaces the missing one.
class NodePlanes {
public:
    template <class Stored>
    void find(const LevelSet<Stored>& field, std::span<const SurfaceCell> cells);
    // The planes of four of those cells, by their lowest nodes.
    FourCornerPlanes at(const std::uint32_t (&lowest)[4]) const;

private:
    // Per axis: on the low (bit 2 axis) or high (bit 2 axis + 1) border of the grid.
    using Borders = std::uint32_t;
    struct Node {
        std::uint32_t index;
        Borders borders;
    };
    struct Plane {
        Quad normalAndOffset;
        Real weight;
    };

    void mark(const Int3& nodes, std::span<const SurfaceCell> cells);
    void list(const Int3& nodes);

    std::vector<std::uint64_t> marks_;    // a bit per node, by rows of whole words
    std::vector<Node> nodes_;             // the first count_ are in use; a few more fill the last four
    std::vector<std::uint32_t> placeOf_;  // in nodes_, by node; undefined for nodes without a mark
    std::vector<Plane> planes_;
    std::size_t count_ = 0;
    std::size_t strides_[8] = {};  // to a cell's corners
};

}  // namespace sunder::geometry
