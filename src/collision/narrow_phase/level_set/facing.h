// When a particle and a surface that it is near face each other. Numbers alone: the kernels share them.
#pragma once

#include "sunder/types.h"

namespace sunder::collision {

// Cosines between the particle's normal and the other surface's. Two smooth surfaces in contact have opposite normals; where
// they do not, the gradient is that of an edge, and the smooth one of the two decides.
inline constexpr Real kOpposite = Real(-0.9), kFacing = Real(-0.3);
// The normal of an edge or corner is the mean of its faces: it stands at 55 degrees to the faces of a cube.
inline constexpr Real kFeatureFacing = Real(-0.15);
// Where it cannot have come through from the far side. Of a thin wedge the mean says little, and one that is not let go stays.
inline constexpr Real kShallowFacing = Real(0.7);
inline constexpr Real kWeakGradient = Real(0.2);  // where several surfaces are equally near
// Cosines between the arm of a particle that is inside and the way out: its body lies on the side where that leads.
inline constexpr Real kBodyOutside = Real(-0.5), kBodyOutsideShallow = Real(0.3);

}  // namespace sunder::collision
