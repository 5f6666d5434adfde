// The damping model [Egan03] 5.3, A.2: what rests on something is slowed, what chatters is slowed more, and what hardly moves
// is put to rest.
#pragma once

#include "dynamics/damped/damped_state.h"

namespace sunder::dynamics {

// Call at the end of the contact phases, with the sites of the last one and their impulses; bodies hold x^(n+1), v^(n+1). Only
// bodies that stand on the ground, directly or through others, are damped, relative to what carries them: whoever rides on a
// moving platform is not slowed, and a cluster in free flight keeps its momentum. No body gains speed over what carries it.
void dampen(DampedStep& step);

// Turns bodies that lie nearly flat on what carries them until they do, about the point where they touch. Never lifts a centre
// of mass. Call after dampen.
void align(DampedStep& step);

}  // namespace sunder::dynamics
