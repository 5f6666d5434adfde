// Whether the triangles of two thin shells cross.
#pragma once

#include "collision/built_shape.h"

namespace sunder::collision {

// Both must be built from Shell. gap (m): triangles nearer than this count as crossing, see geometry::areApart. Poses need only
// be relative to the same point.
bool doShellsCross(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB, Real gap);

// m: a lower bound of the distance of two shells, from the boxes about them; 0 or less where those overlap.
Real gapOfBoxes(const BuiltShape& a, const Pose& poseA, const BuiltShape& b, const Pose& poseB);

}  // namespace sunder::collision
