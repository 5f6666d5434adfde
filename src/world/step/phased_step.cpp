#include "world/step/phased_step.h"

#include "world/breaking/breaking.h"
#include "world/contact/events.h"
#include "world/contact/feel.h"
#include "world/contact/find_contacts.h"
#include "world/contact/impulse_pairs.h"
#include "world/contact/sensors.h"
#include "world/exchange/motion.h"
#include "world/step/balance_impulses.h"
#include "world/step/shell_pass.h"

namespace sunder::world {

StepOutcome stepInPhases(WorldState& world, Real dt, bool isGuarded, void (*solve)(WorldState& world, Real dt)) {
    breakWaiting(world);
    gatherBodies(world, dt);
    // Here for its pairs and, in `damped`, for the impulses to start from; other phases look again where bodies will be.
    findContacts(world, {dt, dt}, impulseScale(world.clock.pace.substep, dt));
    world.clock.pace.substep = dt;
    listImpulsePairs(world.bodies, world.pairs, world.constraints, world.solve);
    if (isGuarded)
        world.solve.energyGuard.begin(*world.tasks, world.solve.bodies, world.solve.constants);
    solve(world, dt);

    storeImpulses(world.pairs, world.constraints, world.solve);
    listFelt(world, dt);
    findHits(world, dt);
    keepHits(world, dt);
    if (isGuarded)
        balanceImpulses(world.constraints, *world.tasks, world.solve, world.stepStats, dt);
    else
        listImpulseLinks(world.constraints, world.solve);
    keepShellsApart(world);
    senseWays(world, dt);
    scatterBodies(world, true);
    reportContacts(world, 0, lastingOf(world.def));
    return {world.solve.impulse.links, {}, 0, 0};
}

}  // namespace sunder::world
