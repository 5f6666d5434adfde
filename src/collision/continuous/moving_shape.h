// A moving shape, and the result of a search for the moment at which it meets another.
#pragma once

#include <cstdint>

#include "collision/built_shape.h"

namespace sunder::collision {

// Moves in a straight line and turns at a constant rate about its centre.
struct MovingShape {
    const BuiltShape& shape;
    Pose pose;                       // of the shape at time 0; the common frame's origin should be near (float)
    Vec3 center;                     // about which it turns, at time 0
    Vec3 velocity, angularVelocity;  // of the centre, m/s; rad/s
};

struct TimeOfImpact {
    enum class Status : std::uint8_t {
        Apart,     // they do not come within the separation
        Touching,  // they are within it at time 0
        Meets,     // they come within it at `time` > 0
        Paused,    // they do not come within it before `time`; what is later was not searched
    };
    Status status = Status::Apart;
    Real time = 0;  // s
    Vec3 normal;    // unit, from A to B at that time; zero where the surfaces overlapped at time 0
    Vec3 onA, onB;  // the closest points of the surfaces then
    std::uint32_t childA = 0, childB = 0, triangle = 0;  // of compounds, of the mesh
};

}  // namespace sunder::collision
