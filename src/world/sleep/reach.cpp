#include "world/sleep/reach.h"

#include <algorithm>

#include "collision/narrow_phase/collide.h"
#include "core/task_runner.h"
#include "world/pair/distances.h"
#include "world/sleep/wake.h"
#include "world/state/contact_filter.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

// Factor on the striker's speed: a light body that a heavy one strikes leaves it up to twice as fast as that came.
constexpr Real kThrow = 2;
// m per step: a slower body throws others no farther than the margin of contacts, within which bodies sleep and wake together.
constexpr Real kFastWay = kContactMargin;
constexpr std::size_t kReachPairsPerTask = 1024, kThrownPerRange = 32;  // grain of the tasks

Real wakeGap(const Body& a, const Body& b) {
    return min(kWakeGap, kWakeGapShare * min(a.shape->innerRadius, b.shape->innerRadius));
}

bool mayWake(const Body& a, const Body& b) { return !a.sensor && !b.sensor && (a.layer & b.mask) && (b.layer & a.mask); }

// Fills manifolds with the places where the two bodies, as they lie, are closer than the margin. Returns whether there are any.
bool findPlaces(VertexSearch vertexSearch, const Body& a, const Body& b, Real margin, collision::ManifoldList& manifolds) {
    manifolds.clear();
    const Pose poseA = shapePose(a, a.orientation);
    Pose poseB = shapePose(b, b.orientation);
    poseB.position += b.center - a.center;
    const Real reach = boundingRadius(a) + boundingRadius(b) + margin;
    if (lengthSquared(poseB.position - poseA.position) > square(reach))
        return false;
    if (!a.vertices && !b.vertices) {
        collision::collide(*a.shape, poseA, *b.shape, poseB, margin, manifolds);
        return !manifolds.empty();
    }
    for (std::uint32_t childA = 0; childA < colliderCount(a); ++childA)
        for (std::uint32_t childB = 0; childB < colliderCount(b); ++childB)
            searchVertices(vertexSearch, {&a, childA, poseA}, {&b, childB, poseB}, margin, manifolds);
    return !manifolds.empty();
}

Real leastSeparation(const collision::ContactManifold& manifold) {
    Real least = kInfinity;
    for (int i = 0; i < manifold.count; ++i)
        least = min(least, manifold.points[i].separation);
    return least;
}

void noteReached(SleepState& sleep, std::uint32_t island, Real way) {
    if (sleep.wayOf[island] < 0)
        sleep.reached.push_back(island);
    sleep.wayOf[island] = max(sleep.wayOf[island], way);
}

// m/s: how a body that is not asleep moves through the step. A body at rest is held, so forces do not move it.
Vec3 velocityOf(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t slot) {
    const Body& body = bodies[slot];
    if (body.motion == Motion::Static)
        return {};
    const Flight* flight = search.flightOf(slot);
    return body.restTime > 0 || !flight ? body.velocity : flight->velocity;
}
Real turningOf(const SearchState& search, std::uint32_t slot) {
    const Flight* flight = search.flightOf(slot);
    return flight ? flight->turning : Real(0);
}
// m/s: the most that any point of it can have.
Real speedOf(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t slot) {
    return length(velocityOf(bodies, search, slot)) + turningOf(search, slot);
}

// Whether an awake body comes to touch another body, which stays where it is, within the step, if nothing turns it aside.
// Returns what is then left of its way (m), or -1.
Real findWayLeft(WorldState& world, std::uint32_t slot, const Body& target, Real dt) {
    const Body& body = world.bodies[slot];
    if (!mayWake(body, target))
        return -1;
    const Vec3 velocity = velocityOf(world.bodies, world.search, slot);
    const Real way = speedOf(world.bodies, world.search, slot) * dt, turning = turningOf(world.search, slot),
               gap = wakeGap(body, target);
    if (!findPlaces(world.host.vertexSearch, body, target, way + gap, world.sleep.manifolds))
        return -1;
    Real left = -1;
    for (const collision::ContactManifold& manifold : world.sleep.manifolds) {
        const Real separation = leastSeparation(manifold);
        const Real closing = max(0, dot(velocity, manifold.normal) + turning) * dt;
        if (separation - closing <= gap)
            left = max(left, max(0, way - max(0, separation)));
    }
    return left;
}

void reach(WorldState& world, std::uint32_t slot, const Body& asleep, Real dt) {
    const Real left = findWayLeft(world, slot, asleep, dt);
    if (left >= 0)
        noteReached(world.sleep, asleep.island, kThrow * left);
}

