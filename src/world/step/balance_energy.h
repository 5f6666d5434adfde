// What both steppers end with: no island keeps energy that nothing gave it (dynamics/island/energy_guard.h).
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// links, joints, and the world's strikes: what acted in the step. EnergyGuard::begin was called before it.
inline void balanceEnergy(WorldState& world, std::span<const dynamics::ContactLink> links,
                          std::span<const dynamics::JointLink> joints, Real dt) {
    world.islands.build(*world.tasks, world.solverConstants, links, world.strikes, joints);
    world.energyGuard.finish(*world.tasks, world.solverBodies, world.solverConstants, world.constraints, links, world.strikes,
                             joints, world.islands, dt);
    world.stepStats.guardedIslands += world.energyGuard.guardedIslands();
    world.stepStats.guardedEnergy += world.energyGuard.removedEnergy();
}

}  // namespace sunder::world
