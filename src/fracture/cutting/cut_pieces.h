// The drawn surfaces of the pieces that a body broke into, cut from its own drawn surface.
//   [Su09] 4.4
// The break says which node of the body's grid belongs to which piece; the pattern itself says where between two nodes the
// crack runs. So the drawn pieces are those that collide, small components that stayed with a neighbour included, and yet their
// faces are as sharp as the surface, however coarse the grid.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fracture/prescored/break_body.h"
#include "geometry/patterns/build_pattern.h"

namespace sunder::fracture {

struct CutSurfaces {
    std::vector<geometry::SurfaceMesh> pieces;  // one per piece; empty where none of the surface is in it
    std::string error;                          // empty where the pieces are closed
};

// The surface is in a frame in which the body's origin is at `origin`; so are the surfaces of the pieces. Regions are in the
// body's frame.
CutSurfaces cutPieces(const geometry::SurfaceMesh& surface, const Vec3& origin, const geometry::Grid& grid,
                      std::span<const Piece<std::int16_t>> pieces, geometry::RegionSource& regions, TaskRunner& tasks);

}  // namespace sunder::fracture
