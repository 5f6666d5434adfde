// Rays, distances and casts on level sets. Rays and points in the frame of the level set.
#pragma once

#include "collision/query/hit.h"

namespace sunder::collision {

// Where a ray from o along d (fractions of d) enters the solid; a start inside is a hit at 0.
std::optional<CastHit> castAtLevelSet(const LevelSetShape& shape, const Vec3d& o, const Vec3d& d, double maxFraction);

DistanceHit toLevelSet(const Vec3d& p, const LevelSetShape& shape);

// Either shape is a level set, the moving one no mesh. See castShape.
std::optional<CastHit> castWithLevelSet(const ShapeAt& moving, const Vec3d& displacement, const ShapeAt& target,
                                        double maxFraction);
bool touchesLevelSet(const ShapeAt& shape, const ShapeAt& target);

}  // namespace sunder::collision
