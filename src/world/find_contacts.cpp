#include "world/find_contacts.h"

#include <algorithm>

#include "collision/continuous/time_of_impact.h"
#include "collision/narrow_phase/collide.h"
#include "collision/narrow_phase/rest_depth.h"
#include "core/stopwatch.h"
#include "dynamics/contact/inherit.h"
#include "world/events.h"
#include "world/joints.h"
#include "world/make_constraint.h"
#include "world/motion.h"
#include "world/recycle.h"
#include "world/sleep.h"

namespace sunder::world {

namespace {

constexpr int kPairsPerBlock = 32;
constexpr int kProxiesPerBlock = 32;
constexpr std::size_t kBodiesPerBlock = 256, kPairsPerRange = 1024;

// Surfaces this close are in contact even when nothing moves (m), less for small shapes.
constexpr Real kContactMargin = Real(0.02);
constexpr Real kContactMarginShare = Real(0.2);  // of the thinner body's inner radius
// A pair that meets later in the step is looked at again where it will be; this often at most.
constexpr int kMaxAdvances = 3;

// A pair that could pass through each other in a step is searched for its time of impact, to this share of the smaller body's
// radius: nearer than that a body that passes by counts as one that hits.
constexpr Real kImpactTolerance = Real(0.002);
// The larger a search, the longer its result may be kept: it reaches past what this step needs by this part of the motion.
constexpr Real kSpareReach = Real(0.25);

// How two level sets move against each other may change within the step; so many times their way as it is now is looked for.
constexpr Real kSpareWay = Real(1.25);

// Where world.flights has none, as of static bodies, `own` takes it.
const Flight& flightOf(const WorldState& world, std::uint32_t slot, Real dt, Flight& own) {
    const Flight& flight = world.flights[slot];
    if (flight.stamp == world.flightStamp)
        return flight;
    own = flightOf(world.bodies[slot], {}, dt);
    return own;
}

// The body's flight through the step, and its bounds swept along it.
void foresee(WorldState& world, std::uint32_t slot, Real dt) {
    const Body& body = world.bodies[slot];
    Flight& flight = world.flights[slot];
    const bool falls = body.motion == Motion::Dynamic;
    flight = flightOf(body, falls ? world.solverConstants[body.solverIndex].acceleration : Vec3{}, dt);
    Pose start = flight.shapePose;
    start.position = toVec3(body.center + start.position);
    const Bounds now = collision::worldBounds(*body.shape, start);
    const Vec3 motion = flight.velocity * dt;
    const Real turn = flight.turning * dt;
    const Bounds later{now.low + motion, now.high + motion};
    flight.swept = expand(unite(now, later), kContactMargin + min(turn, 2 * body.shape->boundingRadius));
}

// Bounds are swept by the expected motion, so that a pair that will meet is found before it does.
void updateProxies(WorldState& world, Real dt) {
    if (world.flights.size() < world.bodies.size())
        world.flights.resize(world.bodies.size());
    std::vector<std::uint8_t>& leavesBounds = world.marks;
    leavesBounds.assign(world.moving.size(), 0);
    runRanges(*world.tasks, world.moving.size(), kBodiesPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Body& body = world.bodies[world.moving[i]];
            Flight& flight = world.flights[world.moving[i]];
            if (body.quarantined || flight.stamp == world.flightStamp)
                continue;
            foresee(world, world.moving[i], dt);
            flight.stamp = world.flightStamp;
            leavesBounds[i] = !collision::fits(world.broadPhase.fatBounds(body.proxy), flight.swept, flight.velocity * dt);
        }
    });
    for (std::size_t i = 0; i < world.moving.size(); ++i)
        if (leavesBounds[i]) {
            const Flight& flight = world.flights[world.moving[i]];
            world.broadPhase.move(world.bodies[world.moving[i]].proxy, flight.swept, flight.velocity * dt);
        }
}

bool mayTouch(const Body& a, const Body& b) {
    if (isAsleep(a) && isAsleep(b))  // whichever wakes first finds the other
        return false;
    return (a.motion == Motion::Dynamic || b.motion == Motion::Dynamic) && (a.layer & b.mask) && (b.layer & a.mask);
}

