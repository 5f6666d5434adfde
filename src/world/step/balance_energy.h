// Removes energy that islands gained from nothing (dynamics/island/energy_guard.h), for both steppers.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// links, joints and SolveState::strikes: who acted on whom in the step, of which SolveState::islands were built.
// EnergyGuard::begin must have been called before the step.
inline void balanceEnergy(const PagedVector<dynamics::ContactConstraint>& constraints, TaskRunner& tasks, SolveState& solve,
                          WorldStats& stepStats, std::span<const dynamics::ContactLink> links,
                          std::span<const dynamics::JointLink> joints, Real dt) {
    solve.energyGuard.finish(tasks, solve.bodies, solve.constants, constraints, links, solve.strikes, joints, solve.islands,
                             dt);
    stepStats.guardedIslands += solve.energyGuard.guardedIslands();
    stepStats.guardedEnergy += solve.energyGuard.removedEnergy();
}

}  // namespace sunder::world
