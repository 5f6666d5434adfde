// When a moving level set and another shape meet: conservative advancement on the distance of the particles.
#pragma once

#include "collision/continuous/moving_shape.h"

namespace sunder::collision {

// See findTimeOfImpact (time_of_impact.h); at least one of the two is a level set. An object that passes between two
// neighbouring particles is not seen. apart: m, a lower bound of the distance of the surfaces at the start, where one is known;
// no look is spent on the time that they need for it.
TimeOfImpact advanceLevelSets(const MovingShape& a, const MovingShape& b, Real duration, Real separation, Real tolerance,
                              Real apart = 0);

}  // namespace sunder::collision
