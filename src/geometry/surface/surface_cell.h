// Cells that the surface of a level set passes through, and the vertices that stand for it there.
#pragma once

#include <cstdint>

#include "geometry/level_set/grid.h"
#include "math/vec3.h"

namespace sunder::geometry {

enum class SurfaceFeature : std::uint8_t { Smooth, Edge, Corner };

struct SurfaceVertex {
    Vec3 position;             // m, in the grid's frame and inside its cell
    Vec3 normal;               // unit, outward
    std::uint32_t cell = 0;    // index of the cell's lowest node
    std::uint8_t corners = 0;  // of the cell that are inside; bit 0 of the corner's number: x, bit 1: y, bit 2: z
    std::uint8_t sheet = 0;    // number of the sheet in its cell
    SurfaceFeature feature = SurfaceFeature::Smooth;
};

// A cell that the surface passes through.
struct SurfaceCell {
    Int3 at;
    std::uint32_t node, vertex;  // its lowest node, its first vertex
    std::uint32_t corners;       // see SurfaceVertex
};

// Writes the vertex of one of its sheets; `inCell` is in cells from the lowest node. Field by field: copying a whole vertex
// would wait for its fields.
inline void putVertex(const Grid& grid, const SurfaceCell& cell, int sheet, const Vec3& inCell, const Vec3& normal,
                      SurfaceFeature feature, SurfaceVertex& out) {
    out.position = grid.position(cell.at.x, cell.at.y, cell.at.z) + inCell * grid.cell;
    out.normal = normal;
    out.cell = cell.node;
    out.corners = static_cast<std::uint8_t>(cell.corners);
    out.sheet = static_cast<std::uint8_t>(sheet);
    out.feature = feature;
}

}  // namespace sunder::geometry
