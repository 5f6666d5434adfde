// Another name for math/vec3d.h.
#pragma once

#include "math/vec3d.h"

namespace sunder::geometry {

using sunder::toDouble;
using sunder::toReal;
using sunder::Vec3d;

}  // namespace sunder::geometry
