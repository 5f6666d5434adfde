// Casts and overlap tests of shapes against shapes; a cast does not turn.
#pragma once

#include "collision/query/hit.h"

namespace sunder::collision {

// Where `moving` (not a mesh) first touches the target on its displacement, at a fraction of at most maxFraction. An overlap at
// the start is a hit at fraction 0. Triangles that are left through their back count only with backFaces.
// passLeft: triangles that the shape overlaps at the start and moves out of are no hits, and do not hide later ones.
std::optional<CastHit> castShape(const ShapeAt& moving, const Vec3d& displacement, const ShapeAt& target, double maxFraction,
                                 bool backFaces, bool passLeft = false);

// Whether the shapes (the first not a mesh) touch or overlap. A mesh is a surface: a shape wholly inside it does not touch it.
bool findOverlap(const ShapeAt& shape, const ShapeAt& target);

}  // namespace sunder::collision
