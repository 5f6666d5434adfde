#include "world/pair/loaded_points.h"

#include "dynamics/contact/scalar/contact_frame.h"
#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::world {

namespace {

// Cosine of the angle between the old normal and the new one beyond which old points belong to another contact.
constexpr Real kSameContact = Real(0.9);
// Share of the thinner body's inner radius by which the two places of a point may have slid apart since it was found.
constexpr Real kMostDrift = Real(0.05);

// From the centre to a point of an earlier step, in world axes now.
Vec3 armOf(const Flight& flight, const dynamics::AnchorFrame& then, const dynamics::AnchorFrame& now, const Vec3& anchor) {
    switch (now.motion) {
        case dynamics::AnchorMotion::Turns: return flight.fixed ? anchor : rotate(flight.orientation, anchor);
        case dynamics::AnchorMotion::Swings: return dynamics::swing(anchor, then.startAxis, now.startAxis);
        case dynamics::AnchorMotion::Stays: break;
    }
    return anchor;
}

}  // namespace

void keepLoadedPoints(const Flight& a, const Flight& b, const dynamics::Inheritance& inheritance, Real scale,
                      dynamics::ContactConstraint& constraint) {
    const dynamics::KeptManifold* old = inheritance.from;
    if (old == nullptr || isMesh(a) || isMesh(b) || dot(old->normal, constraint.normal) < kSameContact ||
        old->frameA.motion != constraint.frameA.motion || old->frameB.motion != constraint.frameB.motion)
        return;
    const Real drift = kMostDrift * min(a.innerRadius, b.innerRadius);
    for (int j = 0; j < old->count && constraint.count < collision::kMaxManifoldPoints; ++j) {
        const dynamics::KeptPoint& last = old->points[j];
        if ((inheritance.taken >> j & 1) != 0 || !(last.normalImpulse > 0))
            continue;
        const Vec3 armA = armOf(a, old->frameA, constraint.frameA, last.anchorA);
        const Vec3 armB = armOf(b, old->frameB, constraint.frameB, last.anchorB);
        const Vec3 gap = constraint.centerOffset + armB - armA;
        const Real separation = dot(gap, constraint.normal);
        if (separation > dynamics::kTouchingGap || lengthSquared(gap - constraint.normal * separation) > square(drift))
            continue;
        dynamics::ConstraintPoint& point = constraint.points[constraint.count++];
        point = {};
        point.anchorA = constraint.frameA.motion == dynamics::AnchorMotion::Turns ? last.anchorA : armA;
        point.anchorB = constraint.frameB.motion == dynamics::AnchorMotion::Turns ? last.anchorB : armB;
        point.feature = last.feature;
        point.separation = separation;
        takeOver(*old, last, scale, constraint, point);
    }
}

}  // namespace sunder::world
