// Who acted on whom in a step of the impulse scheme, and the guard on the energy of its islands.
#pragma once

#include "world/step/balance_energy.h"

namespace sunder::world {

// Fills SolveState::impulse.links, one per constraint, after storeImpulses.
inline void listImpulseLinks(const PagedVector<dynamics::ContactConstraint>& constraints, SolveState& solve) {
    std::vector<dynamics::ContactLink>& links = solve.impulse.links;
    links.clear();
    for (const dynamics::ContactConstraint& constraint : constraints) {
        links.push_back(linkOf(constraint));
        links.back().carriedLoad = carriedLoad(constraint);
    }
}

// Pairs that a phase moved count as strikes, since what moved them is in no velocity and no constraint; and so do joints: what
// hangs on them alone is guarded too.
inline void balanceImpulses(const PagedVector<dynamics::ContactConstraint>& constraints, TaskRunner& tasks, SolveState& solve,
                            WorldStats& stepStats, Real dt) {
    listImpulseLinks(constraints, solve);
    solve.strikes.clear();
    for (std::size_t i = 0; i < solve.impulse.pairCount; ++i)
        if (const dynamics::ImpulsePair& pair = solve.impulse.pairs[i]; pair.positionPhase.moved)
            solve.strikes.push_back({pair.a.body, pair.b.body});
    for (const dynamics::JointLink& joint : solve.joints.links)
        solve.strikes.push_back({joint.bodyA, joint.bodyB});
    solve.islands.build(tasks, solve.constants, solve.impulse.links, solve.strikes, solve.joints.links);
    balanceEnergy(constraints, tasks, solve, stepStats, solve.impulse.links, solve.joints.links, dt);
}

}  // namespace sunder::world
