#include "world/frame_rate_stepper.h"

#include "core/stopwatch.h"
#include "world/events.h"
#include "world/find_contacts.h"
#include "world/motion.h"

namespace sunder::world {

namespace {

dynamics::SubstepSettings substepSettings(const WorldDef& def, Real dt) {
    const FrameRateOptions& options = def.frameRate;
    dynamics::SubstepSettings settings;
    settings.dt = dt;
    // The small allowance keeps 1/30 s at 360 Hz from rounding up to 13 substeps.
    settings.substeps = static_cast<int>(max(1, std::ceil(dt * options.substepRate - Real(0.01))));
    const Real h = dt / Real(settings.substeps);
    settings.energyFix = def.energyFix;
    settings.contact.h = h;
    settings.contact.dynamicSoftness = dynamics::makeSoftness(options.contactFrequency / h, options.contactDampingRatio, h);
    settings.contact.fixedSoftness = dynamics::makeSoftness(2 * options.contactFrequency / h, options.contactDampingRatio, h);
    settings.contact.recoverySpeed = options.recoverySpeed;
    settings.contact.restitutionThreshold = def.restitutionThreshold;
    settings.contact.clampEnergy = def.impulseClamp;
    return settings;
}

}  // namespace

void stepFrameRate(WorldState& world, Real dt) {
    const dynamics::SubstepSettings settings = substepSettings(world.def, dt);
    const Real h = settings.contact.h;
    gatherBodies(world, dt);
    findContacts(world, dt, world.lastSubstep > 0 ? h / world.lastSubstep : Real(0));
    const Stopwatch solveTime;
    world.solver.run(*world.tasks, world.solverBodies, world.solverConstants, world.constraints, settings);
    world.stepStats.solveMs = solveTime.milliseconds();
    world.lastSubstep = h;
    scatterBodies(world, dt);
    reportContacts(world);
}

}  // namespace sunder::world
