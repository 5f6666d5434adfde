// All steppers, and what every step begins and ends with whichever of them runs. To add one: its name in sunder/definitions.h
// and describe.h, what it can do in sunder/steppers.h, a file beside this one that reads as the list of its stages, and its
// line in the table of steppers.cpp.
#pragma once

#include <string>

#include "sunder/steppers.h"
#include "world/step/step_outcome.h"

namespace sunder::world {

struct StepperEntry {
    const char* name = "";
    StepperAbilities abilities;
    StepOutcome (*step)(WorldState& world, Real dt) = nullptr;
};

const StepperEntry& entryOf(Stepper stepper);
// The names of those that can do something, for messages: "frame_rate or impulse".
std::string steppersWith(bool StepperAbilities::*ability);

// One whole step: the stepper's own stages, then what is common to all.
void stepBy(const StepperEntry& stepper, WorldState& world, Real dt);

}  // namespace sunder::world
