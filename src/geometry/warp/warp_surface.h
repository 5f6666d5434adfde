// A drawn surface that has been displaced a little, point by point.
#pragma once

#include "geometry/surface/surface_mesh.h"
#include "geometry/warp/warp_field.h"

namespace sunder::geometry {

// The surface with edges of at most the given length (m), as far as that takes no more than kMostWarpedTriangles: longer ones
// are divided in both triangles that meet there, so that it stays closed.
inline constexpr std::size_t kMostWarpedTriangles = 100000;
SurfaceMesh divided(const SurfaceMesh& surface, Real longest);

// displacement: of a point in the frame of the surface. Normals are found again; edges that were sharp stay so.
SurfaceMesh warped(const SurfaceMesh& surface, const Displacement& displacement);

}  // namespace sunder::geometry