// Notes the islands that a body can reach if it is thrown by `way` (m) in any direction. Each gap uses up some of the way, so
// this ends near the blow.
void reachFrom(WorldState& world, const Body& body, Real way) {
    if (!(way > 0))
        return;
    const Bounds bounds = expand(fatBounds(world.broadPhase, body), way);
    world.broadPhase.query(Motion::Dynamic, bounds, [&](std::uint32_t found) {
        const Body& other = world.bodies[slotOf(found)];
        if (!isAsleep(other) || other.island == body.island || !mayWake(body, other) ||
            !findPlaces(world.host.vertexSearch, body, other, way, world.sleep.manifolds))
            return;
        Real separation = kInfinity;
        for (const collision::ContactManifold& manifold : world.sleep.manifolds)
            separation = min(separation, leastSeparation(manifold));
        noteReached(world.sleep, other.island, max(0, way - max(0, separation)));
    });
}

// For a kinematic body that moves: its pairs with sleepers sleep too, so the sleepers around it are found by the broad phase.
void reachAround(WorldState& world, std::uint32_t slot, Real dt) {
    world.broadPhase.query(Motion::Dynamic, fatBounds(world.broadPhase, world.bodies[slot]), [&](std::uint32_t found) {
        if (const Body& other = world.bodies[slotOf(found)]; isAsleep(other) && passesFilter(world, slot, slotOf(found)))
            reach(world, slot, other, dt);
    });
}

bool isFast(const SearchState& search, std::uint32_t slot, Real dt) {
    const Flight* flight = search.flightOf(slot);
    return flight && flight->speed * dt > kFastWay;
}

// Notes islands that moving kinematic bodies reach. Returns whether any body is fast.
bool reachByMoving(WorldState& world, Real dt) {
    bool anyFast = false;
    for (const std::uint32_t slot : world.roster.moving) {
        const Body& body = world.bodies[slot];
        if (body.quarantined)
            continue;
        anyFast = anyFast || isFast(world.search, slot, dt);
        if (body.motion == Motion::Kinematic && !isStill(world.solve.bodies[body.solverIndex]))
            reachAround(world, slot, dt);
    }
    return anyFast;
}

// m: how far a body can be thrown by a fast one that strikes it.
Real throwOf(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t striker, Real dt) {
    return kThrow * speedOf(bodies, search, striker) * dt;
}

// What a pair means for sleepers: nothing; one of the two sleeps; both are awake, and a fast one may throw the other.
enum PairMark : std::uint8_t { kNoMark = 0, kHasSleeper = 1, kThrowsA = 2, kThrowsB = 4 };

bool mayThrow(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t striker, std::uint32_t target,
              Real dt) {
    return bodies[target].motion == Motion::Dynamic && isFast(search, striker, dt);
}

std::uint8_t markOf(const PagedVector<Body>& bodies, const SearchState& search, const ContactPair& pair, bool anyFast,
                    Real dt) {
    const bool aSleeps = isAsleep(bodies[pair.bodyA]), bSleeps = isAsleep(bodies[pair.bodyB]);
    if (aSleeps != bSleeps)
        return kHasSleeper;
    if (aSleeps || !anyFast)
        return kNoMark;
    return static_cast<std::uint8_t>((mayThrow(bodies, search, pair.bodyB, pair.bodyA, dt) ? kThrowsA : kNoMark) |
                                     (mayThrow(bodies, search, pair.bodyA, pair.bodyB, dt) ? kThrowsB : kNoMark));
}

// Fills SearchState::marks for all pairs.
void markPairs(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs, TaskRunner& tasks, SearchState& search,
               bool anyFast, Real dt) {
    search.marks.resize(pairs.size());
    runRanges(tasks, pairs.size(), kReachPairsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            search.marks[i] = markOf(bodies, search, pairs[i], anyFast, dt);
    });
}

// Lists in SleepState::thrown every body that a fast one may throw, with the farthest that any of them may throw it.
void listThrown(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs, const SearchState& search,
                SleepState& sleep, Real dt) {
    sleep.thrownAt.resize(bodies.size(), kNone);
    const auto note = [&](std::uint32_t striker, std::uint32_t target) {
        std::uint32_t& at = sleep.thrownAt[target];
        if (at == kNone) {
            at = static_cast<std::uint32_t>(sleep.thrown.size());
            sleep.thrown.push_back({target});
        }
        sleep.thrown[at].way = max(sleep.thrown[at].way, throwOf(bodies, search, striker, dt));
    };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (search.marks[i] & kThrowsA)
            note(pairs[i].bodyB, pairs[i].bodyA);
        if (search.marks[i] & kThrowsB)
            note(pairs[i].bodyA, pairs[i].bodyB);
    }
}

// Whether the bounds of anything that sleeps overlap the box. The walk ends at the first that is found.
bool isAnyAsleepIn(const PagedVector<Body>& bodies, const collision::BroadPhase& broadPhase, const Bounds& box) {
    bool any = false;
    const double none = -1;
    broadPhase.nearest(
        Motion::Dynamic, 0, [&](const Bounds& bounds) { return overlaps(bounds, box) ? 0 : double(kInfinity); },
        [&](std::uint32_t found) {
            any = any || isAsleep(bodies[slotOf(found)]);
            return any ? none : 0;
        });
    return any;
}

