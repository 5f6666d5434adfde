// One step of [SSF08] with the phases of [GBF03] and the fixes of [Su09] 2, 3.2:
//   1  v~^(n+1/2) = v^n + dt/2 a
//   2  collisions on v^n, also applied to v~^(n+1/2)          clamped where and when they happen
//   3  contact on v~^(n+1/2) -> v^(n+1/2)                     not clamped
//   4  x^(n+1) = x^n + dt v^(n+1/2), rotation with the energy fix
//   5  v^(n+1) = v^n + dt a; the impulses of line 3 are dropped
//   6  contact on v^(n+1)                                     clamped against x^(n+1), v^(n+1)
//      overlaps are lifted, where asked for (lift_rate)
//   7  islands that gained energy lose it again               what lines 3 and 4 hold up or lift is paid for by nothing else
// Joints act in lines 2, 3 and 6 (dynamics/impulse/joint_phase.h). The phases say in their own files where they depart from the
// papers. Pairs are visited one after the other, in the order of the broad phase: results do not depend on threads.
//   [Su09] 4.2, [Li18] 4: all of this is proposed on copies of the bodies. Where it breaks a body, a joint or a bond, it is
//   taken
// back, and the step is solved again with what is left of them.
#include "world/step/impulse_stepper.h"

#include "core/stopwatch.h"
#include "dynamics/impulse/advance.h"
#include "dynamics/impulse/collision_phase.h"
#include "dynamics/impulse/contact_phase.h"
#include "dynamics/impulse/joint_phase.h"
#include "world/breaking/breaking.h"
#include "world/breaking/overloads.h"
#include "world/breaking/release.h"
#include "world/contact/events.h"
#include "world/contact/feel.h"
#include "world/contact/find_contacts.h"
#include "world/contact/impulse_pairs.h"
#include "world/contact/sensors.h"
#include "world/exchange/joints.h"
#include "world/exchange/motion.h"
#include "world/pair/scatter.h"
#include "world/step/balance_impulses.h"
#include "world/step/lift_overlaps.h"
#include "world/step/raised_inertia.h"
#include "world/step/shell_pass.h"

namespace sunder::world {

namespace {

dynamics::ImpulseSettings settingsOf(const WorldDef& def, std::uint64_t steps, Real dt) {
    dynamics::ImpulseSettings settings;
    settings.dt = dt;
    settings.collisionPasses = def.impulse.collisionPasses;
    settings.contactPasses = def.impulse.contactPasses;
    settings.shockPasses = def.impulse.shockPasses;
    settings.restitutionThreshold = def.restitutionThreshold;
    settings.clampEnergy = def.impulseClamp;
    settings.energyFix = def.energyFix;
    settings.oneStepRotation = def.impulse.rotation == RotationStep::OneStep;
    // What would not bounce is contact; with a lower threshold even what gravity gave in a step may.
    settings.slowIsContact = def.restitutionThreshold >= length(def.gravity) * dt;
    settings.scatter = scatterOf(def.scatter, steps);
    return settings;
}

void gather(WorldState& world, Real dt) {
    gatherBodies(world, dt);
    // Here for its pairs and for the impulses to start from; the phases look again where bodies will be.
    findContacts(world, {dt, dt}, impulseScale(world.clock.pace.substep, dt));
    world.clock.pace.substep = dt;
    listImpulsePairs(world.bodies, world.pairs, world.constraints, world.solve);
    listCarriedSites(world.bodies, world.pairs, world.constraints, world.solve);
    gatherJoints(world, 0);
    raiseInertia(world.joints, world.solve, dt);
}

bool areImpulsesGuarded(const WorldState& world) {
    return world.def.impulse.energyGuard && (world.solve.impulse.pairCount > 0 || !world.solve.joints.links.empty());
}

void solve(WorldState& world, Real dt) {
    if (areImpulsesGuarded(world))
        world.solve.energyGuard.begin(*world.tasks, world.solve.bodies, world.solve.constants);
    const Stopwatch solveTime;
    dynamics::ImpulseStep step{world.solve.bodies, world.solve.constants, settingsOf(world.def, world.clock.steps, dt),
                               world.solve.impulse};
    std::vector<dynamics::JointConstraint*> joints;
    for (std::size_t i = 0; i < world.solve.joints.links.size(); ++i)
        joints.push_back(&world.solve.joints.solver.constraint(world.solve.joints.solver.place(i).index));
    beginStep(step);
    beginJoints(step, joints, world.solve.joints.links);
    runCollisionPhase(step);   // 2, on v^n; what it changes in v~^(n+1/2) is taken up by the next line
    startHalfStep(step);       // 1
    runPositionContact(step);  // 3
    advancePositions(step);    // 4, 5
    restoreAngularMomentum(step);
    runVelocityContact(step);  // 6
    dynamics::DampedStep lifted{step, liftSettings(world.def, world.def.impulse.liftRate), {}};
    lift(lifted);
    world.stepStats.solveMs += solveTime.milliseconds();
    world.stepStats.clampedImpulses = step.clampedImpulses;
    world.stepStats.passesPerContact = passesPerContact(step.settings);
    storeImpulses(world.pairs, world.constraints, world.solve);
}

// Whether what was solved breaks something; then the bodies are no longer those that were solved.
bool breakBySolve(WorldState& world, Real dt, int& roundsLeft, int& rewindsLeft) {
    listFelt(world, dt);
    findHits(world, dt);
    if (roundsLeft > 0 && breakHit(world)) {
        --roundsLeft;
        return true;
    }
    findOverloads(world, dt, dt);
    if (rewindsLeft <= 0 || !breakOverloads(world))
        return false;
    --rewindsLeft;
    ++world.stepStats.rewinds;
    return true;
}

}  // namespace

StepOutcome stepImpulse(WorldState& world, Real dt) {
    breakWaiting(world);
    releaseWaiting(world, dt);
    int roundsLeft = kMostBreakRounds, rewindsLeft = world.def.rewinds;
    do {
        gather(world, dt);
        solve(world, dt);
    } while (breakBySolve(world, dt, roundsLeft, rewindsLeft));
    keepHits(world, dt);
    if (areImpulsesGuarded(world))
        balanceImpulses(world.constraints, *world.tasks, world.solve, world.stepStats, dt);
    keepShellsApart(world);
    senseWays(world, dt);
    scatterBodies(world, true);
    scatterJoints(*world.tasks, world.solve, world.joints, dt);
    keepLoads(world, dt, dt, true);
    releaseBlows(world);
    reportContacts(world, 0, lastingOf(world.def));
    return {};
}

}  // namespace sunder::world
