// When a moving level set and another shape meet: conservative advancement on the distance of the particles.
#pragma once

#include "collision/continuous/moving_shape.h"

namespace sunder::collision {

// See findTimeOfImpact (time_of_impact.h); at least one of the two is a level set. An object that passes between two
// neighbouring particles is not seen.
TimeOfImpact advanceLevelSets(const MovingShape& a, const MovingShape& b, Real duration, Real separation, Real tolerance);

}  // namespace sunder::collision
