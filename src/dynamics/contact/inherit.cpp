#include "dynamics/contact/inherit.h"

namespace sunder::dynamics {

void inheritImpulses(ContactConstraint& constraint, std::span<const ContactConstraint> previous, Real scale) {
    const ContactConstraint* old = nullptr;
    for (const ContactConstraint& candidate : previous)
        if (candidate.key == constraint.key)
            old = &candidate;
    if (old == nullptr)
        return;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        for (int j = 0; j < old->count; ++j) {
            const ConstraintPoint& match = old->points[j];
            if (match.feature != point.feature)
                continue;
            point.normalImpulse = match.normalImpulse * scale;
            const Vec3 friction = old->tangent1 * match.tangentImpulse1 + old->tangent2 * match.tangentImpulse2;
            point.tangentImpulse1 = dot(friction, constraint.tangent1) * scale;
            point.tangentImpulse2 = dot(friction, constraint.tangent2) * scale;
            break;
        }
    }
    const Vec3 rolling = old->tangent1 * old->rollingImpulse1 + old->tangent2 * old->rollingImpulse2;
    constraint.rollingImpulse1 = dot(rolling, constraint.tangent1) * scale;
    constraint.rollingImpulse2 = dot(rolling, constraint.tangent2) * scale;
    constraint.spinningImpulse = old->spinningImpulse * scale;
}

}  // namespace sunder::dynamics
