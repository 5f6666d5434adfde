// What a stepper hands to the end of the step.
#pragma once

#include <span>

#include "world/state/state.h"

namespace sunder::world {

// What a stepper leaves for the end of the step. The links say who acted on whom: sleep goes by them.
struct StepOutcome {
    std::span<const dynamics::ContactLink> links;  // one per constraint of WorldState::constraints
    std::span<const dynamics::JointLink> joints;
    int parts = 0;     // into which the step was divided because it was violent; the next one begins with as many
    int searches = 0;  // for contacts: one per part, with those that breaking bonds asked for
};

}  // namespace sunder::world
