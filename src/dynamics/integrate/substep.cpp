#include "dynamics/integrate/substep.h"

#include "dynamics/integrate/free_rotation.h"

namespace sunder::dynamics {

namespace {

Vec3 withoutLockedTurns(const Vec3& w, std::uint8_t lockedAxes) {
    return {lockedAxes & kLockRx ? 0 : w.x, lockedAxes & kLockRy ? 0 : w.y, lockedAxes & kLockRz ? 0 : w.z};
}

// Inverse of the inertia on the free axes, zero on the locked ones: a locked row and column is replaced by the identity's
// before inverting and cleared after.
Sym3 inverseOnFreeAxes(Sym3 inertia, std::uint8_t lockedAxes) {
    const bool x = lockedAxes & kLockRx, y = lockedAxes & kLockRy, z = lockedAxes & kLockRz;
    if (x)
        inertia.xx = 1;
    if (y)
        inertia.yy = 1;
    if (z)
        inertia.zz = 1;
    inertia.xy = x || y ? 0 : inertia.xy;
    inertia.xz = x || z ? 0 : inertia.xz;
    inertia.yz = y || z ? 0 : inertia.yz;
    const Vec3 column0 = solve(inertia, {1, 0, 0}), column1 = solve(inertia, {0, 1, 0}), column2 = solve(inertia, {0, 0, 1});
    return {x ? 0 : column0.x, y ? 0 : column1.y, z ? 0 : column2.z, column0.y, column0.z, column1.z};
}

}  // namespace

Sym3 worldInverseInertia(const Quat& worldFromPrincipal, const SolverBodyConstants& constants) {
    const Mat3 R = toMatrix(worldFromPrincipal);
    if ((constants.lockedAxes & kRotationLocks) == 0)
        return rotateDiagonal(R, constants.inversePrincipalInertia);
    return inverseOnFreeAxes(rotateDiagonal(R, constants.principalInertia), constants.lockedAxes);
}

void beginSubstep(SolverBody& body, const SolverBodyConstants& constants, Real h, bool isFirst) {
    const Vec3 contactVelocity = isFirst ? Vec3{} : body.velocity - body.freeVelocity;
    const Vec3 contactSpin = isFirst ? Vec3{} : body.angularVelocity - body.freeAngularVelocity;
    body.velocity += constants.acceleration * h;
    body.angularVelocity += body.inverseInertia * (constants.torque * h);
    // Implicit, so that any damping is stable.
    if (constants.linearDamping > 0)
        body.velocity *= 1 / (1 + h * constants.linearDamping);
    if (constants.angularDamping > 0)
        body.angularVelocity *= 1 / (1 + h * constants.angularDamping);
    body.freeVelocity = body.velocity;
    body.freeAngularVelocity = body.angularVelocity;
    body.velocity += contactVelocity;
    body.angularVelocity += contactSpin;
}

void integratePosition(SolverBody& body, const SolverBodyConstants& constants, Real h, bool energyFix) {
    const Vec3 contactSpin = body.angularVelocity - body.freeAngularVelocity;
    Vec3 shift = body.velocity * h;
    // No contact acted: the path is the exact parabola, not the polygon that first-order steps make of it.
    if (body.velocity == body.freeVelocity)
        shift -= constants.acceleration * (h * h * Real(0.5));
    body.displacement += shift;
    body.turned += body.angularVelocity * h;
    // The next substep repeats the impulses of the contacts as one linear and one angular impulse of the body, whose inertia
    // turns meanwhile.
    const Vec3 contactTorque =
        rotate(body.orientation, multiply(constants.principalInertia, inverseRotate(body.orientation, contactSpin)));
    const bool locked = (constants.lockedAxes & kRotationLocks) != 0;
    const Vec3 inverseInertia = locked ? Vec3{} : constants.inversePrincipalInertia;
    const RotationState turned =
        advanceFreeRotation({body.orientation, body.angularVelocity}, constants.principalInertia, inverseInertia, h, energyFix);
    body.orientation = turned.orientation;
    body.angularVelocity = locked ? withoutLockedTurns(turned.angularVelocity, constants.lockedAxes) : turned.angularVelocity;
    if (constants.isDynamic)
        body.inverseInertia = worldInverseInertia(body.orientation, constants);
    body.freeAngularVelocity = body.angularVelocity - body.inverseInertia * contactTorque;
}

}  // namespace sunder::dynamics
