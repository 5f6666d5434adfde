// [Su09] 3.2: kinetic energy is quadratic in the factor eps on an impulse and unchanged at eps = 0 and at one other value;
// between the two it falls. That value is the largest factor allowed, and 1 is never exceeded.
//   KE(eps) - KE(0) = eps * power + eps^2 / 2 * gain
//   power = j . (velocity of A's contact point relative to B's) + t . (w_a - w_b)
//   gain  = j.j / m_a + J_a . I_a^-1 J_a + the same for B, with J_a = r_a x j + t
// The power is summed from relative velocities, not body by body as printed: a resting contact on a fast pair would lose its
// digits otherwise. SI units, world axes.
#include "dynamics/contact/scalar/impulse_clamp.h"

namespace sunder::dynamics {

namespace {

Vec3 pointVelocity(const ClampBody& body, const Vec3& arm) { return body.velocity + cross(body.angularVelocity, arm); }

Real energyGain(const ClampBody& body, const Vec3& arm, const ClampImpulse& impulse) {
    const Vec3 moment = cross(arm, impulse.linear) + impulse.angular;
    return lengthSquared(impulse.linear) * body.inverseMass + dot(moment, body.inverseInertia * moment);
}

Real factorFor(const Vec3& relativePointVelocity, const Vec3& relativeAngularVelocity, Real gain, const ClampImpulse& impulse) {
    const Real power = dot(impulse.linear, relativePointVelocity) + dot(impulse.angular, relativeAngularVelocity);
    if (-2 * power >= gain)
        return 1;
    return power < 0 ? -2 * power / gain : Real(0);
}

}  // namespace

Real energyClampFactor(const ClampBody& a, const Vec3& armA, const ClampBody& b, const Vec3& armB,
                       const ClampImpulse& impulse) {
    const Real gain = energyGain(a, armA, impulse) + energyGain(b, armB, impulse);
    if (!(gain > 0))  // zero impulse, or bodies that cannot move
        return 1;
    return factorFor(pointVelocity(a, armA) - pointVelocity(b, armB), a.angularVelocity - b.angularVelocity, gain, impulse);
}

Real energyClampFactor(const ClampBody& a, const Vec3& armA, const ClampSurface& partner, const ClampImpulse& impulse) {
    const Real gain = energyGain(a, armA, impulse);
    if (!(gain > 0))  // zero impulse, or a body that cannot move
        return 1;
    return factorFor(pointVelocity(a, armA) - partner.pointVelocity, a.angularVelocity - partner.angularVelocity, gain,
                     impulse);
}

}  // namespace sunder::dynamics
