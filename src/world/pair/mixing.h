// What the materials of two surfaces make together.
#pragma once

#include <cmath>

#include "math/vec3.h"

namespace sunder::world {

// Coefficients of friction: the geometric mean, nothing where one has none. Most bodies neither roll nor spin with friction,
// and need no root.
inline Real mixedFriction(Real a, Real b) { return a > 0 && b > 0 ? std::sqrt(a * b) : Real(0); }

// The livelier one decides: a ball bounces off any floor.
inline Real mixedRestitution(Real a, Real b) { return max(a, b); }

}  // namespace sunder::world
