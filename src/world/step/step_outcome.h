// What a stepper hands to the end of the step.
#pragma once

#include <span>

#include "world/state/state.h"

namespace sunder::world {

// The links say who acted on whom in the step; what falls asleep together follows from them.
struct StepOutcome {
    std::span<const dynamics::ContactLink> links;  // one per constraint of WorldState::constraints
    std::span<const dynamics::JointLink> joints;
    int parts = 0;  // into which the step was divided; 0 where the stepper does not divide steps
};

}  // namespace sunder::world
