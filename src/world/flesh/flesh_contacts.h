// Contacts of deformable bodies, as they lie at the start of a step: their surface against shapes and against each other.
#pragma once

#include <vector>

#include "world/flesh/flesh_contact.h"

namespace sunder::world {

// Appends the contacts of a deformable body with rigid bodies and with deformable bodies of a higher serial or asleep. dt (s):
// things that cannot meet in this time are left out.
void findFleshContacts(const WorldState& world, std::uint32_t slot, Real dt, std::vector<FleshContact>& out);

}  // namespace sunder::world
