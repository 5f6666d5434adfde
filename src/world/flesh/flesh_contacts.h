// Contacts of deformable bodies, as they lie at the start of a step: their surface against shapes and against each other.
#pragma once

#include <vector>

#include "world/state/state.h"

namespace sunder::world {

// A place where a deformable body is near another. Points of a deformable body are nodes with weights.
struct FleshContact {
    struct Side {
        std::uint32_t body = 0;  // slot
        std::uint32_t node[3] = {0, 0, 0};
        Real weight[3] = {0, 0, 0};
        int nodes = 0;  // 0: a point of a rigid body
        WorldPoint point;
    };
    Side a, b;
    Vec3 normal;   // unit, from b to a
    Real gap = 0;  // m, negative where they overlap
};

// Appends the contacts of a deformable body with rigid bodies and with deformable bodies of a higher serial or asleep. dt (s):
// things that cannot meet in this time are left out.
void findFleshContacts(const WorldState& world, std::uint32_t slot, Real dt, std::vector<FleshContact>& out);

}  // namespace sunder::world
