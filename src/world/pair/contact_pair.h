// A pair of bodies that may touch, and what is known of it.
#pragma once

#include "world/pair/recycle.h"

namespace sunder::world {

// Two bodies whose bounds overlap. Lives as long as they do.
struct ContactPair {
    std::uint32_t bodyA = 0, bodyB = 0;  // slots, A < B
    SeenPair seen;                       // as of the manifolds
    std::uint32_t firstManifold = 0;     // into WorldState::constraints
    std::uint32_t manifoldCount = 0;
    bool touching = false;       // as last reported by an event
    bool sensorTouches = false;  // one of the two is a sensor, and they overlap
    Real restDepth = 0;          // m: overlap that counts as none, see tolerateOverlap
    Real load = 0;               // N along the normals in the last step, where one of the two can break
};

}  // namespace sunder::world
