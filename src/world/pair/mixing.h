// Coefficients of a contact, from those of the two materials.
#pragma once

#include <cmath>

#include "math/vec3.h"

namespace sunder::world {

// Of friction: the geometric mean; 0 where one is 0. Asked first, because most bodies have no rolling or spinning friction and
// need no root.
inline Real mixedFriction(Real a, Real b) { return a > 0 && b > 0 ? std::sqrt(a * b) : Real(0); }

// The larger one: a ball bounces off any floor.
inline Real mixedRestitution(Real a, Real b) { return max(a, b); }

}  // namespace sunder::world
