#include "dynamics/integrate/one_step_rotation.h"

#include <algorithm>

#include "dynamics/integrate/energy_fix.h"
#include "math/trigonometry.h"

namespace sunder::dynamics {

namespace {

Quatd turnBy(const Vec3d& rotationVector) {
    const double angle = length(rotationVector);
    if (!(angle > 0))
        return {};
    const SinCos half = sinCos(Real(std::min(angle / 2, kMaxHalfAngle)));
    const Vec3d v = rotationVector * (double(half.sin) / angle);
    return normalize(Quatd{v.x, v.y, v.z, double(half.cos)});
}

}  // namespace

RotationState advanceByOneStep(const RotationState& state, const Vec3& principalInertia, const Vec3& inversePrincipalInertia,
                               Real dt, bool energyFix) {
    const Vec3& i = inversePrincipalInertia;
    if (state.angularVelocity == Vec3{} || dt == 0 || i.x == 0 || i.y == 0 || i.z == 0)
        return advanceFreeRotation(state, principalInertia, inversePrincipalInertia, dt, energyFix);
    const Vec3d inertia = toDouble(principalInertia), inverse{1 / inertia.x, 1 / inertia.y, 1 / inertia.z};
    const Quatd start = normalize(toDouble(state.orientation));
    const Vec3d w = toDouble(state.angularVelocity);
    const Vec3d L = rotate(start, multiply(inertia, inverseRotate(start, w)));
    const auto velocityAt = [&](const Quatd& q) { return rotate(q, multiply(inverse, inverseRotate(q, L))); };
    const Quatd middle = normalize(turnBy(w * (double(dt) / 2)) * start);
    Quatd end = normalize(turnBy(velocityAt(middle) * double(dt)) * start);
    if (energyFix) {
        const double KE0 = rotationalEnergy(inverseRotate(start, L), inverse);
        if (const auto turn = findEnergyTurn(inverseRotate(end, L), inverse, KE0))
            end = turned(end, *turn);
    }
    const Quat orientation = toReal(normalize(end));
    return {orientation, toReal(velocityAt(normalize(toDouble(orientation))))};
}

}  // namespace sunder::dynamics
