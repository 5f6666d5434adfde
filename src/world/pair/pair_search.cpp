#include "world/pair/pair_search.h"

#include <algorithm>

#include "collision/continuous/level_set_advancement.h"
#include "collision/continuous/time_of_impact.h"
#include "collision/narrow_phase/collide.h"
#include "collision/narrow_phase/shells_cross.h"
#include "world/pair/turned_contacts.h"

namespace sunder::world {

namespace {

// Most times that a pair which meets later in the step is looked at again where it will be.
constexpr int kMaxAdvances = 3;

// Tolerance of the time of impact of pairs that could pass through each other in a step, as a share of the smaller body's
// radius: a body that passes by at less than this counts as one that hits.
constexpr Real kImpactTolerance = Real(0.002);
// Share of the finer grid's cell that serves as this tolerance for two level sets: contacts are looked for around the place of
// the impact anyway, and the last quarter of a cell took up to twenty looks.
constexpr Real kImpactCells = Real(0.25);
// Share of the step's motion by which a search reaches farther than the step needs: the farther it reaches, the longer its
// result may be kept.
constexpr Real kSpareReach = Real(0.25);

// How much farther than the nearest point others of two level sets are looked for: in cells of the finer grid, and as a share
// of their way in the step, since a blow may turn that way into a rotation which brings them nearer (docs/level-sets.md).
constexpr Real kSpreadCells = 3, kSpreadWay = Real(0.5);

// Round bodies that touch others are searched as they will lie in the middle of the step, because normals of its start are half
// a step old on average and feed what rocks in a hollow (docs/step.md 1): where they go less than this share of the thinner
// one's inner radius until then, and more than kStillWay (m), below which nothing would change. Piles of boxes rest better
// without.
constexpr Real kMidwayShare = Real(0.5), kStillWay = Real(1e-6);

// Manifolds of a pair that moves lag behind its surfaces at the end of every step by its way in the step. They may lag by this
// many such ways, so that every second step looks for new ones, up to a share of the smaller body's radius.
constexpr Real kLagSteps = Real(1.5), kMostLag = Real(0.01);

// A body that touches a mesh and goes farther than this share of its inner radius in the step is searched where it will be,
// too.
constexpr Real kAheadShare = Real(0.25);

// Share of the margin within which a kept manifold counts as close: less than 1, because its bodies may have moved a little
// since.
constexpr Real kSurelyClose = Real(0.9);

// Fills out with the manifolds of the bodies as they lie at a time. Returns a lower bound of the distance (m) of their
// surfaces; 0 where there are manifolds.
Real collideAt(const Flight& a, const Flight& b, const Vec3& offset, const Moment& moment, collision::Range range,
               collision::ManifoldList& out, collision::KnownManifolds known = {}) {
    out.clear();
    range.areHeld = a.isHeld && b.isHeld;
    const Pose poseA = shapePoseAt(a, moment);
    Pose poseB = shapePoseAt(b, moment);
    poseB.position += offset;
    return collision::collide(*a.shape, poseA, *b.shape, poseB, range, out, known);
}

collision::Range within(const Reach& reach, Real margin, Real spread = kInfinity) {
    collision::Range range(margin, spread);
    range.points = reach.points;
    range.expected = reach.expected;
    return range;
}

// Whether both bodies are held, so that they could meet within the step only by a fall that does not happen: then they are not
// looked at where they would meet. Only for level sets, whose search is expensive.
bool areHeld(const Flight& a, const Flight& b) { return (a.isLevelSet || b.isLevelSet) && a.isHeld && b.isHeld; }

// m: how near two level sets must be for their particles to be tested.
Real nearOf(const Flight& a, const Flight& b, const Reach& reach) {
    return min(reach.reach, reach.close + min(a.innerRadius, b.innerRadius));
}

// m: how much farther than the nearest point others are looked for, see kSpreadCells. way (m): of the pair.
Real spreadOf(const Flight& a, const Flight& b, Real way) { return kSpreadWay * way + kSpreadCells * min(a.cell, b.cell); }

// s: the earliest time at which a gap along the normal can be closed; infinity if never.
Real earliestContact(const Reach& reach, Real gap, Real closing) {
    return closing > 0 ? (gap - Real(0.5) * reach.close) / closing : kInfinity;
}

// Whether the manifold would stop bodies whose ways are known to be free. It can, because its plane extends beyond the surface.
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

// apart (m): of two level sets, a lower bound of their distance now.
collision::TimeOfImpact impactOf(const Flight& a, const Flight& b, const Vec3& offset, Real dt, Real apart = 0) {
    Pose poseB = shapePoseAt(b, {});
    poseB.position += offset;
    const collision::MovingShape movingA{*a.shape, shapePoseAt(a, {}), {}, a.velocity, a.angularVelocity},
        movingB{*b.shape, poseB, offset, b.velocity, b.angularVelocity};
    const Real tolerance = kImpactTolerance * min(a.shape->boundingRadius, b.shape->boundingRadius);
    if (!areLevelSets(a, b))
        return collision::findTimeOfImpact(movingA, movingB, dt, 0, tolerance);
    return collision::advanceLevelSets(movingA, movingB, dt, 0, max(tolerance, kImpactCells * min(a.cell, b.cell)), apart);
}

// Removes manifolds farther than `near`, which the search found only so that its result may be kept: the solver need not see
// them. Where none is left, `distance` becomes that of the nearest.
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

// collidePair for two level sets. They have many points, so only those that are close are tested: as the bodies lie now or,
// where they meet later in the step, as they lie then. In a cloud of pieces everything would otherwise be in contact.
Real collideLevelSets(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Recycling& now, SeenPair& seen,
                      PairScratch& scratch) {
    const Vec3 offset = b.center - a.center;
    const Real near = nearOf(a, b, reach);
    now.remember(seen);
    seen.reach = near + now.tolerance();
    const Real way = relativeWay(a, b, dt);
    seen.distance =
        collideAt(a, b, offset, {}, within(reach, seen.reach, spreadOf(a, b, way)), scratch.manifolds, scratch.known);
    dropFar(near, scratch.manifolds, seen.distance);
    if (!scratch.manifolds.empty() || seen.distance >= kSpareWay * way)
        return 0;
    const collision::TimeOfImpact impact = impactOf(a, b, offset, dt, seen.distance);
    if (impact.status != collision::TimeOfImpact::Status::Meets)
        return 0;
    seen.reach = -1;
    collideAt(a, b, offset, {impact.time}, within(reach, near, spreadOf(a, b, way * (1 - impact.time / dt))),
              scratch.manifolds);
    return impact.time;
}

// collideFarPair for two level sets: as they lie where they meet, or now.
Real collideFarLevelSets(const Flight& a, const Flight& b, const Vec3& offset, Real dt, const Reach& reach,
                         PairScratch& scratch) {
    using Status = collision::TimeOfImpact::Status;
    const Real near = nearOf(a, b, reach);
    collision::ManifoldList& manifolds = scratch.manifolds;
    const Real distance = collideAt(a, b, offset, {}, within(reach, near, spreadOf(a, b, 0)), manifolds);
    const collision::TimeOfImpact impact =
        impactOf(a, b, offset, dt, manifolds.empty() ? distance : max(0, deepest(manifolds)));
    if (impact.status == Status::Apart)
        std::erase_if(manifolds, [&](const collision::ContactManifold& m) { return isGhost(a, b, offset, dt, m); });
    if (impact.status != Status::Meets)
        return 0;
    const Real way = relativeWay(a, b, dt) * (1 - impact.time / dt);
    collideAt(a, b, offset, {impact.time}, within(reach, near, spreadOf(a, b, way)), manifolds);
    return impact.time;
}

// collidePair for bodies that go far within the step: a meeting is found however thin the bodies are.
Real collideFarPair(const Flight& a, const Flight& b, const Vec3& offset, Real dt, const Reach& reach,
                    collision::ManifoldList& manifolds) {
    using Status = collision::TimeOfImpact::Status;
    const BuiltShape &shapeA = *a.shape, &shapeB = *b.shape;
    const collision::TimeOfImpact impact = impactOf(a, b, offset, dt);
    if (impact.status == Status::Meets) {
        // Contacts are looked for around the place of the impact only; what a body meets after it was turned aside is found by
        // limitFastBodies.
        const Real size = min(shapeA.boundingRadius, shapeB.boundingRadius), left = 1 - impact.time / dt;
        Reach then = reach;
        then.expected.way *= left;
        then.expected.turn *= left;
        collideAt(a, b, offset, {impact.time}, within(then, max(reach.close, min(size, reach.reach * left))), manifolds);
        return impact.time;
    }
    Reach now = reach;
    if (impact.status == Status::Apart)  // the way is free
        now.expected.way = {};
    collideAt(a, b, offset, {}, within(now, reach.reach), manifolds);
    if (impact.status == Status::Apart)
        std::erase_if(manifolds, [&](const collision::ContactManifold& m) { return isGhost(a, b, offset, dt, m); });
    return 0;
}

// Whether something round touched there: its points of contact do not turn with the body.
template <class Manifold>
bool anyRolls(const Flight& a, const Flight& b, const std::vector<Manifold>& manifolds) {
    if (!a.mayRoll && !b.mayRoll)
        return false;
    return std::any_of(manifolds.begin(), manifolds.end(), [&](const Manifold& manifold) {
        return roundPart(a, manifold.childA, manifold.normal) != nullptr ||
               roundPart(b, manifold.childB, manifold.normal) != nullptr;
    });
}

// collidePair for slow bodies that touch, with something round, as they lie in the middle of the step if they go on as they
// are; false where they are to be searched as they lie now.
bool collideMidway(const Flight& a, const Flight& b, const Reach& reach, const Moment& midway, SeenPair& seen,
                   PairScratch& scratch) {
    if (!anyRolls(a, b, scratch.known) || a.isLevelSet || b.isLevelSet || isMesh(a) || isMesh(b))
        return false;
    const Real way = (length(b.drift - a.drift) + reach.turning) * midway.time;
    if (!(way > kStillWay && way < kMidwayShare * min(a.innerRadius, b.innerRadius)))
        return false;
    seen.distance = collideAt(a, b, b.center - a.center, midway, within(reach, reach.reach), scratch.manifolds, scratch.known);
    if (scratch.manifolds.empty() || deepest(scratch.manifolds) > reach.close)
        return false;
    seen.reach = -1;
    return true;
}

// Whether the boxes about two shells show that they do not meet in the step. Most shells whose bounding balls overlap do not,
// and have many walls.
bool areBoxesApart(const Flight& a, const Flight& b, const Reach& reach, const Recycling& now, SeenPair& seen) {
    Pose poseB = shapePoseAt(b, {});
    poseB.position += b.center - a.center;
    const Real gap = collision::gapOfBoxes(*a.shape, shapePoseAt(a, {}), *b.shape, poseB);
    if (!(gap > reach.reach + now.tolerance()))
        return false;
    now.remember(seen);
    seen.reach = reach.reach;
    seen.distance = gap;
    return true;
}

// m: the motion up to which the manifolds of a pair are kept. Ways are those of the last two steps: with what forces add in the
// step, bodies at rest would seem to move. Manifolds of something round are found anew in every step, and need not be looked
// for farther away.
Real lagOf(const Flight& a, const Flight& b, Real dt, const Recycling& now) {
    if (a.isLevelSet || b.isLevelSet || isMesh(a) || isMesh(b) || a.mayRoll || b.mayRoll)
        return now.tolerance();
    const Vec3& w = a.radius > b.radius ? a.driftTurn : b.driftTurn;
    const Real radius = min(a.radius, b.radius), turning = dynamics::turningSpeed(b.driftTurn - a.driftTurn, radius);
    const Real way = (length(b.drift - a.drift - cross(w, b.center - a.center)) + turning) * dt;
    return max(now.tolerance(), min(kLagSteps * way, kMostLag * radius));
}

// Whether the manifolds of the last step are enough: false where one that is not yet close would be reached within the step, so
// that the pair must be looked at where it will be.
bool stillHolds(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Quat& turned,
                std::span<const dynamics::KeptManifold> manifolds) {
    if (areHeld(a, b))
        return true;
    const auto arm = [](const Flight& flight, const Vec3& anchor) {
        return flight.fixed ? anchor : rotate(flight.orientation, anchor);
    };
    // Separations are those at the end of the last step, which is now.
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

// A surface that rises ahead of what goes along it turns it aside too: the triangles that a body which touches a mesh would
// have entered later in the step count, as planes that it must not cross. Without them it sinks in by a little in every step.
void addAhead(const Flight& a, const Flight& b, const Reach& reach, Real dt, PairScratch& scratch) {
    collision::ManifoldList& manifolds = scratch.manifolds;
    const Vec3 approach = b.velocity - a.velocity, offset = b.center - a.center;
    const Real thin = isMesh(a) ? b.innerRadius : a.innerRadius, way = length(approach) * dt;
    if (manifolds.empty() || deepest(manifolds) > reach.close || !(way > kAheadShare * thin))
        return;
    Reach there = reach;
    there.expected = {};
    const int looks = way > 2 * thin ? 3 : way > thin ? 2 : 1;
    for (int look = 1; look <= looks; ++look) {
        const Moment moment{dt * Real(look) / Real(looks)};
        collideAt(a, b, offset, moment, within(there, reach.close), scratch.ahead);
        for (collision::ContactManifold& manifold : scratch.ahead) {
            const auto isAsThere = [&](const collision::ContactManifold& other) {
                return other.key == manifold.key || dot(other.normal, manifold.normal) > kSamePlane;
            };
            if (!(dot(approach, manifold.normal) < 0) || std::any_of(manifolds.begin(), manifolds.end(), isAsThere))
                continue;
            for (int i = 0; i < manifold.count; ++i) {
                collision::ContactPoint& point = manifold.points[i];
                point.onA -= a.velocity * moment.time;
                point.onB -= b.velocity * moment.time;
                point.separation = dot(point.onB - point.onA, manifold.normal);
            }
            manifolds.push_back(manifold);
        }
    }
}

}  // namespace

Real deepest(const collision::ManifoldList& manifolds) {
    Real least = kInfinity;
    for (const collision::ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            least = min(least, manifold.points[i].separation);
    return least;
}

Moment collidePair(const Flight& a, const Flight& b, const Reach& reach, bool isFar, Real dt, const Recycling& now,
                   SeenPair& seen, PairScratch& scratch) {
    const Vec3 offset = b.center - a.center;
    const Vec3 approach = b.velocity - a.velocity;
    collision::ManifoldList& manifolds = scratch.manifolds;
    const bool hasMesh = isMesh(a) || isMesh(b);
    if (areShells(a, b) && areBoxesApart(a, b, reach, now, seen)) {
        manifolds.clear();
        return {};
    }
    if (isFar) {
        seen.reach = -1;
        const Real time = areLevelSets(a, b) ? collideFarLevelSets(a, b, offset, dt, reach, scratch)
                                             : collideFarPair(a, b, offset, dt, reach, manifolds);
        if (time == 0 && hasMesh)
            addAhead(a, b, reach, dt, scratch);
        addTurned(a, b, reach, time, dt, scratch.manifolds, scratch.ahead);
        return {time};
    }
    if (areLevelSets(a, b)) {
        const Real time = collideLevelSets(a, b, reach, dt, now, seen, scratch);
        if (anyRolls(a, b, manifolds))
            seen.reach = -1;
        return {time};
    }
    now.remember(seen);
    if (const Moment midway{dt / 2, true}; collideMidway(a, b, reach, midway, seen, scratch))
        return midway;
    seen.reach = reach.reach + kSpareReach * (reach.reach - reach.close);
    seen.reach += scratch.isKept ? lagOf(a, b, dt, now) : now.tolerance();
    seen.distance = collideAt(a, b, offset, {}, within(reach, seen.reach), manifolds, scratch.known);
    if (areShells(a, b))
        seen.reach = min(seen.reach, reach.expected.slack);  // farther ones were looked for along the way only
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
        collideAt(a, b, offset, {next}, within(reach, max(reach.close, reach.reach * (1 - next / dt))), scratch.ahead);
        if (scratch.ahead.empty())  // they pass each other, unless something else moves them: the manifolds found before stay
            break;
        std::swap(manifolds, scratch.ahead);
        time = next;
    }
    if (time == 0 && hasMesh)
        addAhead(a, b, reach, dt, scratch);
    const bool isTurned = addTurned(a, b, reach, time, dt, scratch.manifolds, scratch.ahead);
    if (time > 0 || isTurned || anyRolls(a, b, manifolds))
        seen.reach = -1;
    return {time};
}

bool mayKeep(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Recycling& now, const SeenPair& seen,
             std::span<const dynamics::KeptManifold> old) {
    const Real motion = now.motionSince(seen);
    const bool ofFields = areLevelSets(a, b);
    const Real looked = ofFields ? nearOf(a, b, reach) : reach.reach;  // how far a search would look
    if (old.empty())
        return (ofFields ? max(looked, kSpareWay * relativeWay(a, b, dt)) : looked) + motion < seen.distance;
    return motion <= lagOf(a, b, dt, now) && looked + motion <= seen.reach &&
           stillHolds(a, b, reach, dt, now.turnOfLarger(seen), old);
}

void noteKnown(std::span<const dynamics::KeptManifold> old, std::vector<collision::KnownManifold>& known) {
    known.clear();
    for (const dynamics::KeptManifold& constraint : old) {
        collision::KnownManifold& manifold = known.emplace_back();
        manifold.key = constraint.id.key;
        manifold.childA = constraint.id.childA;
        manifold.childB = constraint.id.childB;
        manifold.normal = constraint.normal;
        manifold.count = constraint.count;
        for (int i = 0; i < constraint.count; ++i)
            manifold.features[i] = constraint.points[i].feature;
    }
}

}  // namespace sunder::world
