// Other names for math/vec3d.h and placement.h.
#pragma once

#include "collision/narrow_phase/placement.h"

namespace sunder::collision {

using Double3 = Vec3d;

constexpr Double3 toDouble3(const Vec3& v) { return toDouble(v); }
constexpr Vec3 toVec3(const Double3& v) { return toReal(v); }

}  // namespace sunder::collision
