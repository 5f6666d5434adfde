// When two moving shapes meet: rotation included, any two shapes of which at most one is a mesh.
#pragma once

#include "collision/continuous/moving_shape.h"
#include "math/vec3d.h"

namespace sunder::collision {

// Earliest time in [0, duration] at which the surfaces are at most separation + tolerance apart; never later than the moment
// at which they are `separation` apart, so that nothing is missed however thin it is. tolerance > 0: the smaller, the more it
// costs. Triangles of a mesh are one-sided: those that the other shape's centre is behind at time 0 do not count, as in
// contacts. Deterministic; bounded; no allocation; thread-safe.
// pause (s): where it is known that nothing happens before this time, and not yet what happens later, the search ends. It goes
// on in any case where one of the shapes is a mesh or a level set.
// axis: see findMeeting; left alone where one of the shapes is a compound, a mesh or a level set.
TimeOfImpact findTimeOfImpact(const MovingShape& a, const MovingShape& b, Real duration, Real separation, Real tolerance,
                              Real pause = kInfinity, Vec3d* axis = nullptr);

}  // namespace sunder::collision
