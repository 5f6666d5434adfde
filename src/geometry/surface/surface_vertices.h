// Where the surface of a level set passes through its cells: one vertex per sheet of surface in a cell, placed on the edge or
// corner that runs through the cell where there is one. Surface particles and the drawn surface share these vertices.
//   [JLSW02] Ju, Losasso, Schaefer, Warren: Dual contouring of Hermite data. Quadratic error functions.
//   [Nie04]  Nielson: Dual marching cubes. One vertex per sheet, so that the surface is manifold.
#pragma once

#include <vector>

#include "geometry/level_set/level_set.h"
#include "geometry/surface/surface_cell.h"

namespace sunder::geometry {

// In ascending order of cell, then sheet. The border of the grid must be outside (see withBorder).
template <class Stored>
std::vector<SurfaceVertex> surfaceVertices(const LevelSet<Stored>& field);

}  // namespace sunder::geometry