Bounds reachOf(const PagedVector<Body>& bodies, const collision::BroadPhase& broadPhase, const Thrown& thrown) {
    return expand(fatBounds(broadPhase, bodies[thrown.slot]), thrown.way);
}

// Finds which of the thrown bodies may reach a sleeper: one query for the bounds of all of them, and only where something
// sleeps there, one query for each. Where boxes tumble and others sleep elsewhere, single queries would cost more than the rest
// of the step.
void findSleepersNearThrown(WorldState& world) {
    std::vector<Thrown>& thrown = world.sleep.thrown;
    if (thrown.empty())
        return;
    Bounds all = reachOf(world.bodies, world.broadPhase, thrown.front());
    for (const Thrown& one : thrown)
        all = unite(all, reachOf(world.bodies, world.broadPhase, one));
    world.stepStats.wakeLooks += 1;
    if (!isAnyAsleepIn(world.bodies, world.broadPhase, all))
        return;
    world.stepStats.wakeLooks += static_cast<int>(thrown.size());
    runRanges(*world.tasks, thrown.size(), kThrownPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            thrown[i].isNearSleeper =
                isAnyAsleepIn(world.bodies, world.broadPhase, reachOf(world.bodies, world.broadPhase, thrown[i]));
    });
}

// Notes the islands that an awake body can reach if a fast one strikes it in this step.
void reachByThrow(WorldState& world, std::uint32_t striker, std::uint32_t target, Real dt) {
    if (world.sleep.thrown[world.sleep.thrownAt[target]].isNearSleeper)
        reachFrom(world, world.bodies[target], kThrow * findWayLeft(world, striker, world.bodies[target], dt));
}

void forgetThrown(SleepState& sleep) {
    for (const Thrown& thrown : sleep.thrown)
        sleep.thrownAt[thrown.slot] = kNone;
    sleep.thrown.clear();
}

// Notes the islands that are reached. Returns whether there are pairs of a sleeper with something that stays where it is.
bool findReached(WorldState& world, Real dt) {
    const bool anyFast = reachByMoving(world, dt);
    markPairs(world.bodies, world.pairs, *world.tasks, world.search, anyFast, dt);
    if (anyFast) {
        listThrown(world.bodies, world.pairs, world.search, world.sleep, dt);
        findSleepersNearThrown(world);
    }
    bool anyStays = false;
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const ContactPair& pair = world.pairs[i];
        const std::uint8_t mark = world.search.marks[i];
        if (mark & kThrowsB)
            reachByThrow(world, pair.bodyA, pair.bodyB, dt);
        if (mark & kThrowsA)
            reachByThrow(world, pair.bodyB, pair.bodyA, dt);
        if (!(mark & kHasSleeper))
            continue;
        const Body &a = world.bodies[pair.bodyA], &b = world.bodies[pair.bodyB];
        const bool aSleeps = isAsleep(a);
        anyStays = anyStays || sleepsWithIsland(a, b);
        if ((aSleeps ? b : a).motion != Motion::Kinematic)
            reach(world, aSleeps ? pair.bodyB : pair.bodyA, aSleeps ? a : b, dt);
    }
    forgetThrown(world.sleep);
    return anyStays;
}

// Notes the islands that the bodies of a waking island can reach in the same step.
void reachOn(WorldState& world, std::uint32_t island) {
    const Real way = world.sleep.wayOf[island];
    for (const std::uint32_t slot : world.sleep.islands[island].bodies)
        reachFrom(world, world.bodies[slot], way);
}

// New pairs of a sleeper with something that stays where it is, too far apart to wake it, sleep with its island.
void keepFarPairs(const PagedVector<Body>& bodies, const PagedVector<dynamics::ContactConstraint>& constraints,
                  PagedVector<ContactPair>& pairs, SleepState& sleep) {
    std::erase_if(pairs, [&](ContactPair& pair) {
        const Body &a = bodies[pair.bodyA], &b = bodies[pair.bodyB];
        if (isAsleep(a) == isAsleep(b) || !sleepsWithIsland(a, b))
            return false;
        pair.manifoldCount = 0;
        pair.seen = {};
        keepPair(bodies, constraints, sleep, pair);
        return true;
    });
}

}  // namespace

bool wakeReached(WorldState& world, Real dt) {
    if (!isAnyAsleep(world.sleep))
        return false;
    SleepState& sleep = world.sleep;
    if (sleep.wayOf.size() < sleep.islands.size())
        sleep.wayOf.resize(sleep.islands.size(), Real(-1));
    const bool anyStays = findReached(world, dt);
    for (std::size_t i = 0; i < sleep.reached.size(); ++i)  // the list grows meanwhile
        reachOn(world, sleep.reached[i]);
    for (const std::uint32_t island : sleep.reached)
        sleep.wayOf[island] = -1;
    const bool any = !sleep.reached.empty();
    wakeIslands(world, sleep.reached);
    sleep.reached.clear();
    if (anyStays)
        keepFarPairs(world.bodies, world.constraints, world.pairs, sleep);
    return any;
}

}  // namespace sunder::world
