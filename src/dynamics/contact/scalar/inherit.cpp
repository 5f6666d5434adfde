#include "dynamics/contact/scalar/inherit.h"

#include "math/mat3.h"

namespace sunder::dynamics {

namespace {

// m. A new point this near an old one on both bodies continues it under another feature: a box that rocks changes from edge to
// face.
constexpr Real kSamePlace = Real(0.03);

const KeptManifold* findPrevious(const ContactConstraint& constraint, std::span<const KeptManifold> previous) {
    for (const KeptManifold& candidate : previous)
        if (candidate.id.key == constraint.id.key)
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

void inheritRotation(ContactConstraint& constraint, const KeptManifold& old, Real scale) {
    const Vec3 rolling = old.tangent1 * old.angular.rolling1 + old.tangent2 * old.angular.rolling2;
    constraint.angular.rolling1 = dot(rolling, constraint.tangent1) * scale;
    constraint.angular.rolling2 = dot(rolling, constraint.tangent2) * scale;
    constraint.angular.spinning = old.angular.spinning * scale;
}

// Sum of what several points carry.
struct Load {
    Real normal = 0;
    Vec3 moment;    // of the normal impulses: the sum of impulse times position
    Vec3 friction;  // N s, world axes
};

// Position of a point in the frame of one body: one that the anchors turn with, or one that does not move.
template <class Point>
const Vec3& placeOf(const Point& point, bool onA) {
    return onA ? point.anchorA : point.anchorB;
}

// Distributes a load over all points. The shares are linear in position: of all shares with that force and moment these have
// the smallest squares.
void shareOut(ContactConstraint& constraint, const Load& load, bool onA) {
    // Share of the points' spread added to every direction: a line of points has no lever across itself.
    constexpr Real kFlat = Real(1e-3);
    Vec3 center;
    for (int i = 0; i < constraint.count; ++i)
        center += placeOf(constraint.points[i], onA);
    center = center / Real(constraint.count);
    Sym3 spread{};
    for (int i = 0; i < constraint.count; ++i)
        spread = spread + outer(placeOf(constraint.points[i], onA) - center);
    const Real least = kFlat * (spread.xx + spread.yy + spread.zz);
    spread.xx += least;
    spread.yy += least;
    spread.zz += least;
    const Vec3 slope = solve(spread, load.moment - center * load.normal);
    Real wanted = load.normal, given = 0;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        wanted += point.normalImpulse;
        const Real share = load.normal / Real(constraint.count) + dot(slope, placeOf(point, onA) - center);
        point.normalImpulse = max(point.normalImpulse + share, 0);
        given += point.normalImpulse;
    }
    if (!(given > 0))
        return;
    Vec3 spare = load.friction;
    for (int i = 0; i < constraint.count; ++i)
        if (ConstraintPoint& point = constraint.points[i]; !(point.normalImpulse > 0)) {
            spare += constraint.tangent1 * point.tangentImpulse1 + constraint.tangent2 * point.tangentImpulse2;
            dropFrictionWithoutLoad(point);
        }
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        point.normalImpulse *= wanted / given;
        const Vec3 friction = spare * (point.normalImpulse / wanted);
        point.tangentImpulse1 += dot(friction, constraint.tangent1);
        point.tangentImpulse2 += dot(friction, constraint.tangent2);
    }
}

// The inherited torque is a guess and must stay within the friction limit of the current load.
void limitSpinning(ContactConstraint& constraint, Real load) {
    const Real limit = constraint.material.spinningFriction * load;
    constraint.angular.spinning = clamp(constraint.angular.spinning, -limit, limit);
}

void limitRolling(ContactConstraint& constraint, Real load) {
    const Real limit = constraint.material.rollingFriction * load;
    const Real size = std::sqrt(square(constraint.angular.rolling1) + square(constraint.angular.rolling2));
    if (!(size > limit))
        return;
    constraint.angular.rolling1 *= limit / size;
    constraint.angular.rolling2 *= limit / size;
}

}  // namespace

void takeOver(const KeptManifold& old, const KeptPoint& match, Real scale, const ContactConstraint& constraint,
              ConstraintPoint& point) {
    point.normalImpulse = match.normalImpulse * scale;
    const Vec3 friction = old.tangent1 * match.tangentImpulse1 + old.tangent2 * match.tangentImpulse2;
    point.tangentImpulse1 = dot(friction, constraint.tangent1) * scale;
    point.tangentImpulse2 = dot(friction, constraint.tangent2) * scale;
}

void limitRotation(ContactConstraint& constraint) {
    if (constraint.angular.spinning == 0 && constraint.angular.rolling1 == 0 && constraint.angular.rolling2 == 0)
        return;
    Real load = 0;
    for (int i = 0; i < constraint.count; ++i)
        load += constraint.points[i].normalImpulse;
    limitSpinning(constraint, load);
    limitRolling(constraint, load);
}

Inheritance inheritImpulses(ContactConstraint& constraint, std::span<const KeptManifold> previous, Real scale) {
    const KeptManifold* old = findPrevious(constraint, previous);
    if (old == nullptr)
        return {};
    constraint.age = old->age + 1;
    constraint.isFirm = old->isFirm;
    bool taken[collision::kMaxManifoldPoints] = {}, found[collision::kMaxManifoldPoints] = {};
    for (int i = 0; i < constraint.count; ++i) {
        const int j = findByFeature(*old, constraint.points[i].feature);
        if (j < 0)
            continue;
        taken[j] = found[i] = true;
        takeOver(*old, old->points[j], scale, constraint, constraint.points[i]);
    }
    for (int i = 0; i < constraint.count; ++i) {
        if (found[i])
            continue;
        const int j = findNearest(*old, constraint.points[i], taken);
        if (j < 0)
            continue;
        taken[j] = true;
        takeOver(*old, old->points[j], scale, constraint, constraint.points[i]);
    }
    inheritRotation(constraint, *old, scale);
    Inheritance inheritance{old};
    for (int j = 0; j < old->count; ++j)
        inheritance.taken |= std::uint32_t(taken[j]) << j;
    return inheritance;
}

void inheritLoad(ContactConstraint& constraint, std::span<const KeptManifold> previous, Real scale) {
    const KeptManifold* old = findPrevious(constraint, previous);
    if (old == nullptr || constraint.count == 0)
        return;
    constraint.age = old->age + 1;
    constraint.isFirm = old->isFirm;
    inheritRotation(constraint, *old, scale);
    bool taken[collision::kMaxManifoldPoints] = {};
    for (int i = 0; i < constraint.count; ++i)
        if (const int j = findByFeature(*old, constraint.points[i].feature); j >= 0) {
            taken[j] = true;
            takeOver(*old, old->points[j], scale, constraint, constraint.points[i]);
        }
    const bool onA = constraint.frameA.motion == AnchorMotion::Turns;
    Load load;
    for (int j = 0; j < old->count; ++j) {
        const KeptPoint& point = old->points[j];
        if (taken[j] || !(point.normalImpulse > 0))
            continue;
        load.normal += point.normalImpulse * scale;
        load.moment += placeOf(point, onA) * (point.normalImpulse * scale);
        load.friction += (old->tangent1 * point.tangentImpulse1 + old->tangent2 * point.tangentImpulse2) * scale;
    }
    if (load.normal > 0)
        shareOut(constraint, load, onA);
}

}  // namespace sunder::dynamics
