// A contact of a deformable body, as it is found at the start of a step.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// A place where a deformable body is near another. Points of a deformable body are nodes with weights.
struct FleshContact {
    struct Side {
        std::uint32_t body = 0;  // slot; kNone, of a joint: the world
        std::uint32_t node[4] = {0, 0, 0, 0};
        Real weight[4] = {0, 0, 0, 0};
        int nodes = 0;  // 0: a point of a rigid body
        WorldPoint point;
    };
    Side a, b;
    Vec3 normal;                  // unit, from b to a
    Real gap = 0;                 // m, negative where they overlap
    bool isHold = false;          // a node that a rigid body holds: it never opens
    Vec3 aside{};                 // m: of a hold, from b to a across the normal
    Real area = 0;                // m^2: the share of the surface that the point stands for
    bool isAlong = false;         // a hold along the normal alone
    Real carried = 0;             // kg: of a joint of rigid bodies, the heaviest that may hang on it
    std::uint32_t joint = kNone;  // slot: of the joint whose point it is
};

}  // namespace sunder::world
