// Thresholds for whether a particle and a nearby surface face each other. Constants only: the wide kernels share them.
#pragma once

#include "sunder/types.h"

namespace sunder::collision {

// Cosines between the particle's normal and the other surface's. Two smooth surfaces in contact have opposite normals
// (kOpposite). Where they do not, the gradient is that of an edge, and the smooth surface's normal decides (kFacing).
inline constexpr Real kOpposite = Real(-0.9), kFacing = Real(-0.3);
// Limit of that cosine for a particle on an edge or corner, whose normal is the mean of its faces': 55 degrees to each face of
// a cube.
inline constexpr Real kFeatureFacing = Real(-0.15);
// Limit for an edge particle so shallow that it cannot have come through from the far side. The mean normal of a thin wedge
// says little, and a wedge whose contact is refused stays inside.
inline constexpr Real kShallowFacing = Real(0.7);
inline constexpr Real kWeakGradient = Real(0.2);  // length of the gradient below which several surfaces are equally near
// Cosines between the arm of a particle that is inside and the way out: the way out must lead to where its body is.
inline constexpr Real kBodyOutside = Real(-0.5), kBodyOutsideShallow = Real(0.3);

}  // namespace sunder::collision