bool mayTouch(const WorldState& world, std::uint64_t key) {
    const Body &a = world.bodies[collision::lowBody(key)], &b = world.bodies[collision::highBody(key)];
    return mayTouch(a, b) && !a.quarantined && !b.quarantined && !isJoinedPair(world, key);
}

// Drops the pairs that are none any more. The last pairs take their places.
void dropPairs(WorldState& world, bool joinsChanged) {
    std::vector<std::uint8_t>& isOver = world.marks;
    isOver.resize(world.pairs.size());
    runRanges(*world.tasks, world.pairs.size(), kPairsPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const ContactPair& pair = world.pairs[i];
            const Body &a = world.bodies[pair.bodyA], &b = world.bodies[pair.bodyB];
            isOver[i] = a.quarantined || b.quarantined || !world.broadPhase.overlap(a.proxy, b.proxy) ||
                        (joinsChanged && isJoinedPair(world, collision::pairKey(pair.bodyA, pair.bodyB)));
        }
    });
    for (std::size_t i = world.pairs.size(); i-- > 0;) {
        if (!isOver[i])
            continue;
        const ContactPair& pair = world.pairs[i];
        if (pair.touching)
            noteEnd(world, pair);
        world.pairSet.erase(collision::pairKey(pair.bodyA, pair.bodyB));
        world.pairs[i] = world.pairs.back();
        world.pairs.pop_back();
    }
}

void updatePairs(WorldState& world) {
    dropPairs(world, refreshJointPairs(world));
    const auto moved = world.broadPhase.movedProxies();
    const int blocks = (static_cast<int>(moved.size()) + kProxiesPerBlock - 1) / kProxiesPerBlock;
    if (static_cast<int>(world.pairBuffers.size()) < blocks)
        world.pairBuffers.resize(blocks);
    runTasks(*world.tasks, blocks, [&](int block) {
        const std::size_t begin = std::size_t(block) * kProxiesPerBlock;
        world.pairBuffers[block].clear();
        world.broadPhase.findPairs(moved.subspan(begin, std::min<std::size_t>(kProxiesPerBlock, moved.size() - begin)),
                                   world.pairSet, world.pairBuffers[block]);
        std::erase_if(world.pairBuffers[block], [&](std::uint64_t key) { return !mayTouch(world, key); });
    });
    world.newPairs.clear();
    for (int block = 0; block < blocks; ++block)
        world.newPairs.insert(world.newPairs.end(), world.pairBuffers[block].begin(), world.pairBuffers[block].end());
    world.broadPhase.finishPairs(world.newPairs);
    for (const std::uint64_t key : world.newPairs) {
        const std::uint32_t a = collision::lowBody(key), b = collision::highBody(key);
        world.pairSet.insert(key);
        ContactPair& pair = world.pairs.emplace_back();
        pair.bodyA = a;
        pair.bodyB = b;
        // Neighbours of a body that broke in this step lie as they were cut: their overlap is no reason to part.
        const std::uint64_t birth = world.bodies[a].birth;
        const bool areSiblings = birth > world.breaking.countBefore && birth == world.bodies[b].birth;
        if (areSiblings || world.bodies[a].isFresh || world.bodies[b].isFresh)
            pair.restDepth = collision::kMeasureRestDepth;
    }
    for (std::size_t slot = 0; world.hasFresh && slot < world.bodies.size(); ++slot)
        world.bodies[slot].isFresh = false;
    world.hasFresh = false;
}

