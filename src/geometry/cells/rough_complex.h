// A division of space whose faces are bent: cut into small triangles, whose corners are then moved.
#pragma once

#include <functional>

#include "geometry/cutting/cell_complex.h"

namespace sunder::geometry {

// Edges become shorter than `size`. Faces are moved less where they would turn over.
void roughenComplex(CellComplex& complex, double size, const std::function<Vec3d(const Vec3d&)>& moved);

// Sorts the faces about each edge by the planes of their groups, and fills in the edges.
void sortByPlanes(CellComplex& complex);

}  // namespace sunder::geometry
