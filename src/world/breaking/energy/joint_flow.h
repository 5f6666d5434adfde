// Joints that flow: beyond JointDef::yieldForce their points part for good, so that a joint gives way before it breaks and
// stores no more than it does where it flows.
//   [Li18] 5, plasticity together with energised fracture
// Linear hardening: with the stretch u, stiffness k and hardening H = (break - yield) / ductility a joint that has flowed by p
// bears yield + H p; beyond that the points part by dp = (k u - yield - H p) / (k + H), after which it bears just that.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// At the end of a step. The joint has a yield force and a stiffness.
void flow(const PagedVector<Body>& bodies, Joint& joint);

}  // namespace sunder::world
