#include "dynamics/timewarp/warp_state.h"

#include "dynamics/impulse/predicted_motion.h"
#include "dynamics/integrate/free_rotation.h"
#include "dynamics/integrate/substep.h"
#include "sunder/definitions.h"

namespace sunder::dynamics {

SolverBody flown(const SolverBody& from, const SolverBodyConstants& constants, Real time, bool energyFix) {
    SolverBody body = from;
    if (!(time > 0))
        return body;
    if (!constants.isDynamic) {
        body.displacement += from.velocity * time;
        body.orientation = quatFromRotationVector(from.angularVelocity * time) * from.orientation;
        return body;
    }
    body.velocity += linearAcceleration(from, constants, time) * time;
    body.displacement += (from.velocity + body.velocity) * (time * Real(0.5));
    const bool isLocked = (constants.lockedAxes & (kLockRx | kLockRy | kLockRz)) != 0;
    const Vec3 half = from.angularVelocity + from.inverseInertia * constants.torque * (time * Real(0.5));
    const RotationState turned = advanceFreeRotation({from.orientation, half}, constants.principalInertia,
                                                     isLocked ? Vec3{} : constants.inversePrincipalInertia, time, energyFix);
    body.orientation = turned.orientation;
    body.inverseInertia = worldInverseInertia(body.orientation, constants);
    body.angularVelocity = (turned.angularVelocity + body.inverseInertia * constants.torque * (time * Real(0.5))) /
                           (1 + constants.angularDamping * time);
    return body;
}

SolverBody stateAt(const WarpStep& step, std::uint32_t body, Real time) {
    const WarpBody& warp = step.bodies[body];
    if (time == step.impulse.settings.dt)
        return warp.test;
    return flown(warp.valid, step.impulse.constants[body], time - warp.validTime, step.impulse.settings.energyFix);
}

void renewTest(WarpStep& step, std::uint32_t body) {
    WarpBody& warp = step.bodies[body];
    const ImpulseSettings& settings = step.impulse.settings;
    warp.test = flown(warp.valid, step.impulse.constants[body], settings.dt - warp.validTime, settings.energyFix);
    warp.spin = max(length(warp.valid.angularVelocity), length(warp.test.angularVelocity));
}

}  // namespace sunder::dynamics
