// What both steppers end with: no island keeps energy that nothing gave it (dynamics/island/energy_guard.h).
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// links, joints, and the world's strikes: what acted in the step. EnergyGuard::begin was called before it.
inline void balanceEnergy(const PagedVector<dynamics::ContactConstraint>& constraints, TaskRunner& tasks, SolveState& solve,
                          WorldStats& stepStats, std::span<const dynamics::ContactLink> links,
                          std::span<const dynamics::JointLink> joints, Real dt) {
    solve.islands.build(tasks, solve.constants, links, solve.strikes, joints);
    solve.energyGuard.finish(tasks, solve.bodies, solve.constants, constraints, links, solve.strikes, joints, solve.islands,
                             dt);
    stepStats.guardedIslands += solve.energyGuard.guardedIslands();
    stepStats.guardedEnergy += solve.energyGuard.removedEnergy();
}

}  // namespace sunder::world
