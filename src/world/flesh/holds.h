// Nodes of deformable bodies that other bodies hold.
#pragma once

#include "world/flesh/flesh_contact.h"

namespace sunder::world {

// Lets a body hold the nodes in a box of the deformable body in this slot, where they are now.
void holdNodes(WorldState& world, std::uint32_t slot, const DeformableHold& box, BodyId holder);
void holdNode(WorldState& world, std::uint32_t slot, std::uint32_t node, BodyId holder);

// Appends the holds of a deformable body as contacts that never open. What no longer exists holds nothing.
void findHolds(const WorldState& world, std::uint32_t slot, std::vector<FleshContact>& out);

// Wakes holders of deformable bodies that are awake, and deformable bodies whose holders move; so with joints. Whether there
// were any.
bool wakeHeld(WorldState& world);

}  // namespace sunder::world
