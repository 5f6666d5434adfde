// Contacts of a deformable body with itself.
//   [Parker09] 6
#pragma once

#include "world/flesh/flesh_contact.h"

namespace sunder::world {

// Appends the contacts of nodes of the surface with triangles of the same surface that face them. Triangles that hang together
// with the node through one node or none between them are passed over: they are always near. dt: s.
void findSelfContacts(const WorldState& world, std::uint32_t slot, Real dt, std::vector<FleshContact>& out);

}  // namespace sunder::world
