// The interpenetration fix [Egan03] 4.4 as an option of every stepper, `lift_rate`.
#pragma once

#include "dynamics/damped/lift.h"
#include "world/contact/impulse_pairs.h"
#include "world/state/state.h"

namespace sunder::world {

inline dynamics::DampingSettings liftSettings(const WorldDef& def, Real liftRate) {
    dynamics::DampingSettings settings;
    settings.liftRate = liftRate;
    settings.up = normalizeOr(-def.gravity, {});
    return settings;
}

// Of `frame_rate`, between the solver and the scattering of its results; dt (s) is what was solved.
inline void liftOverlaps(WorldState& world, Real dt) {
    if (!(world.def.frameRate.liftRate > 0))
        return;
    listImpulsePairs(world.bodies, world.pairs, world.constraints, world.solve);
    listCarriedSites(world.bodies, world.pairs, world.constraints, world.solve);
    dynamics::ImpulseStep step{world.solve.bodies, world.solve.constants, {}, world.solve.impulse};
    step.settings.dt = dt;
    dynamics::DampedStep lifted{step, liftSettings(world.def, world.def.frameRate.liftRate), {}};
    liftCarried(lifted);
}

}  // namespace sunder::world
