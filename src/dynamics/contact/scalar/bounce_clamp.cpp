#include "dynamics/contact/scalar/bounce_clamp.h"

#include "dynamics/contact/scalar/impulse_clamp.h"

namespace sunder::dynamics {

namespace {

// A locked axis has no inverse mass. The largest component stands for all three, which can only clamp more.
ClampSurface clampSurface(const SolverBody& body, const Vec3& arm) { return {velocityAt(body, arm), body.angularVelocity}; }

// All impulses of the manifold in this substep as they act on body B: one force at the first point, and a moment about it.
struct Wrench {
    Vec3 linear, angular;
};

Wrench totalWrench(const ContactConstraint& constraint) {
    Wrench total;
    const Vec3& reference = constraint.points[0].armB;
    for (int i = 0; i < constraint.count; ++i) {
        const Vec3 impulse = impulseOf(constraint, constraint.points[i]);
        total.linear += impulse;
        total.angular += cross(constraint.points[i].armB - reference, impulse);
    }
    total.angular += constraint.normal * constraint.angular.spinning + constraint.tangent1 * constraint.angular.rolling1 +
                     constraint.tangent2 * constraint.angular.rolling2;
    return total;
}

void applyWrench(SolverBody& a, SolverBody& b, const Vec3& armA, const Vec3& armB, const Wrench& wrench, Real share) {
    applyImpulse(a, wrench.linear * -share, armA);
    applyImpulse(b, wrench.linear * share, armB);
    a.angularVelocity -= a.inverseInertia * (wrench.angular * share);
    b.angularVelocity += b.inverseInertia * (wrench.angular * share);
}

}  // namespace

void clampBounce(ContactConstraint& constraint, SolverBody& a, SolverBody& b) {
    bool bounced = false;
    for (int i = 0; i < constraint.count; ++i)
        bounced = bounced || constraint.points[i].bounceVelocity > 0;
    if (!bounced)
        return;
    const Vec3 &armA = constraint.points[0].armA, &armB = constraint.points[0].armB;
    const Wrench wrench = totalWrench(constraint);
    SolverBody withoutA = a, withoutB = b;
    applyWrench(withoutA, withoutB, armA, armB, wrench, -1);

    Real factor = 1;
    if (canMove(a) && canMove(b))
        factor = energyClampFactor(clampBody(withoutB), armB, clampBody(withoutA), armA, {wrench.linear, wrench.angular});
    else if (canMove(b))
        factor = energyClampFactor(clampBody(withoutB), armB, clampSurface(withoutA, armA), {wrench.linear, wrench.angular});
    else
        factor = energyClampFactor(clampBody(withoutA), armA, clampSurface(withoutB, armB), {-wrench.linear, -wrench.angular});
    if (factor >= 1)
        return;
    applyWrench(a, b, armA, armB, wrench, factor - 1);
    ++constraint.clamped;
    for (int i = 0; i < constraint.count; ++i) {
        constraint.points[i].normalImpulse *= factor;
        constraint.points[i].tangentImpulse1 *= factor;
        constraint.points[i].tangentImpulse2 *= factor;
    }
    constraint.angular.spinning *= factor;
    constraint.angular.rolling1 *= factor;
    constraint.angular.rolling2 *= factor;
}

}  // namespace sunder::dynamics
