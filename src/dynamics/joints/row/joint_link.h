// Which bodies a joint connects, and its properties that decide how it is solved. Equal links have equal plans.
#pragma once

#include <cstdint>

#include "sunder/types.h"

namespace sunder::dynamics {

struct JointLink {
    std::uint32_t bodyA = 0, bodyB = 0;
    Real massA = 0, massB = 0;  // kg; 0 where nothing moves it
    std::uint8_t movesA = 0, movesB = 0;
    std::uint8_t capacity = 0;  // rows at most
    std::uint8_t isPlainBall = 0;
    std::uint8_t fitsBundle = 0;  // joint_bundle.h has all its rows, and no axis of its bodies is locked
    std::uint8_t turnRows = 0;    // of one that fits a bundle: most rows, not counting the three that hold its point
    std::uint8_t isActive = 0;    // may add energy: a motor, a spring, a kinematic partner
    friend bool operator==(const JointLink&, const JointLink&) = default;
};

}  // namespace sunder::dynamics
