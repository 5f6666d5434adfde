#include "world/step/steppers.h"

#include "world/breaking/overloads.h"
#include "world/commit/denting.h"
#include "world/commit/joints.h"
#include "world/query/queries.h"
#include "world/sleep/sleep.h"
#include "world/step/damped_stepper.h"
#include "world/step/frame_rate_stepper.h"
#include "world/step/impulse_stepper.h"
#include "world/step/timewarp_stepper.h"

namespace sunder::world {

const StepperEntry& entryOf(Stepper stepper) {
    static constexpr StepperEntry kFrameRate{"frame_rate", abilitiesOf(Stepper::FrameRate), stepFrameRate};
    static constexpr StepperEntry kImpulse{"impulse", abilitiesOf(Stepper::Impulse), stepImpulse};
    static constexpr StepperEntry kDamped{"damped", abilitiesOf(Stepper::Damped), stepDamped};
    static constexpr StepperEntry kTimewarp{"timewarp", abilitiesOf(Stepper::Timewarp), stepTimewarp};
    static constexpr StepperEntry kTimewarpSafer{"timewarp_safer", abilitiesOf(Stepper::TimewarpSafer), stepTimewarp};
    switch (stepper) {
        case Stepper::FrameRate: return kFrameRate;
        case Stepper::Impulse: return kImpulse;
        case Stepper::Damped: return kDamped;
        case Stepper::Timewarp: return kTimewarp;
        case Stepper::TimewarpSafer: return kTimewarpSafer;
    }
    return kFrameRate;
}

std::string steppersWith(bool StepperAbilities::*ability) {
    std::string names;
    for (const Stepper stepper :
         {Stepper::FrameRate, Stepper::Impulse, Stepper::Damped, Stepper::Timewarp, Stepper::TimewarpSafer})
        if (abilitiesOf(stepper).*ability)
            names += (names.empty() ? "" : " or ") + std::string(entryOf(stepper).name);
    return names;
}

void stepBy(const StepperEntry& stepper, WorldState& world, Real dt) {
    const StepOutcome outcome = stepper.step(world, dt);
    world.clock.time += double(dt);
    ++world.clock.steps;
    world.clock.pace.parts = outcome.parts;
    world.stepStats.searches = outcome.searches;
    if (stepper.abilities.sleeping)
        putToSleep(world, outcome.links, outcome.joints, dt);
    if (stepper.abilities.joints) {
        breakOverloads(world);  // what no rewind was left for
        reportJoints(world.events);
    }
    applyDents(world);
    settleProxies(world);
}

}  // namespace sunder::world
