// One particle of a level set near another surface.
#pragma once

#include <cstdint>

#include "math/vec3.h"

namespace sunder::collision {

// A particle of one shape near the surface of the other, in the frame of the poses.
struct ParticleContact {
    Vec3 point;   // the particle
    Vec3 normal;  // unit, from A to B
    Real separation = 0;
    std::uint32_t feature = 0;  // unique in the pair
    bool onB = false;           // the particle belongs to B
};

}  // namespace sunder::collision
