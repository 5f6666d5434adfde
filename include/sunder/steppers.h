// What each stepper can do, in one table: code that depends on it asks here.
#pragma once

#include "sunder/definitions.h"

namespace sunder {

struct StepperAbilities {
    bool joints = false;         // joints are solved
    bool bonds = false;          // bonds of bodies are watched, and break
    bool breaking = false;       // bodies break
    bool sleeping = false;       // bodies at rest are put aside
    bool substeps = false;       // a step is cut into substeps
    bool keepsContacts = false;  // manifolds of the last step may serve the next one
};

constexpr StepperAbilities abilitiesOf(Stepper stepper) {
    switch (stepper) {
        case Stepper::FrameRate:
            return {.joints = true, .bonds = true, .breaking = true, .sleeping = true, .substeps = true, .keepsContacts = true};
        case Stepper::Impulse: return {.joints = true, .bonds = true, .breaking = true};
        case Stepper::Damped:
        case Stepper::Timewarp:
        case Stepper::TimewarpSafer: return {.breaking = true, .sleeping = true};
    }
    return {};
}

}  // namespace sunder
