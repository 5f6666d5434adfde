// Exact intersections of a ray with round and boxy solids about the origin, y being the axis. Only entries count: a ray that
// starts inside a solid does not see it, so a camera inside a wall looks out through it.
#pragma once

#include "render/ray.h"

namespace sunder::render {

// Distance along the unit direction, infinity where the ray misses.
Real intersectSphere(Real radius, const Vec3& origin, const Vec3& direction);
Real intersectBox(const Vec3& halfExtents, const Vec3& origin, const Vec3& direction);
Real intersectCapsule(Real radius, Real halfHeight, const Vec3& origin, const Vec3& direction);
Real intersectCylinder(Real radius, Real halfHeight, const Vec3& origin, const Vec3& direction);

// The true normal, and one that is rounded near edges, which then catch the light as real edges do.
struct SurfaceNormals {
    Vec3 geometric, shading;
};
SurfaceNormals boxNormals(const Vec3& halfExtents, const Vec3& point);
SurfaceNormals capsuleNormals(Real halfHeight, const Vec3& point);
SurfaceNormals cylinderNormals(Real radius, Real halfHeight, const Vec3& point);

// How far the shading normal turns towards the neighbouring face at `distance` from an edge whose rounding is `width` wide.
Real edgeTurn(Real distance, Real width);

}  // namespace sunder::render
