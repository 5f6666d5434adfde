// What the stages of the damped step share beside the impulse scheme's data [Egan03] 5.2 to 5.4.
#pragma once

#include <span>
#include <vector>

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// The constants of the damping model. sunder/definitions.h (DampedOptions) says what each is for.
struct DampingSettings {
    Real contactDamping = 0, spinDamping = 0, chatterDamping = 0;  // 1/s
    Real chatterSpeed = 0;                                         // share of sqrt(g r)
    Real restShare = 0;                                            // share of g dt
    Real alignAngle = 0;                                           // rad
    Real alignRate = 0, liftRate = 0;                              // 1/s
    bool stability = true;
    Vec3 up;  // against gravity; zero where there is none
};

struct DampedStep {
    ImpulseStep& impulse;
    DampingSettings settings;
    std::span<const Real> restTimes;  // s, per body: how long it has been at one place on average
};

}  // namespace sunder::dynamics
