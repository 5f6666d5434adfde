// What carries each body: the places where it rests on others, with the load on each.
#pragma once

#include <vector>

#include "dynamics/damped/damped_state.h"

namespace sunder::dynamics {

// One place where a body rests on another.
struct Foothold {
    std::uint32_t carrier = kFixedBody;
    Vec3 normal;           // towards the body that rests
    Vec3 arm, carrierArm;  // from the two centres to the place
    Vec3 surfaceVelocity;  // m/s: of the carrier's surface over the carrier, as a conveyor's
    Real load = 0;         // N s in this step
    Real separation = 0;   // m
    std::uint32_t pair = 0;
};

class Carriers {
public:
    // Needs the sites of the contact phase and the contact graph. A body is carried by bodies of a lower level; where none of
    // those bears a load, by all that it touches.
    explicit Carriers(const ImpulseStep& step);

    // Bodies that rest on something that bears a load, and stand on the ground; lowest first.
    const std::vector<std::uint32_t>& bodies() const { return bodies_; }
    std::span<const Foothold> of(std::uint32_t body) const {
        return std::span<const Foothold>(footholds_).subspan(first_[body], first_[body + 1] - first_[body]);
    }

private:
    std::vector<std::uint32_t> first_, bodies_;
    std::vector<Foothold> footholds_;
};

}  // namespace sunder::dynamics
