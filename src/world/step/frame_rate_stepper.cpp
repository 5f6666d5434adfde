#include "world/step/frame_rate_stepper.h"

#include <algorithm>

#include "core/stopwatch.h"
#include "world/breaking/breaking.h"
#include "world/breaking/overloads.h"
#include "world/breaking/release.h"
#include "world/contact/continuous.h"
#include "world/contact/events.h"
#include "world/contact/feel.h"
#include "world/contact/find_contacts.h"
#include "world/contact/sensors.h"
#include "world/contact/step_parts.h"
#include "world/exchange/joints.h"
#include "world/exchange/motion.h"
#include "world/flesh/deformable_stage.h"
#include "world/pair/thin_contacts.h"
#include "world/step/balance_energy.h"
#include "world/step/lift_overlaps.h"
#include "world/step/shell_pass.h"
#include "world/step/steady_structures.h"
#include "world/step/step_division.h"

namespace sunder::world {

namespace {

void leaveOut(const Mechanisms& without, dynamics::ContactSettings& contact) {
    if (without.has(Mechanism::Leak))
        contact.leakRate = 0;
    if (without.has(Mechanism::GentleShare))
        contact.gentleShare = 1;
    if (without.has(Mechanism::ForgottenBlows))
        contact.blowSpeed = kInfinity;
}

dynamics::SubstepSettings substepSettings(const WorldDef& def, Real dt) {
    const FrameRateOptions& options = def.frameRate;
    dynamics::SubstepSettings settings;
    // The small allowance keeps 1/30 s at 360 Hz from rounding up to 13 substeps.
    settings.substeps = static_cast<int>(max(1, std::ceil(dt * options.substepRate - Real(0.01))));
    const Real h = dt / Real(settings.substeps);
    settings.energyFix = def.energyFix;
    settings.massRatio = options.without.has(Mechanism::HeavyBlocks) ? Real(0) : options.massRatio;
    settings.raisesInertia = !options.without.has(Mechanism::JointMass);
    settings.waiting = !options.without.has(Mechanism::Waiting);
    settings.contact.h = h;
    settings.contact.inverseH = 1 / h;
    settings.contact.recoveryRate = options.recoveryRate;
    settings.contact.leakRate = dynamics::kLeakOverRecovery * options.recoveryRate;
    settings.contact.firmRecoveryRate = dynamics::kFirmRecovery * options.recoveryRate;
    settings.contact.recoverySpeed = options.recoverySpeed;
    settings.contact.restitutionThreshold = def.restitutionThreshold;
    settings.contact.clampEnergy = def.impulseClamp;
    leaveOut(options.without, settings.contact);
    return settings;
}

void solveSubsteps(WorldState& world, const dynamics::SubstepSettings& settings) {
    const Stopwatch solveTime;
    SolveState& solve = world.solve;
    if (!world.roster.bonded.empty() && !isWithout(world.def, Mechanism::Thinning))
        solve.thinner.thin(world.bodies, world.pairs, world.constraints);
    solve.solver.run(*world.tasks, solve.bodies, solve.constants, world.constraints, solve.joints.solver, settings);
    solve.thinner.restore(world.constraints);
    world.stepStats.solveMs += solveTime.milliseconds();
}

// Without contacts and joints there is nothing to guard.
bool isStepGuarded(const WorldState& world) {
    return world.def.frameRate.energyGuard && !isWithout(world.def, Mechanism::EnergyGuard) &&
           (!world.constraints.empty() || !world.solve.joints.links.empty());
}

void beginGuard(WorldState& world) {
    if (isStepGuarded(world))
        world.solve.energyGuard.begin(*world.tasks, world.solve.bodies, world.solve.constants);
}

void findIslands(WorldState& world) {
    SolveState& solve = world.solve;
    solve.islands.build(*world.tasks, solve.constants, solve.solver.links(), solve.strikes, solve.joints.links);
}

void guardEnergy(WorldState& world, Real dt) {
    if (isStepGuarded(world))
        balanceEnergy(world.constraints, *world.tasks, world.solve, world.stepStats, world.solve.solver.links(),
                      world.solve.joints.links, dt);
}

// Gathers bodies and finds contacts at the start of a part, with the impulses of the part or step before as a first guess.
void beginPart(WorldState& world, const StepPart& part, Real h) {
    gatherBodies(world, part.toEndOfStep());
    if (wakeJoined(world))
        gatherBodies(world, part.toEndOfStep());
    findContacts(world, part, impulseScale(world.clock.pace.substep, h));
    world.clock.pace.substep = h;
}

// Solves the part that has begun. Where bodies, joints or bonds break it is solved again from its start, as if they had never
// been whole. Returns false where a blow breaks bonds and the part can be divided: then they still hold, and a shorter part is
// to be solved.
bool solvePart(WorldState& world, const StepPart& part, const dynamics::SubstepSettings& settings, Real jointScale,
               bool canDivide) {
    const Real h = settings.contact.h;
    int rewindsLeft = world.def.rewinds;
    for (int breaks = 0;; beginPart(world, part, h)) {
        gatherJoints(world, jointScale);
        if (!isWithout(world.def, Mechanism::Steadying))
            loadStructures(world, h);
        beginGuard(world);
        solveSubsteps(world, settings);
        limitFastBodies(world, part.dt);
        listFelt(world, h);
        findHits(world, part.dt);
        if (breaks < kMostBreakRounds && breakHit(world)) {
            ++breaks;
            continue;
        }
        findOverloads(world, part.dt, h);
        if (canDivide && rewindsLeft > 0 && isBondStruck(world.overloads))
            return false;
        if (rewindsLeft <= 0 || !breakOverloads(world))
            break;
        --rewindsLeft;
        ++world.stepStats.rewinds;
    }
    world.stepStats.passesPerContact += world.solve.solver.passes();
    world.stepStats.manifoldPasses +=
        static_cast<std::int64_t>(world.solve.solver.solvedManifolds()) * world.solve.solver.passes();
    world.stepStats.clampedImpulses += world.solve.solver.clampedImpulses();
    return true;
}

// isWhole: the part is the whole step.
void endPart(WorldState& world, const StepPart& part, Real h, bool isWhole) {
    keepHits(world, part.dt);
    wakeStruck(world.bodies, world.solve, world.sleep);
    findIslands(world);
    if (part.isLast() && !isWithout(world.def, Mechanism::Steadying))
        steadyStructures(world, part.dt, h);
    liftOverlaps(world, part.dt);
    guardEnergy(world, part.dt);
    keepShellsApart(world);
    senseWays(world, part.dt);
    scatterBodies(world, part.isLast());
    scatterJoints(*world.tasks, world.solve, world.joints, part.dt);
    keepLoads(world, part.dt, h, part.isLast());
    if (part.isLast())
        releaseBlows(world);
    const Lasting lasting = lastingOf(world.def);
    reportContacts(world, part.dt, lasting == Lasting::None && !isWhole ? Lasting::BegunInStep : lasting);
}

// Solves rigid bodies over a strike part: the whole step as a rule (isWhole). Returns the searches for contacts that it took.
int stepStrike(WorldState& world, const StepPart& strike, bool isWhole) {
    const Real lastSubstep = world.clock.pace.substep;
    StepPart part = strike;
    dynamics::SubstepSettings settings;
    const auto begin = [&](int parts) {
        part.dt = strike.dt / Real(parts);
        settings = substepSettings(world.def, part.dt);
        beginPart(world, part, settings.contact.h);
    };
    // A violent step is usually followed by another, so the next one is divided at once.
    const int tried = std::max(world.clock.pace.parts, 1);
    begin(tried);
    const int needed = partsNeeded(world.def, world.roster, world.search, tried), parts = std::max(needed, tried);
    if (parts > tried)
        begin(parts);
    world.clock.pace.parts = needed;
    StepDivision division(part.dt, parts, settings);
    Real lastH = lastSubstep;
    for (int searches = 1;; ++searches) {
        while (!solvePart(world, part, settings, impulseScale(lastH, settings.contact.h), division.canDivide())) {
            division.divide(part, settings);
            beginPart(world, part, settings.contact.h);
        }
        lastH = settings.contact.h;
        const bool isEnd = part.endsStrikePart();
        endPart(world, part, lastH, isWhole && isEnd && searches == 1);
        if (isEnd)
            return searches;
        division.next(part, settings);
        beginPart(world, part, settings.contact.h);
    }
}

}  // namespace

StepOutcome stepFrameRate(WorldState& world, Real dt) {
    breakWaiting(world);
    releaseWaiting(world, dt);
    int strikes = strikeParts(world, dt), searches = 0;
    if (strikes == 1)
        strikes = stepDeformables(world, {dt, world.clock.time + double(dt), false});
    const bool isMoved = strikes == 1;
    const GivenForces given(world, strikes);
    for (int i = 0; i < strikes; ++i) {
        const StepPart strike{dt / Real(strikes), dt / Real(strikes), dt / Real(strikes) * Real(strikes - 1 - i)};
        if (i > 0)
            given.restore(world);
        if (!isMoved)
            stepDeformables(world, {strike.dt, world.clock.time + double(dt - strike.later), true});
        searches += stepStrike(world, strike, strikes == 1);
    }
    if (searches > 1)
        mergeEvents(world.events.contacts, world.def.persistEvents);
    return {world.solve.solver.links(), world.solve.joints.links, world.clock.pace.parts, searches};
}

}  // namespace sunder::world
