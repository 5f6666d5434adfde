// One step of damped integration [Egan03] 5.2, A.2:
//   1  collisions on v^n
//   2  contact on v^(n+1), from the impulses of the last step: geometric stability, pivoting where asked for, passes elsewhere
//   3  the damping model: contact damping, chatter, rest; then contact and damping again, with immovable bodies at rest
//   4  x^(n+1), by that velocity
//   5  faces that lie nearly flat are turned flat
//   6  overlaps are lifted, lowest first, velocities untouched
//   7  islands that gained energy lose it again: lifting is paid for by nothing else
// Deviations: contact starts from the impulses of the last step; what the thesis' passes, which start from nothing, do not find
// in a step keeps piles trembling. Line 3 solves twice: what lies on a body that was put to rest was solved as if that moved,
// and crept on for ever. Geometric stability stands before contact here: it then needs no state between steps. Pairs are
// visited one after the other: results do not depend on threads.
#include "world/step/damped_stepper.h"

#include "core/stopwatch.h"
#include "dynamics/analytic/analytic_contact.h"
#include "dynamics/damped/lift.h"
#include "dynamics/damped/settle.h"
#include "dynamics/damped/stability.h"
#include "dynamics/impulse/advance.h"
#include "dynamics/impulse/collision_phase.h"
#include "dynamics/impulse/joint_phase.h"
#include "dynamics/steady/steady_contact.h"
#include "world/contact/impulse_pairs.h"
#include "world/pair/scatter.h"
#include "world/step/lift_overlaps.h"
#include "world/step/phased_step.h"

namespace sunder::world {

namespace {

dynamics::ImpulseSettings dampedSettings(const WorldDef& def, std::uint64_t steps, Real dt) {
    dynamics::ImpulseSettings settings;
    settings.dt = dt;
    settings.collisionPasses = def.damped.collisionPasses;
    settings.contactPasses = def.damped.contactPasses;
    settings.shockPasses = 0;
    settings.restitutionThreshold = def.restitutionThreshold;
    settings.clampEnergy = def.impulseClamp;
    settings.energyFix = def.energyFix;
    settings.slowIsContact = true;
    settings.scatter = scatterOf(def.scatter, steps);
    return settings;
}

dynamics::DampingSettings dampingSettings(const WorldDef& def) {
    const DampedOptions& options = def.damped;
    dynamics::DampingSettings settings = liftSettings(def, options.liftRate);
    settings.contactDamping = options.contactDamping;
    settings.spinDamping = options.spinDamping;
    settings.chatterSpeed = options.chatterSpeed;
    settings.chatterDamping = options.chatterDamping;
    settings.restShare = options.restShare;
    settings.alignAngle = options.alignAngleDegrees * (kPi / 180);
    settings.alignRate = options.alignRate;
    settings.stability = options.stability;
    return settings;
}

void listRestTimes(const PagedVector<Body>& bodies, SolveState& solve) {
    solve.restTimes.assign(solve.bodies.size(), 0);
    for (std::size_t i = 0; i < solve.layout.size(); ++i)
        solve.restTimes[i + 1] = bodies[solve.layout[i]].restTime;
}

// Passes of contact, damping and positions: what the stepper is about.
void solveDamped(WorldState& world, Real dt) {
    const Stopwatch solveTime;
    listRestTimes(world.bodies, world.solve);
    dynamics::ImpulseStep step{world.solve.bodies, world.solve.constants, dampedSettings(world.def, world.clock.steps, dt),
                               world.solve.impulse};
    dynamics::DampedStep damped{step, dampingSettings(world.def), world.solve.restTimes};
    listCarriedSites(world.bodies, world.pairs, world.constraints, world.solve);
    beginStep(step);
    beginJoints(step, {}, {});
    runCollisionPhase(step);   // 1
    beginSteadyContact(step);  // 2
    world.stepStats.stableBodies = findStable(damped);
    if (world.def.damped.analytic)
        reportAnalytic(solveAnalytically(step, world.def.damped.analyticPoints), world.stepStats);
    runSteadyPasses(step);
    dampen(damped);  // 3
    if (yieldToResting(step))
        dampen(damped);
    moveSteadily(step, dynamics::Gain::ActsInFull);  // 4
    align(damped);                                   // 5
    lift(damped);                                    // 6
    world.stepStats.solveMs = solveTime.milliseconds();
    world.stepStats.clampedImpulses = step.clampedImpulses;
    world.stepStats.passesPerContact = step.settings.collisionPasses + step.settings.contactPasses;
}

}  // namespace

StepOutcome stepDamped(WorldState& world, Real dt) {
    return stepInPhases(world, dt, world.def.damped.energyGuard, solveDamped);
}

}  // namespace sunder::world
