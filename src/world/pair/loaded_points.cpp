#include "world/pair/loaded_points.h"

#include "dynamics/contact/scalar/contact_frame.h"
#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::world {

namespace {

// Cosine of the angle between the old normal and the new one beyond which old points belong to another contact.
constexpr Real kSameContact = Real(0.9);
// Share of the thinner body's inner radius by which the two places of a point may have slid apart since it was found.
constexpr Real kMostDrift = Real(0.05);

// The anchor of now at the place of the surface that an anchor of an earlier step had.
Vec3 anchorNow(const dynamics::AnchorFrame& then, const dynamics::AnchorFrame& now, const Vec3& anchor) {
    return now.motion == dynamics::AnchorMotion::Swings ? dynamics::swing(anchor, then.startAxis, now.startAxis) : anchor;
}

}  // namespace

Vec3 armOf(const Flight& flight, const dynamics::AnchorFrame& frame, const Vec3& anchor) {
    return flight.fixed ? anchor : armAtStart(frame, flight.orientation, anchor);
}

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
        const Vec3 anchorA = anchorNow(old->frameA, constraint.frameA, last.anchorA);
        const Vec3 anchorB = anchorNow(old->frameB, constraint.frameB, last.anchorB);
        const Vec3 gap = constraint.centerOffset + armOf(b, constraint.frameB, anchorB) - armOf(a, constraint.frameA, anchorA);
        const Real separation = dot(gap, constraint.normal);
        if (separation > dynamics::kTouchingGap || lengthSquared(gap - constraint.normal * separation) > square(drift))
            continue;
        dynamics::ConstraintPoint& point = constraint.points[constraint.count++];
        point = {};
        point.anchorA = anchorA;
        point.anchorB = anchorB;
        point.feature = last.feature;
        point.separation = separation;
        takeOver(*old, last, scale, constraint, point);
    }
}

}  // namespace sunder::world