Real deepest(const collision::ManifoldList& manifolds) {
    Real least = kInfinity;
    for (const collision::ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            least = min(least, manifold.points[i].separation);
    return least;
}

// Returns how far apart the surfaces are at least; 0 where there are manifolds.
Real collideAt(const Flight& a, const Flight& b, const Vec3& offset, Real time, Real margin, collision::ManifoldList& out,
               collision::KnownManifolds known = {}) {
    out.clear();
    const Pose poseA = shapePoseAt(a, time);
    Pose poseB = shapePoseAt(b, time);
    poseB.position += offset;
    return collision::collide(*a.shape, poseA, *b.shape, poseB, margin, out, known);
}

// Lists of the pair that a thread looks at, kept for their memory.
struct PairScratch {
    collision::ManifoldList manifolds, ahead;
    std::vector<collision::KnownManifold> known;
};

// How far two bodies must see for one step.
struct Reach {
    Real close;    // m: surfaces this close are in contact even when nothing moves
    Real turning;  // m/s
    Real reach;    // m
};

bool areLevelSets(const Flight& a, const Flight& b) { return a.shape->hasLevelSet && b.shape->hasLevelSet; }

// m: how much nearer turning brings a surface in a step. It stays within the ball about the body.
Real turningWay(const Flight& flight, Real dt) { return min(flight.turning * dt, flight.radius - flight.innerRadius); }

// m: how far a point of one body moves at most in a step as seen from the other. Bodies that fly on together, as the pieces of
// one body do, come no nearer.
Real relativeWay(const Flight& a, const Flight& b, Real dt) {
    const Vec3 velocity = b.velocity - a.velocity, arm = b.center - a.center;
    const Real turning = length(b.angularVelocity - a.angularVelocity) * min(a.radius, b.radius);
    const Vec3& w = a.radius > b.radius ? a.angularVelocity : b.angularVelocity;
    const Real together = (length(velocity - cross(w, arm)) + turning) * dt;
    return min(together, length(velocity) * dt + turningWay(a, dt) + turningWay(b, dt));
}

Reach reachOf(const Flight& a, const Flight& b, Real dt) {
    const Real thinner = min(a.innerRadius, b.innerRadius);
    const Real close = min(kContactMargin, kContactMarginShare * thinner);
    // Either may be stopped by something else during the step, so that their own speeds count, not only the relative one.
    const Real turning = a.turning + b.turning;
    Real way = (a.speed + b.speed + turning) * dt;
    // Not so far in a cloud of pieces, each of which would have to do with all others.
    if (areLevelSets(a, b))
        way = min(way, kSpareWay * relativeWay(a, b, dt) + thinner);
    return {close, turning, way + close};
}

// Whether not even the balls around the shapes come within reach.
bool areFar(const Flight& a, const Flight& b, Real reach) {
    const Vec3 between = b.center - a.center + (b.shapePose.position - a.shapePose.position);
    return lengthSquared(between) > square(a.radius + b.radius + reach);
}

// When a gap along the normal can be closed at the earliest, infinity if never.
Real earliestContact(const Reach& reach, Real gap, Real closing) {
    return closing > 0 ? (gap - Real(0.5) * reach.close) / closing : kInfinity;
}

// How far two bodies must move to pass through each other: both thicknesses. A mesh has none, and holds what has its centre in
// front of it.
Real passingDistance(const BuiltShape& a, const BuiltShape& b) {
    const Real inner = a.innerRadius + b.innerRadius;
    return a.type == ShapeType::Mesh || b.type == ShapeType::Mesh ? inner : 2 * inner;
}

// Whether the pair goes far enough in the step for one to pass through the other.
bool isFarPair(const Flight& a, const Flight& b, Real dt) {
    return (length(b.velocity - a.velocity) + a.turning + b.turning) * dt > passingDistance(*a.shape, *b.shape);
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

// The same as collidePair for two level sets, which have many points: only those that are close are looked at, now or, where
// the bodies meet later in the step, then. A cloud of pieces would otherwise be all contacts.
Real collideLevelSets(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Recycling& now, SeenPair& seen,
                      PairScratch& scratch) {
    const Vec3 offset = b.center - a.center;
    const Real near = min(reach.reach, reach.close + min(a.innerRadius, b.innerRadius));
    now.remember(seen);
    seen.reach = near + now.tolerance();
    seen.distance = collideAt(a, b, offset, 0, seen.reach, scratch.manifolds, scratch.known);
    if (!scratch.manifolds.empty() || seen.distance >= kSpareWay * relativeWay(a, b, dt))
        return 0;
    const collision::TimeOfImpact impact = impactOf(a, b, offset, dt);
    if (impact.status != collision::TimeOfImpact::Status::Meets)
        return 0;
    seen.reach = -1;
    collideAt(a, b, offset, impact.time, near, scratch.manifolds);
    return impact.time;
}

// The same as collidePair for bodies that go far within the step: what they meet is found however thin it is.
Real collideFarPair(const Flight& a, const Flight& b, const Vec3& offset, Real dt, const Reach& reach,
                    collision::ManifoldList& manifolds) {
    using Status = collision::TimeOfImpact::Status;
    const BuiltShape &shapeA = *a.shape, &shapeB = *b.shape;
    const collision::TimeOfImpact impact = impactOf(a, b, offset, dt);
    if (impact.status == Status::Meets) {
        // Around the place of the impact; what a body turned aside would meet is not the contacts' business.
        const Real size = min(shapeA.boundingRadius, shapeB.boundingRadius);
        collideAt(a, b, offset, impact.time, max(reach.close, min(size, reach.reach * (1 - impact.time / dt))), manifolds);
        return impact.time;
    }
    collideAt(a, b, offset, 0, reach.reach, manifolds);
    if (impact.status == Status::Apart)
        std::erase_if(manifolds, [&](const collision::ContactManifold& m) { return isGhost(a, b, offset, dt, m); });
    return 0;
}

// The manifolds of a pair, and the time within the step at which the bodies were looked at: now where they are already
// close; where and when they will meet, if they meet later in the step. Points are relative to A's centre at the start.
Real collidePair(const Flight& a, const Flight& b, const Reach& reach, bool isFar, Real dt, const Recycling& now,
                 SeenPair& seen, PairScratch& scratch) {
    const Vec3 offset = b.center - a.center;
    const Vec3 approach = b.velocity - a.velocity;
    collision::ManifoldList& manifolds = scratch.manifolds;
    if (isFar) {
        seen.reach = -1;
        return collideFarPair(a, b, offset, dt, reach, manifolds);
    }
    if (areLevelSets(a, b))
        return collideLevelSets(a, b, reach, dt, now, seen, scratch);
    now.remember(seen);
    seen.reach = reach.reach + kSpareReach * (reach.reach - reach.close) + now.tolerance();
    seen.distance = collideAt(a, b, offset, 0, seen.reach, manifolds, scratch.known);
    if (!manifolds.empty() && deepest(manifolds) > reach.reach) {
        seen.distance = deepest(manifolds);
        manifolds.clear();
    }
    Real time = 0;
    for (int advance = 0; advance < kMaxAdvances; ++advance) {
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
        collideAt(a, b, offset, next, max(reach.close, reach.reach * (1 - next / dt)), scratch.ahead);
        if (scratch.ahead.empty())  // they pass each other if nothing else moves them; what was seen before may still be needed
            break;
        std::swap(manifolds, scratch.ahead);
        time = next;
    }
    if (time > 0 || a.rolls || b.rolls)
        seen.reach = -1;
    return time;
}

// Whether manifolds of the last step are all that is needed: false where one that is not yet close would meet within the step,
// so that it must be looked at where it will be.
bool stillHolds(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Quat& turned,
                std::span<const dynamics::ContactConstraint> manifolds) {
    const auto arm = [](const Flight& flight, const Vec3& anchor) {
        return flight.fixed ? anchor : rotate(flight.orientation, anchor);
    };
    const Vec3 offset = b.center - a.center, approach = b.velocity - a.velocity;
    Real gap = kInfinity, closing = 0;
    for (const dynamics::ContactConstraint& c : manifolds) {
        const Vec3 normal = rotate(turned, c.normal);
        for (int i = 0; i < c.count; ++i)
            gap = min(gap, dot(offset + arm(b, c.points[i].anchorB) - arm(a, c.points[i].anchorA), normal));
        closing = max(closing, reach.turning - dot(approach, normal));
    }
    return gap <= reach.close || !(earliestContact(reach, gap, closing) < dt);
}

// Whether the manifolds of the last step serve this one too, because the bodies have hardly moved against each other.
bool mayKeep(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Recycling& now, const SeenPair& seen,
             std::span<const dynamics::ContactConstraint> old) {
    const Real motion = now.motionSince(seen);
    if (old.empty())
        return reach.reach + motion < seen.distance;
    return motion <= now.tolerance() && reach.reach + motion <= seen.reach &&
           stillHolds(a, b, reach, dt, now.turnOfLarger(seen), old);
}

void noteKnown(std::span<const dynamics::ContactConstraint> old, std::vector<collision::KnownManifold>& known) {
    known.clear();
    for (const dynamics::ContactConstraint& constraint : old) {
        collision::KnownManifold& manifold = known.emplace_back();
        manifold.key = constraint.key;
        manifold.count = constraint.count;
        for (int i = 0; i < constraint.count; ++i)
            manifold.features[i] = constraint.points[i].feature;
    }
}

void collideBlock(WorldState& world, int block, Real dt, Real impulseScale) {
    thread_local PairScratch scratch;
    NarrowPhaseBlock& out = world.narrowPhaseBlocks[block];
    out.constraints.clear();
    out.kept.clear();
    std::uint32_t count = 0;  // of manifolds, kept and new
    out.impacts.clear();
    const bool mayRecycle = world.def.stepper == Stepper::FrameRate;
    const std::size_t begin = std::size_t(block) * kPairsPerBlock;
    const std::size_t end = std::min(begin + kPairsPerBlock, world.pairs.size());
    Flight ownA, ownB;
    for (std::size_t i = begin; i < end; ++i) {
        ContactPair& pair = world.pairs[i];
        const Flight &a = flightOf(world, pair.bodyA, dt, ownA), &b = flightOf(world, pair.bodyB, dt, ownB);
        const Reach reach = reachOf(a, b, dt);
        if (areFar(a, b, reach.reach)) {
            pair.firstManifold = count;
            pair.manifoldCount = 0;
            pair.sensorTouches = false;
            pair.restDepth = 0;
            pair.seen = {};
            continue;
        }
        const Recycling now(a, b);
        const std::span<const dynamics::ContactConstraint> old{world.previousConstraints.data() + pair.firstManifold,
                                                               pair.manifoldCount};
        const std::uint32_t oldFirst = pair.firstManifold;
        pair.firstManifold = count;  // within the block; made global below
        const bool isFar = isFarPair(a, b, dt);
        if (pair.seen.reach >= 0 && !isFar && mayKeep(a, b, reach, dt, now, pair.seen, old)) {
            if (!old.empty())
                out.kept.push_back({static_cast<std::uint32_t>(i), oldFirst});
            count += pair.manifoldCount;
            continue;
        }
        noteKnown(old, scratch.known);
        const Real time = collidePair(a, b, reach, isFar, dt, now, pair.seen, scratch);
        if (pair.restDepth != 0)
            collision::tolerateOverlap(scratch.manifolds, pair.restDepth);
        if (time > 0 && isFar)
            out.impacts.push_back({static_cast<std::uint32_t>(i), time, false});
        pair.manifoldCount = static_cast<std::uint32_t>(scratch.manifolds.size());
        pair.sensorTouches = false;
        if (a.body->sensor || b.body->sensor) {
            pair.sensorTouches = time == 0 && deepest(scratch.manifolds) <= 0;
            pair.manifoldCount = 0;
            pair.seen.reach = -1;
            continue;
        }
        if (!mayRecycle || isAsleep(*a.body) || isAsleep(*b.body))
            pair.seen.reach = -1;
        for (const collision::ContactManifold& manifold : scratch.manifolds) {
            out.constraints.emplace_back();
            makeConstraint(a, b, time, manifold, out.constraints.back());
            dynamics::inheritImpulses(out.constraints.back(), old, impulseScale);
        }
        count += pair.manifoldCount;
    }
    out.count = count;
}

// Puts the manifolds of a block's pairs where they belong among all: those of the last step that are kept, and new ones.
void placeBlock(WorldState& world, int block, std::size_t offset, Real dt, Real impulseScale) {
    const NarrowPhaseBlock& found = world.narrowPhaseBlocks[block];
    const std::size_t begin = std::size_t(block) * kPairsPerBlock;
    const std::size_t end = std::min(begin + kPairsPerBlock, world.pairs.size());
    auto kept = found.kept.begin();
    auto fresh = found.constraints.begin();
    Flight ownA, ownB;
    for (std::size_t i = begin; i < end; ++i) {
        ContactPair& pair = world.pairs[i];
        pair.firstManifold += static_cast<std::uint32_t>(offset);
        if (pair.manifoldCount == 0)
            continue;
        const std::span manifolds = std::span(world.constraints).subspan(pair.firstManifold, pair.manifoldCount);
        if (kept == found.kept.end() || kept->pair != i) {
            std::copy_n(fresh, pair.manifoldCount, manifolds.begin());
            fresh += pair.manifoldCount;
            continue;
        }
        std::copy_n(world.previousConstraints.begin() + kept->oldFirst, pair.manifoldCount, manifolds.begin());
        ++kept;
        const Flight &a = flightOf(world, pair.bodyA, dt, ownA), &b = flightOf(world, pair.bodyB, dt, ownB);
        Recycling(a, b).turnWithLarger(pair.seen, manifolds);
        for (dynamics::ContactConstraint& constraint : manifolds) {
            setPair(a, b, constraint);
            startNextStep(constraint, impulseScale);
        }
    }
}

// Lays the blocks' results end to end, in the order of the pairs whatever thread made them.
void gatherBlocks(WorldState& world, int blocks, Real dt, Real impulseScale) {
    std::vector<std::size_t>& offsets = world.blockOffsets;
    offsets.assign(blocks + 1, 0);
    for (int block = 0; block < blocks; ++block)
        offsets[block + 1] = offsets[block] + world.narrowPhaseBlocks[block].count;
    world.constraints.resize(offsets[blocks]);
    runTasks(*world.tasks, blocks, [&](int block) { placeBlock(world, block, offsets[block], dt, impulseScale); });
}

// A body's impacts after its first are seen along a way that it will not go: their contacts go, and limitFastBodies looks for
// what it meets instead. Impacts within the time in which it covers its own length are one blow, as in a corner or a pile.
void dropLateImpacts(WorldState& world, Real dt) {
    std::vector<std::pair<std::uint32_t, Real>> first;  // by slot: when the body's first impact is over
    const auto forEachImpact = [&](auto&& visit) {
        for (NarrowPhaseBlock& block : usedBlocks(world))
            for (FarImpact& impact : block.impacts)
                visit(impact, world.pairs[impact.pair]);
    };
    forEachImpact([&](const FarImpact& impact, const ContactPair& pair) {
        for (const std::uint32_t slot : {pair.bodyA, pair.bodyB})
            if (const Body& body = world.bodies[slot]; body.motion == Motion::Dynamic && !isAsleep(body)) {
                const Real speed = world.flights[slot].speed;
                first.push_back({slot, impact.time + (speed > 0 ? 2 * body.shape->boundingRadius / speed : dt)});
            }
    });
    if (first.empty())
        return;
    std::sort(first.begin(), first.end());
    const auto isOver = [&](std::uint32_t slot, Real time) {
        const auto found = std::lower_bound(first.begin(), first.end(), std::pair(slot, Real(0)));
        return found != first.end() && found->first == slot && found->second < time;
    };
    forEachImpact([&](FarImpact& impact, const ContactPair& pair) {
        impact.isLate = isOver(pair.bodyA, impact.time) || isOver(pair.bodyB, impact.time);
        for (std::uint32_t i = 0; impact.isLate && i < pair.manifoldCount; ++i)
            world.constraints[pair.firstManifold + i].count = 0;
    });
}

}  // namespace

void findContacts(WorldState& world, Real dt, Real impulseScale) {
    const Stopwatch broadPhaseTime;
    ++world.flightStamp;
    updateProxies(world, dt);
    updatePairs(world);
    if (wakeReached(world, dt)) {
        gatherBodies(world, dt);
        updateProxies(world, dt);
        updatePairs(world);
    }
    world.stepStats.broadPhaseMs += broadPhaseTime.milliseconds();

    const Stopwatch collideTime;
    std::swap(world.constraints, world.previousConstraints);
    const int blocks = (static_cast<int>(world.pairs.size()) + kPairsPerBlock - 1) / kPairsPerBlock;
    if (static_cast<int>(world.narrowPhaseBlocks.size()) < blocks)
        world.narrowPhaseBlocks.resize(blocks);
    runTasks(*world.tasks, blocks, [&](int block) { collideBlock(world, block, dt, impulseScale); });
    gatherBlocks(world, blocks, dt, impulseScale);
    dropLateImpacts(world, dt);
    world.stepStats.collideMs += collideTime.milliseconds();
}

}  // namespace sunder::world
