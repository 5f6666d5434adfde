// Turns that lay a pattern along the normal of a hit.
#pragma once

#include "math/quat.h"

namespace sunder::geometry {

// The shortest turn from one unit vector to another.
Quat shortestTurn(const Vec3& from, const Vec3& to);

// Turns `axis` to the unit vector `normal` such that `up`, a unit vector at right angles to the axis, comes as near to +y as it
// can. Along +y and -y, where nothing is up, it becomes -z and +z: the way the up of a wall goes that is laid down on its back
// or its front.
Quat uprightTurn(const Vec3& axis, const Vec3& up, const Vec3& normal);

// What is left of that turn for a pattern whose axis is +y and whose up is -z, once the shortest turn has brought the axis to
// the normal: rad about the axis, in (-pi, pi].
Real uprightSpin(const Vec3& normal);

}  // namespace sunder::geometry
