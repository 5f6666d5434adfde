#include "world/pair/pair_search.h"

#include <algorithm>

#include "collision/continuous/time_of_impact.h"
#include "collision/narrow_phase/collide.h"

namespace sunder::world {

namespace {

// A pair that meets later in the step is looked at again where it will be; this often at most.
constexpr int kMaxAdvances = 3;

// A pair that could pass through each other in a step is searched for its time of impact, to this share of the smaller body's
// radius: nearer than that a body that passes by counts as one that hits.
constexpr Real kImpactTolerance = Real(0.002);
// The larger a search, the longer its result may be kept: it reaches past what this step needs by this part of the motion.
constexpr Real kSpareReach = Real(0.25);

// Points of two level sets are looked for beyond the nearest by so many of the finer grid's cells, and by this share of their
// way in the step, which a blow may turn into a rotation that brings them down.
constexpr Real kSpreadCells = 3, kSpreadWay = Real(0.5);

// Of the distance that counts as close: a manifold this near is close still, for the little that its bodies may have been moved
// by since.
constexpr Real kSurelyClose = Real(0.9);

// Returns how far apart the surfaces are at least; 0 where there are manifolds.
Real collideAt(const Flight& a, const Flight& b, const Vec3& offset, Real time, const collision::Range& range,
               collision::ManifoldList& out, collision::KnownManifolds known = {}) {
    out.clear();
    const Pose poseA = shapePoseAt(a, time);
    Pose poseB = shapePoseAt(b, time);
    poseB.position += offset;
    return collision::collide(*a.shape, poseA, *b.shape, poseB, range, out, known);
}

collision::Range within(const Reach& reach, Real margin, Real spread = kInfinity) {
    collision::Range range(margin, spread);
    range.points = reach.points;
    range.expected = reach.expected;
    return range;
}

// Whether they would meet by the fall of a body that is held, if at all: then they are not looked at where they would. Only
// looks at level sets are dear enough to ask.
bool areHeld(const Flight& a, const Flight& b) { return (a.isLevelSet || b.isLevelSet) && a.isHeld && b.isHeld; }

// m: how near two level sets must be for their particles to be looked at.
Real nearOf(const Flight& a, const Flight& b, const Reach& reach) {
    return min(reach.reach, reach.close + min(a.innerRadius, b.innerRadius));
}

// m: how much farther than the nearest a point of two level sets may be and still matter, on a way of theirs.
Real spreadOf(const Flight& a, const Flight& b, Real way) { return kSpreadWay * way + kSpreadCells * min(a.cell, b.cell); }

// When a gap along the normal can be closed at the earliest, infinity if never.
Real earliestContact(const Reach& reach, Real gap, Real closing) {
    return closing > 0 ? (gap - Real(0.5) * reach.close) / closing : kInfinity;
}

// Whether the manifold would stop bodies on ways that are known to be free: its plane goes on where the surface has ended.
bool isGhost(const Flight& a, const Flight& b, const Vec3& offset, Real dt, const collision::ContactManifold& manifold) {
    for (int i = 0; i < manifold.count; ++i) {
        const collision::ContactPoint& point = manifold.points[i];
        const Vec3 velocity =
            b.velocity + cross(b.angularVelocity, point.onB - offset) - a.velocity - cross(a.angularVelocity, point.onA);
        if (point.separation + dot(velocity, manifold.normal) * dt < 0)
            return true;
    }
    return false;
}

collision::TimeOfImpact impactOf(const Flight& a, const Flight& b, const Vec3& offset, Real dt) {
    Pose poseB = shapePoseAt(b, 0);
    poseB.position += offset;
    return collision::findTimeOfImpact({*a.shape, shapePoseAt(a, 0), {}, a.velocity, a.angularVelocity},
                                       {*b.shape, poseB, offset, b.velocity, b.angularVelocity}, dt, 0,
                                       kImpactTolerance * min(a.shape->boundingRadius, b.shape->boundingRadius));
}

// A search looks farther than the step needs, so that its result may be kept; what is beyond does not bother the solver. The
// distance is that of the nearest where none is left.
void dropFar(Real near, collision::ManifoldList& manifolds, Real& distance) {
    if (manifolds.empty())
        return;
    const Real nearest = deepest(manifolds);
    std::erase_if(manifolds, [&](const collision::ContactManifold& manifold) {
        Real least = kInfinity;
        for (int i = 0; i < manifold.count; ++i)
            least = min(least, manifold.points[i].separation);
        return least > near;
    });
    if (manifolds.empty())
        distance = nearest;
}

// The same as collidePair for two level sets, which have many points: only those that are close are looked at, now or, where
// the bodies meet later in the step, then. A cloud of pieces would otherwise be all contacts.
Real collideLevelSets(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Recycling& now, SeenPair& seen,
                      PairScratch& scratch) {
    const Vec3 offset = b.center - a.center;
    const Real near = nearOf(a, b, reach);
    now.remember(seen);
    seen.reach = near + now.tolerance();
    const Real way = relativeWay(a, b, dt);
    seen.distance =
        collideAt(a, b, offset, 0, within(reach, seen.reach, spreadOf(a, b, way)), scratch.manifolds, scratch.known);
    dropFar(near, scratch.manifolds, seen.distance);
    if (!scratch.manifolds.empty() || seen.distance >= kSpareWay * way)
        return 0;
    const collision::TimeOfImpact impact = impactOf(a, b, offset, dt);
    if (impact.status != collision::TimeOfImpact::Status::Meets)
        return 0;
    seen.reach = -1;
    collideAt(a, b, offset, impact.time, within(reach, near, spreadOf(a, b, way * (1 - impact.time / dt))), scratch.manifolds);
    return impact.time;
}

// The same for two level sets that go far within the step.
Real collideFarLevelSets(const Flight& a, const Flight& b, const Vec3& offset, Real dt, const Reach& reach,
                         collision::ManifoldList& manifolds) {
    using Status = collision::TimeOfImpact::Status;
    const collision::TimeOfImpact impact = impactOf(a, b, offset, dt);
    const bool meet = impact.status == Status::Meets;
    const Real time = meet ? impact.time : Real(0), left = 1 - time / dt;
    const Real way = meet ? relativeWay(a, b, dt) * left : Real(0);
    collideAt(a, b, offset, time, within(reach, nearOf(a, b, reach), spreadOf(a, b, way)), manifolds);
    if (impact.status == Status::Apart)
        std::erase_if(manifolds, [&](const collision::ContactManifold& m) { return isGhost(a, b, offset, dt, m); });
    return time;
}

// The same as collidePair for bodies that go far within the step: what they meet is found however thin it is.
Real collideFarPair(const Flight& a, const Flight& b, const Vec3& offset, Real dt, const Reach& reach,
                    collision::ManifoldList& manifolds) {
    using Status = collision::TimeOfImpact::Status;
    const BuiltShape &shapeA = *a.shape, &shapeB = *b.shape;
    const collision::TimeOfImpact impact = impactOf(a, b, offset, dt);
    if (impact.status == Status::Meets) {
        // Around the place of the impact; what a body turned aside would meet is not the contacts' business.
        const Real size = min(shapeA.boundingRadius, shapeB.boundingRadius), left = 1 - impact.time / dt;
        Reach then = reach;
        then.expected.way *= left;
        then.expected.turn *= left;
        collideAt(a, b, offset, impact.time, within(then, max(reach.close, min(size, reach.reach * left))), manifolds);
        return impact.time;
    }
    Reach now = reach;
    if (impact.status == Status::Apart)  // the way is free
        now.expected.way = {};
    collideAt(a, b, offset, 0, within(now, reach.reach), manifolds);
    if (impact.status == Status::Apart)
        std::erase_if(manifolds, [&](const collision::ContactManifold& m) { return isGhost(a, b, offset, dt, m); });
    return 0;
}

// Whether manifolds of the last step are all that is needed: false where one that is not yet close would meet within the step,
// so that it must be looked at where it will be.
bool stillHolds(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Quat& turned,
                std::span<const dynamics::KeptManifold> manifolds) {
    if (areHeld(a, b))
        return true;
    const auto arm = [](const Flight& flight, const Vec3& anchor) {
        return flight.fixed ? anchor : rotate(flight.orientation, anchor);
    };
    // As the last step left them, which is where they are now.
    for (const dynamics::KeptManifold& c : manifolds)
        for (int i = 0; i < c.count; ++i)
            if (c.points[i].separation <= kSurelyClose * reach.close)
                return true;
    const Vec3 offset = b.center - a.center, approach = b.velocity - a.velocity;
    Real gap = kInfinity, closing = 0;
    for (const dynamics::KeptManifold& c : manifolds) {
        const Vec3 normal = rotate(turned, c.normal);
        for (int i = 0; i < c.count; ++i)
            gap = min(gap, dot(offset + arm(b, c.points[i].anchorB) - arm(a, c.points[i].anchorA), normal));
        closing = max(closing, reach.turning - dot(approach, normal));
    }
    return gap <= reach.close || !(earliestContact(reach, gap, closing) < dt);
}

}  // namespace

Real deepest(const collision::ManifoldList& manifolds) {
    Real least = kInfinity;
    for (const collision::ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            least = min(least, manifold.points[i].separation);
    return least;
}

Real collidePair(const Flight& a, const Flight& b, const Reach& reach, bool isFar, Real dt, const Recycling& now,
                 SeenPair& seen, PairScratch& scratch) {
    const Vec3 offset = b.center - a.center;
    const Vec3 approach = b.velocity - a.velocity;
    collision::ManifoldList& manifolds = scratch.manifolds;
    if (isFar) {
        seen.reach = -1;
        return areLevelSets(a, b) ? collideFarLevelSets(a, b, offset, dt, reach, manifolds)
                                  : collideFarPair(a, b, offset, dt, reach, manifolds);
    }
    if (areLevelSets(a, b))
        return collideLevelSets(a, b, reach, dt, now, seen, scratch);
    now.remember(seen);
    seen.reach = reach.reach + kSpareReach * (reach.reach - reach.close) + now.tolerance();
    seen.distance = collideAt(a, b, offset, 0, within(reach, seen.reach), manifolds, scratch.known);
    if (!manifolds.empty() && deepest(manifolds) > reach.reach) {
        seen.distance = deepest(manifolds);
        manifolds.clear();
    }
    Real time = 0;
    for (int advance = 0; advance < kMaxAdvances && !areHeld(a, b); ++advance) {
        const Real gap = deepest(manifolds);
        if (gap <= reach.close || manifolds.empty())
            break;
        // They cannot meet before the gap is closed at full speed along the line between them.
        Real closing = 0;
        for (const collision::ContactManifold& manifold : manifolds)
            closing = max(closing, reach.turning - dot(approach, manifold.normal));
        const Real next = time + earliestContact(reach, gap, closing);
        if (!(next < dt))
            break;
        collideAt(a, b, offset, next, within(reach, max(reach.close, reach.reach * (1 - next / dt))), scratch.ahead);
        if (scratch.ahead.empty())  // they pass each other if nothing else moves them; what was seen before may still be needed
            break;
        std::swap(manifolds, scratch.ahead);
        time = next;
    }
    if (time > 0 || (!manifolds.empty() && (a.rolls || b.rolls)))
        seen.reach = -1;
    return time;
}

bool mayKeep(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Recycling& now, const SeenPair& seen,
             std::span<const dynamics::KeptManifold> old) {
    const Real motion = now.motionSince(seen);
    const bool ofFields = areLevelSets(a, b);
    const Real looked = ofFields ? nearOf(a, b, reach) : reach.reach;  // how far a search would look
    if (old.empty())
        return (ofFields ? max(looked, kSpareWay * relativeWay(a, b, dt)) : looked) + motion < seen.distance;
    return motion <= now.tolerance() && looked + motion <= seen.reach &&
           stillHolds(a, b, reach, dt, now.turnOfLarger(seen), old);
}

void noteKnown(std::span<const dynamics::KeptManifold> old, std::vector<collision::KnownManifold>& known) {
    known.clear();
    for (const dynamics::KeptManifold& constraint : old) {
        collision::KnownManifold& manifold = known.emplace_back();
        manifold.key = constraint.key;
        manifold.childA = constraint.childA;
        manifold.childB = constraint.childB;
        manifold.normal = constraint.normal;
        manifold.count = constraint.count;
        for (int i = 0; i < constraint.count; ++i)
            manifold.features[i] = constraint.points[i].feature;
    }
}

}  // namespace sunder::world
