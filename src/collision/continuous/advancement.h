// When two moving convex cores come within a given separation: conservative advancement on the closest points, in double.
#pragma once

#include <limits>

#include "collision/narrow_phase/core/core.h"

namespace sunder::collision {

// A core that moves in a straight line and turns at a constant rate about its centre.
struct CoreMotion {
    const ConvexCore& core;
    Placement start;       // of the core at time 0, in the common frame
    Vec3d center;          // about which it turns, at time 0
    Vec3d velocity, spin;  // of the centre, m/s; rad/s
    double extent = 0;     // m: how far the core extends from the axis of its spin; see withExtent
};

CoreMotion withExtent(CoreMotion motion);
Placement placementAt(const CoreMotion& motion, double time);

struct Meeting {
    enum class Status : std::uint8_t {
        Apart,     // they do not come within the separation
        Touching,  // they are within it at time 0; the points and the normal are set where the surfaces do not overlap
        Meets,     // they come within it at `time`, or `looks` ran out when they were nearly so close
        Paused,    // they do not come within it before `time`, which is after the pause
    };
    Status status = Status::Apart;
    bool hasNormal = false;
    double time = 0;
    Vec3d onA, onB;  // of the surfaces at that time
    Vec3d normal;    // unit, from A to B
    int looks = 0;   // searches for closest points
};

// Earliest time in [0, duration] at which the surfaces (cores and their roundings) are at most separation + tolerance apart;
// never later than the moment at which they are `separation` apart. tolerance > 0.
// The search ends at the first look after `pause` (s) that is not the first of all.
// axis: a direction (unit, from A to B) that may part the two at time 0, as one that did a moment ago; zero where none is
// known. It takes the place of looks as far as it goes, and each look starts from the direction before it. Becomes the last one
// found.
Meeting findMeeting(const CoreMotion& a, const CoreMotion& b, double duration, double separation, double tolerance,
                    double pause = std::numeric_limits<double>::infinity(), Vec3d* axis = nullptr);

}  // namespace sunder::collision
