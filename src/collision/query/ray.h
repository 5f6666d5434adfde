// Rays against shapes.
#pragma once

#include "collision/query/hit.h"

namespace sunder::collision {

// The first hit, at a fraction of at most maxFraction, of a ray from the origin of the frame. Solids are hit at fraction 0
// from inside, meshes from behind only with backFaces.
std::optional<CastHit> castRay(const ShapeAt& target, const Vec3d& displacement, double maxFraction, bool backFaces);

}  // namespace sunder::collision
