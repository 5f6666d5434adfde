// The division of space that the meshes of drawn pieces make, with the very faces that were drawn.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geometry/drawn/piece_fields.h"
#include "geometry/level_set/mesh_repair.h"
#include "geometry/patterns/built_pattern.h"

namespace sunder::geometry {

// A piece in the pattern's frame: closed, its triangles facing outwards.
struct DrawnSolid {
    std::span<const Vec3d> vertices;
    std::span<const TriangleIndices> triangles;
    std::uint32_t label = 0;
};

// Null where faces of neighbours do not lie upon each other to a hundred-thousandth of the drawing: pieces that overlap, narrow
// gaps; and, where all space belongs to some piece (`rest` is 0), drawings that are not convex as a whole. fields: of the same
// pieces, in their order.
std::shared_ptr<const DrawnComplex> complexOfPieces(std::span<const DrawnSolid> pieces, std::uint32_t rest,
                                                    const PieceFields& fields);

}  // namespace sunder::geometry
