// Cuts a closed surface by the cells of a complex, without any grid, into polygons from which pieces are assembled
// (geometry/pieces/).
//   [Su09] 4.4   the alternative to level sets: the surface meshes are cut by the regions
// 1. crossings.h: where edges of one go through triangles of the other, by exact signs.
// 2. face_loops.h: each triangle of either is divided along the segments in it. Which fragment borders on which follows from
//    signs and neighbourhoods alone, not from coordinates: rounding cannot open a piece.
// 3. Fragments of the surface get the label of the cell they lie in; fragments of faces lie inside or outside the surface.
// 4. What has one label consists of the surface's fragments with that label and of both sides of the faces' fragments inside.
// Deviation: cells of any form, not convex ones only; convex cells are cut no differently.
#pragma once

#include <functional>

#include "geometry/cutting/cell_complex.h"
#include "geometry/cutting/fragments.h"
#include "geometry/surface/surface_mesh.h"

namespace sunder::geometry {

// labelAt: the label of the cell that holds a point, for connected pieces of the surface that cross no face.
Fragments cutIntoFragments(const SurfaceMesh& surface, const CellComplex& complex,
                           const std::function<std::uint32_t(const Vec3d&)>& labelAt);

}  // namespace sunder::geometry
