// Shapes that are moved without turning, or held still, against shapes.
#pragma once

#include "collision/query/hit.h"

namespace sunder::collision {

// Where `moving` (no mesh) first touches the target on its way, at a fraction of at most maxFraction. An overlap at the start
// is a hit at fraction 0. Triangles that the way leads out of count only with backFaces.
std::optional<CastHit> castShape(const ShapeAt& moving, const Vec3d& displacement, const ShapeAt& target, double maxFraction,
                                 bool backFaces);

// Whether the shapes (the first no mesh) touch or overlap. A mesh is a surface: what lies wholly inside does not touch it.
bool findOverlap(const ShapeAt& shape, const ShapeAt& target);

}  // namespace sunder::collision
