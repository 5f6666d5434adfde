#include "world/step/raised_inertia.h"

#include "dynamics/integrate/substep.h"

namespace sunder::world {

void raiseInertia(std::span<const Joint> joints, SolveState& solve, Real dt) {
    constexpr Real kSteady = 2;                        // 1 / (omega dt)^2 at omega dt = 0.7, see raised_inertia.h
    std::vector<Real> needed(solve.bodies.size(), 0);  // kg m^2
    for (std::size_t i = 0; i < solve.joints.links.size(); ++i) {
        const dynamics::JointConstraint& joint = solve.joints.solver.constraint(solve.joints.solver.place(i).index);
        if (!joint.spec.isCompliant())
            continue;
        const Real pull = kSteady * dt * dt * length(joints[solve.joints.active[i]].force);
        needed[joint.bodyA] += pull * length(joint.frameA.position);
        needed[joint.bodyB] += pull * length(joint.frameB.position);
    }
    for (std::size_t i = 0; i < needed.size(); ++i) {
        dynamics::SolverBodyConstants& own = solve.constants[i];
        const Real least = min(own.principalInertia.x, min(own.principalInertia.y, own.principalInertia.z));
        if (!own.isDynamic || !(needed[i] > least))
            continue;
        const Real factor = needed[i] / least;
        own.principalInertia = own.principalInertia * factor;
        own.inversePrincipalInertia = own.inversePrincipalInertia * (1 / factor);
        solve.bodies[i].inverseInertia = dynamics::worldInverseInertia(solve.bodies[i].orientation, own);
    }
}

}  // namespace sunder::world
