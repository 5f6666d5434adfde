#include "world/frame_rate_stepper.h"

#include "core/stopwatch.h"
#include "world/breaking.h"
#include "world/continuous.h"
#include "world/events.h"
#include "world/find_contacts.h"
#include "world/joints.h"
#include "world/motion.h"
#include "world/overloads.h"
#include "world/sleep.h"
#include "world/thin_contacts.h"

namespace sunder::world {

namespace {

// A contact must forget at least as fast as it repairs, or tall stacks sway themselves apart (see soft_contact.h).
constexpr Real kLeakOverRecovery = Real(1.2);

dynamics::SubstepSettings substepSettings(const WorldDef& def, Real dt) {
    const FrameRateOptions& options = def.frameRate;
    dynamics::SubstepSettings settings;
    // The small allowance keeps 1/30 s at 360 Hz from rounding up to 13 substeps.
    settings.substeps = static_cast<int>(max(1, std::ceil(dt * options.substepRate - Real(0.01))));
    const Real h = dt / Real(settings.substeps);
    settings.energyFix = def.energyFix;
    settings.massRatio = options.massRatio;
    settings.contact.h = h;
    settings.contact.inverseH = 1 / h;
    settings.contact.recoveryRate = options.recoveryRate;
    settings.contact.leakRate = kLeakOverRecovery * options.recoveryRate;
    settings.contact.recoverySpeed = options.recoverySpeed;
    settings.contact.restitutionThreshold = def.restitutionThreshold;
    settings.contact.clampEnergy = def.impulseClamp;
    return settings;
}

void solveSubsteps(WorldState& world, const dynamics::SubstepSettings& settings) {
    const Stopwatch solveTime;
    thread_local ContactThinner thinner;  // for its memory
    thinner.thin(world);
    world.solver.run(*world.tasks, world.solverBodies, world.solverConstants, world.constraints, world.jointSolver, settings);
    thinner.restore(world);
    world.stepStats.solveMs += solveTime.milliseconds();
    world.stepStats.passesPerContact = world.solver.passes();
    world.stepStats.clampedImpulses = world.solver.clampedImpulses();
}

// Without contacts there is nothing to guard.
bool isGuarded(const WorldState& world) { return world.def.frameRate.energyGuard && !world.constraints.empty(); }

void beginGuard(WorldState& world) {
    if (isGuarded(world))
        world.energyGuard.begin(*world.tasks, world.solverBodies, world.solverConstants);
}

void guardEnergy(WorldState& world, Real dt) {
    if (!isGuarded(world))
        return;
    world.islands.build(world.solverConstants, world.solver.links(), world.strikes, world.jointLinks);
    world.energyGuard.finish(*world.tasks, world.solverBodies, world.solverConstants, world.constraints, world.solver.links(),
                             world.strikes, world.jointLinks, world.islands, dt);
    world.stepStats.guardedIslands = world.energyGuard.guardedIslands();
    world.stepStats.guardedEnergy = world.energyGuard.removedEnergy();
}

// Of the impulses to start from: those of the last step, or of the solve before, which has the same substeps.
Real impulseScale(const WorldState& world, const dynamics::SubstepSettings& settings, int round) {
    if (round > 0)
        return 1;
    return world.lastSubstep > 0 ? settings.contact.h / world.lastSubstep : Real(0);
}

}  // namespace

void stepFrameRate(WorldState& world, Real dt) {
    const dynamics::SubstepSettings settings = substepSettings(world.def, dt);
    const Real h = settings.contact.h;
    breakWaiting(world);
    releaseWaiting(world, dt);
    for (int round = 0, breaks = 0;; ++round) {
        gatherBodies(world, dt);
        const Real scale = impulseScale(world, settings, round);
        findContacts(world, dt, scale);
        gatherJoints(world, h, scale);
        beginGuard(world);
        solveSubsteps(world, settings);
        findHits(world, dt);
        if (breaks < kMostRounds && breakHit(world)) {
            ++breaks;
            continue;
        }
        findOverloads(world, dt, h);
        if (world.stepStats.rewinds >= world.def.rewinds || !breakOverloads(world))
            break;
        ++world.stepStats.rewinds;
    }
    keepHits(world, dt);
    limitFastBodies(world, dt);
    guardEnergy(world, dt);
    scatterBodies(world, dt);
    scatterJoints(world, dt);
    keepLoads(world, dt, h);
    reportContacts(world);
    world.lastSubstep = h;
    putToSleep(world, dt);
    breakOverloads(world);  // what no rewind was left for
    reportJoints(world);
}

}  // namespace sunder::world
