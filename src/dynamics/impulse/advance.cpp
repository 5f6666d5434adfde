// [SSF08]: the velocity that moves positions lives in the middle of the step, so that free flight is exact.
// [Su09] 2: the rotation keeps angular momentum and energy.
#include "dynamics/impulse/advance.h"

#include "dynamics/impulse/predicted_motion.h"
#include "dynamics/integrate/free_rotation.h"
#include "dynamics/integrate/one_step_rotation.h"
#include "dynamics/integrate/substep.h"
#include "sunder/definitions.h"

namespace sunder::dynamics {

namespace {

Vec3 angularMomentum(const SolverBodyConstants& constants, const Quat& orientation, const Vec3& w) {
    return rotate(orientation, multiply(constants.principalInertia, inverseRotate(orientation, w)));
}

void advanceBody(SolverBody& body, const SolverBodyConstants& constants, const Momentary& kept,
                 const ImpulseSettings& settings) {
    const Real dt = settings.dt;
    body.displacement = body.velocity * dt;
    const bool locked = (constants.lockedAxes & kRotationLocks) != 0;
    const Quat start = body.orientation;
    const Vec3 half = body.angularVelocity;
    const auto advance = settings.oneStepRotation ? advanceByOneStep : advanceFreeRotation;
    const RotationState turned = advance({start, half}, constants.principalInertia,
                                         locked ? Vec3{} : constants.inversePrincipalInertia, dt, settings.energyFix);
    body.orientation = turned.orientation;
    body.velocity = kept.velocity;
    body.angularVelocity = kept.angularVelocity;
    if (!constants.isDynamic)
        return;
    body.velocity += linearAcceleration(body, constants, dt) * dt;
    if (locked) {
        body.angularVelocity += angularAcceleration(body, constants, dt) * dt;
        body.inverseInertia = worldInverseInertia(body.orientation, constants);
        return;
    }
    // Takes the impulses of the first contact phase, which turned the body, out of its angular momentum again.
    const Vec3 change = angularMomentum(constants, start, kept.angularVelocity - half) + constants.torque * dt;
    body.inverseInertia = worldInverseInertia(body.orientation, constants);
    body.angularVelocity = (turned.angularVelocity + body.inverseInertia * change) / (1 + constants.angularDamping * dt);
}

}  // namespace

void beginStep(ImpulseStep& step) {
    step.scratch.setback.assign(step.bodies.size(), {});
    step.scratch.lastImpact.assign(step.bodies.size(), 0);
    step.scratch.kept.assign(step.bodies.size(), {});
    for (ImpulsePair& pair : step.pairs()) {
        pair.sites.clear();
        pair.previousSites.clear();
        pair.report.clear();
    }
}

Momentary givenByForces(const ImpulseStep& step, std::size_t body, Real time) {
    const SolverBody& moved = step.bodies[body];
    const SolverBodyConstants& constants = step.constants[body];
    return {linearAcceleration(moved, constants, step.settings.dt) * time,
            angularAcceleration(moved, constants, step.settings.dt) * time};
}

void startHalfStep(ImpulseStep& step) {
    const Real dt = step.settings.dt;
    for (std::size_t i = 0; i < step.bodies.size(); ++i) {
        SolverBody& body = step.bodies[i];
        step.scratch.kept[i] = {body.velocity, body.angularVelocity};
        if (!step.constants[i].isDynamic)
            continue;
        const Momentary given = givenByForces(step, i, dt * Real(0.5));
        body.velocity += given.velocity + step.scratch.setback[i] / dt;
        body.angularVelocity += given.angularVelocity;
    }
}

void advancePositions(ImpulseStep& step) {
    for (std::size_t i = 0; i < step.bodies.size(); ++i)
        advanceBody(step.bodies[i], step.constants[i], step.scratch.kept[i], step.settings);
}

}  // namespace sunder::dynamics
