// Cuts a closed surface by the cells of a complex, without any grid: crisp pieces, each closed.
//   [Su09] 4.4   the alternative to level sets: the surface meshes are cut by the regions
// 1. crossings.h: where edges of one go through triangles of the other, by exact signs.
// 2. face_loops.h: each triangle of either is divided along the segments in it. Which fragment borders on which follows from
// signs
//    and neighbourhoods alone, not from coordinates: rounding cannot open a piece.
// 3. Fragments of the surface get the label of the cell they lie in; fragments of faces lie inside or outside the surface.
// 4. A piece consists of the surface's fragments with its label and of both sides of the faces' fragments inside. Neighbouring
// pieces
//    have the same points along the face between them, to the bit.
// Deviation: cells of any form, not convex ones only; convex cells are cut no differently.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "geometry/cutting/cell_complex.h"
#include "geometry/surface/surface_mesh.h"

namespace sunder::geometry {

struct CutResult {
    // By label. Every edge of a piece lies between two of its triangles; a piece that has no volume is empty. The old
    // surface keeps normals, texture coordinates and slots; faces of the complex have the slot that was asked for.
    std::vector<SurfaceMesh> pieces;
    std::string error;  // empty where all pieces are closed
};

// labelAt: the label of the cell that holds a point, for connected pieces of the surface that cross no face; below `pieceCount`
// like all labels. The surface has texture coordinates or none.
CutResult cutSurface(const SurfaceMesh& surface, const CellComplex& complex, std::uint32_t pieceCount,
                     const std::function<std::uint32_t(const Vec3d&)>& labelAt, std::uint16_t slot);

}  // namespace sunder::geometry
