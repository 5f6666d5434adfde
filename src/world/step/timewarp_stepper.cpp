// One step of the modified timewarp [Egan03] 5.1, A.1:
//   1  collisions one by one, in the order of time, each of which moves the valid states of two bodies only
//   2  contact on v^(n+1) from the impulses of the last step, by pivoting where asked for, by passes elsewhere
//   3  x^(n+1): by that velocity, by the mean of it and v^n where a held body gains speed; where contact did nothing, the test
//      state
//   4  overlaps are lifted, lowest first, velocities untouched
//   5  islands that gained energy lose it again
// Line 2 and, but for the mean, line 3 are those of `damped`: the thesis did not manage to join contact forces with collisions
// in the order of time. `timewarp_safer` differs in line 1 only. The first search for collisions runs on all threads, pair by
// pair; what follows is done in the order of time: results do not depend on threads.
#include "world/step/timewarp_stepper.h"

#include "core/stopwatch.h"
#include "dynamics/analytic/analytic_contact.h"
#include "dynamics/damped/lift.h"
#include "dynamics/damped/stability.h"
#include "dynamics/impulse/advance.h"
#include "dynamics/impulse/joint_phase.h"
#include "dynamics/steady/steady_contact.h"
#include "dynamics/timewarp/meeting.h"
#include "dynamics/timewarp/timewarp.h"
#include "world/contact/impulse_pairs.h"
#include "world/pair/scatter.h"
#include "world/step/lift_overlaps.h"
#include "world/step/phased_step.h"
#include "world/step/timewarp_neighbours.h"

namespace sunder::world {

namespace {

// Share of the step's fall that the last pass over contacts may change at a point. What passes leave moves the bodies, and here
// nothing damps it: with 0.02 it was 6 mm/s at 30 Hz, and boxes in a pile trembled so for ever.
constexpr Real kUndampedShare = Real(0.002);

dynamics::ImpulseSettings impulseSettings(const WorldDef& def, std::uint64_t steps, Real dt) {
    dynamics::ImpulseSettings settings;
    settings.dt = dt;
    settings.collisionPasses = 0;
    settings.contactPasses = def.timewarp.contactPasses;
    settings.shockPasses = def.timewarp.shockPasses;
    // Contact would otherwise wait for collisions that never come: those of bodies at rest.
    settings.restitutionThreshold = max(def.restitutionThreshold, dynamics::kSlowShare * length(def.gravity) * dt);
    settings.clampEnergy = def.impulseClamp;
    settings.energyFix = def.energyFix;
    settings.scatter = scatterOf(def.scatter, steps);
    return settings;
}

void reportCollisions(WorldState& world, const dynamics::WarpStep& warp) {
    for (const dynamics::WarpCollision& collision : warp.collisions) {
        const ContactPair& pair = world.pairs[collision.source];
        const bool isSwapped = world.bodies[pair.bodyA].serial > world.bodies[pair.bodyB].serial;
        const BodyId a{pair.bodyA, world.bodies[pair.bodyA].generation}, b{pair.bodyB, world.bodies[pair.bodyB].generation};
        world.events.collisions.push_back({isSwapped ? b : a, isSwapped ? a : b, world.clock.time + double(collision.time),
                                           collision.speed, collision.impulse});
    }
    world.stepStats.collisions = static_cast<int>(warp.collisions.size());
    world.stepStats.cutCollisions = warp.cut;
    world.stepStats.missedCollisions = warp.missed;
}

void collideInOrder(WorldState& world, dynamics::WarpStep& warp, Real dt) {
    BroadNeighbours neighbours(world, dt);
    runTimewarp(warp, neighbours, *world.tasks);
    neighbours.sortPairs();
    reportCollisions(world, warp);
}

void solveTimewarp(WorldState& world, Real dt) {
    const Stopwatch solveTime;
    const TimewarpOptions& options = world.def.timewarp;
    dynamics::ImpulseStep step{world.solve.bodies, world.solve.constants, impulseSettings(world.def, world.clock.steps, dt),
                               world.solve.impulse};
    dynamics::WarpStep warp{step, {world.def.stepper == Stepper::TimewarpSafer, options.swept, options.eventsPerBody}};
    dynamics::DampedStep lifted{step, liftSettings(world.def, options.liftRate), {}};
    listCarriedSites(world.bodies, world.pairs, world.constraints, world.solve);
    beginStep(step);
    beginJoints(step, {}, {});
    collideInOrder(world, warp, dt);  // 1
    startContact(warp);
    beginSteadyContact(step);  // 2
    if (options.analytic) {
        world.stepStats.stableBodies = findStable(lifted);
        reportAnalytic(solveAnalytically(step, options.analyticPoints), world.stepStats);
    }
    runSteadyPasses(step, kUndampedShare, dynamics::Visits::Unsettled);
    finishPositions(warp);  // 3
    lift(lifted);           // 4
    world.stepStats.solveMs = solveTime.milliseconds();
    world.stepStats.clampedImpulses = step.clampedImpulses;
    world.stepStats.passesPerContact = step.settings.contactPasses + step.settings.shockPasses * dynamics::kLevelPasses;
}

}  // namespace

StepOutcome stepTimewarp(WorldState& world, Real dt) {
    return stepInPhases(world, dt, world.def.timewarp.energyGuard, solveTimewarp);
}

}  // namespace sunder::world
