// What both steppers end with: no island keeps energy that nothing gave it (dynamics/island/energy_guard.h).
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// links, joints, and the world's strikes: what acted in the step. EnergyGuard::begin was called before it.
inline void balanceEnergy(WorldState& world, std::span<const dynamics::ContactLink> links,
                          std::span<const dynamics::JointLink> joints, Real dt) {
    world.solve.islands.build(*world.tasks, world.solve.constants, links, world.solve.strikes, joints);
    world.solve.energyGuard.finish(*world.tasks, world.solve.bodies, world.solve.constants, world.constraints, links,
                                   world.solve.strikes, joints, world.solve.islands, dt);
    world.stepStats.guardedIslands += world.solve.energyGuard.guardedIslands();
    world.stepStats.guardedEnergy += world.solve.energyGuard.removedEnergy();
}

}  // namespace sunder::world
