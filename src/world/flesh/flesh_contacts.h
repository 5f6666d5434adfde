// Contacts of deformable bodies, as they lie at the start of a step: their surface against shapes and against each other.
#pragma once

#include <vector>

#include "world/flesh/flesh_surface.h"

namespace sunder::world {

// Appends the contacts of a deformable body with rigid bodies and with deformable bodies of a higher serial or asleep. Things
// that cannot meet in the step are left out.
void findFleshContacts(FleshSurfaces& surfaces, std::uint32_t slot, std::vector<FleshContact>& out);

// m/s: of the contact's second point relative to the first; along the normal, how fast they close in.
Vec3 closingVelocity(const PagedVector<Body>& bodies, const FleshContact& contact);

}  // namespace sunder::world
