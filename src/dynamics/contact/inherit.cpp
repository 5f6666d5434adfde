#include "dynamics/contact/inherit.h"

namespace sunder::dynamics {

namespace {

// Points this near (m) on both bodies are the same contact under another name: a box that rocks changes from edge to face.
constexpr Real kSamePlace = Real(0.03);

const KeptManifold* findPrevious(const ContactConstraint& constraint, std::span<const KeptManifold> previous) {
    for (const KeptManifold& candidate : previous)
        if (candidate.key == constraint.key)
            return &candidate;
    return nullptr;
}

int findByFeature(const KeptManifold& old, std::uint32_t feature) {
    for (int j = 0; j < old.count; ++j)
        if (old.points[j].feature == feature)
            return j;
    return -1;
}

int findNearest(const KeptManifold& old, const ConstraintPoint& point, const bool (&taken)[collision::kMaxManifoldPoints]) {
    int nearest = -1;
    Real least = square(kSamePlace);
    for (int j = 0; j < old.count; ++j) {
        const Real distance =
            max(lengthSquared(old.points[j].anchorA - point.anchorA), lengthSquared(old.points[j].anchorB - point.anchorB));
        if (!taken[j] && distance < least) {
            least = distance;
            nearest = j;
        }
    }
    return nearest;
}

void takeOver(ContactConstraint& constraint, ConstraintPoint& point, const KeptManifold& old, const KeptPoint& match,
              Real scale) {
    point.normalImpulse = match.normalImpulse * scale;
    const Vec3 friction = old.tangent1 * match.tangentImpulse1 + old.tangent2 * match.tangentImpulse2;
    point.tangentImpulse1 = dot(friction, constraint.tangent1) * scale;
    point.tangentImpulse2 = dot(friction, constraint.tangent2) * scale;
}

}  // namespace

void inheritImpulses(ContactConstraint& constraint, std::span<const KeptManifold> previous, Real scale) {
    const KeptManifold* old = findPrevious(constraint, previous);
    if (old == nullptr)
        return;
    constraint.age = old->age + 1;
    bool taken[collision::kMaxManifoldPoints] = {}, found[collision::kMaxManifoldPoints] = {};
    for (int i = 0; i < constraint.count; ++i) {
        const int j = findByFeature(*old, constraint.points[i].feature);
        if (j < 0)
            continue;
        taken[j] = found[i] = true;
        takeOver(constraint, constraint.points[i], *old, old->points[j], scale);
    }
    for (int i = 0; i < constraint.count; ++i) {
        if (found[i])
            continue;
        const int j = findNearest(*old, constraint.points[i], taken);
        if (j < 0)
            continue;
        taken[j] = true;
        takeOver(constraint, constraint.points[i], *old, old->points[j], scale);
    }
    const Vec3 rolling = old->tangent1 * old->rollingImpulse1 + old->tangent2 * old->rollingImpulse2;
    constraint.rollingImpulse1 = dot(rolling, constraint.tangent1) * scale;
    constraint.rollingImpulse2 = dot(rolling, constraint.tangent2) * scale;
    constraint.spinningImpulse = old->spinningImpulse * scale;
}

}  // namespace sunder::dynamics
