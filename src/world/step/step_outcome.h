// What a stepper hands to the end of the step.
#pragma once

#include <span>

#include "world/state/state.h"

namespace sunder::world {

// The links say who acted on whom in the step; what falls asleep together follows from them.
struct StepOutcome {
    std::span<const dynamics::ContactLink> links;  // one per constraint of WorldState::constraints
    std::span<const dynamics::JointLink> joints;
    int parts = 0;     // into which it was divided as a violent step, 0 if the stepper never does; the next begins with as many
    int searches = 0;  // for contacts: one per part, with those that breaking bonds asked for
};

}  // namespace sunder::world
