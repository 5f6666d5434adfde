#include "world/sleep/wake.h"

#include <algorithm>

#include "collision/narrow_phase/collide.h"
#include "core/task_runner.h"
#include "world/pair/distances.h"
#include "world/state/contact_filter.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

// A light body leaves a heavy one that strikes it up to twice as fast as that came.
constexpr Real kThrow = 2;
// m in a step: what is slower throws nothing past the margin of contacts, within which bodies sleep and wake together.
constexpr Real kFastWay = kContactMargin;
constexpr std::size_t kPairsPerRange = 1024, kThrownPerRange = 32;

Real wakeGap(const Body& a, const Body& b) {
    return min(kWakeGap, kWakeGapShare * min(a.shape->innerRadius, b.shape->innerRadius));
}

bool mayWake(const Body& a, const Body& b) { return !a.sensor && !b.sensor && (a.layer & b.mask) && (b.layer & a.mask); }

// Fills SleepState::manifolds with the places where the two bodies, as they lie, are closer than the margin.
bool findPlaces(WorldState& world, const Body& a, const Body& b, Real margin) {
    collision::ManifoldList& manifolds = world.sleep.manifolds;
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
            searchVertices(world.vertexSearch, {&a, childA, poseA}, {&b, childB, poseB}, margin, manifolds);
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

// How a body that is not asleep goes through the step. What rests is held: the acceleration leads nowhere.
Vec3 velocityOf(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t slot) {
    const Body& body = bodies[slot];
    if (body.motion == Motion::Static)
        return {};
    return body.restTime > 0 ? body.velocity : search.flights[slot].velocity;
}
Real turningOf(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t slot) {
    return bodies[slot].motion == Motion::Static ? Real(0) : search.flights[slot].turning;
}
// m/s, of any point.
Real speedOf(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t slot) {
    return length(velocityOf(bodies, search, slot)) + turningOf(bodies, search, slot);
}

// Whether something that is not asleep comes to touch another body, which stays where it is, within the step, if nothing turns
// it aside. Returns what is then left of its way (m), else -1.
Real findWayLeft(WorldState& world, std::uint32_t slot, const Body& target, Real dt) {
    const Body& body = world.bodies[slot];
    if (!mayWake(body, target))
        return -1;
    const Vec3 velocity = velocityOf(world.bodies, world.search, slot);
    const Real way = speedOf(world.bodies, world.search, slot) * dt, turning = turningOf(world.bodies, world.search, slot),
               gap = wakeGap(body, target);
    if (!findPlaces(world, body, target, way + gap))
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

// What a body may reach that is thrown so far, in whatever direction. Gaps use up the way, so this ends near the blow.
void reachFrom(WorldState& world, const Body& body, Real way) {
    if (!(way > 0))
        return;
    const Bounds bounds = expand(fatBounds(world.broadPhase, body), way);
    world.broadPhase.query(Motion::Dynamic, bounds, [&](std::uint32_t found) {
        const Body& other = world.bodies[slotOf(found)];
        if (!isAsleep(other) || other.island == body.island || !mayWake(body, other) || !findPlaces(world, body, other, way))
            return;
        Real separation = kInfinity;
        for (const collision::ContactManifold& manifold : world.sleep.manifolds)
            separation = min(separation, leastSeparation(manifold));
        noteReached(world.sleep, other.island, max(0, way - max(0, separation)));
    });
}

// A kinematic body that moves: its pairs with sleepers sleep, too, so it looks around.
void reachAround(WorldState& world, std::uint32_t slot, Real dt) {
    world.broadPhase.query(Motion::Dynamic, fatBounds(world.broadPhase, world.bodies[slot]), [&](std::uint32_t found) {
        if (const Body& other = world.bodies[slotOf(found)]; isAsleep(other) && passesFilter(world, slot, slotOf(found)))
            reach(world, slot, other, dt);
    });
}

bool isFast(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t slot, Real dt) {
    return bodies[slot].motion != Motion::Static && search.flights[slot].speed * dt > kFastWay;
}

// Kinematic bodies that move look around. Returns whether any body is fast.
bool reachByMoving(WorldState& world, Real dt) {
    bool anyFast = false;
    for (const std::uint32_t slot : world.roster.moving) {
        const Body& body = world.bodies[slot];
        if (body.quarantined)
            continue;
        anyFast = anyFast || isFast(world.bodies, world.search, slot, dt);
        if (body.motion == Motion::Kinematic && !isStill(world.solve.bodies[body.solverIndex]))
            reachAround(world, slot, dt);
    }
    return anyFast;
}

// m: how far a body may be thrown that a fast one strikes.
Real throwOf(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t striker, Real dt) {
    return kThrow * speedOf(bodies, search, striker) * dt;
}

// What a pair means for sleepers: nothing; one of the two sleeps; both are awake, and a fast one may throw the other.
enum PairMark : std::uint8_t { kNoMark = 0, kHasSleeper = 1, kThrowsA = 2, kThrowsB = 4 };

bool mayThrow(const PagedVector<Body>& bodies, const SearchState& search, std::uint32_t striker, std::uint32_t target,
              Real dt) {
    return bodies[target].motion == Motion::Dynamic && isFast(bodies, search, striker, dt);
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
void markPairs(WorldState& world, bool anyFast, Real dt) {
    world.search.marks.resize(world.pairs.size());
    runRanges(*world.tasks, world.pairs.size(), kPairsPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            world.search.marks[i] = markOf(world.bodies, world.search, world.pairs[i], anyFast, dt);
    });
}

// Lists in SleepState::thrown every body that a fast one may throw, with the farthest that any of them may throw it.
void listThrown(WorldState& world, Real dt) {
    SleepState& sleep = world.sleep;
    sleep.thrownAt.resize(world.bodies.size(), kNone);
    const auto note = [&](std::uint32_t striker, std::uint32_t target) {
        std::uint32_t& at = sleep.thrownAt[target];
        if (at == kNone) {
            at = static_cast<std::uint32_t>(sleep.thrown.size());
            sleep.thrown.push_back({target});
        }
        sleep.thrown[at].way = max(sleep.thrown[at].way, throwOf(world.bodies, world.search, striker, dt));
    };
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        if (world.search.marks[i] & kThrowsA)
            note(world.pairs[i].bodyB, world.pairs[i].bodyA);
        if (world.search.marks[i] & kThrowsB)
            note(world.pairs[i].bodyA, world.pairs[i].bodyB);
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

// Finds which of the thrown bodies may reach a sleeper: one question for all of them together, and only where something sleeps
// among them, one for each. Where boxes tumble and others sleep elsewhere, the second would cost more than all else in the
// step.
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

// What an awake body may be thrown at, that a fast one strikes in this step.
void reachByThrow(WorldState& world, std::uint32_t striker, std::uint32_t target, Real dt) {
    if (world.sleep.thrown[world.sleep.thrownAt[target]].isNearSleeper)
        reachFrom(world, world.bodies[target], kThrow * findWayLeft(world, striker, world.bodies[target], dt));
}

void forgetThrown(SleepState& sleep) {
    for (const Thrown& thrown : sleep.thrown)
        sleep.thrownAt[thrown.slot] = kNone;
    sleep.thrown.clear();
}

// Returns whether there are pairs of a sleeper with something that stays where it is.
bool findReached(WorldState& world, Real dt) {
    const bool anyFast = reachByMoving(world, dt);
    markPairs(world, anyFast, dt);
    if (anyFast) {
        listThrown(world, dt);
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

// What the bodies of a waking island may reach in the same step.
void reachOn(WorldState& world, std::uint32_t island) {
    const Real way = world.sleep.wayOf[island];
    for (const std::uint32_t slot : world.sleep.islands[island].bodies)
        reachFrom(world, world.bodies[slot], way);
}

// A new pair of a sleeper and something that stays where it is, too far apart to matter: it sleeps, too.
void keepFarPairs(WorldState& world) {
    std::erase_if(world.pairs, [&](ContactPair& pair) {
        const Body &a = world.bodies[pair.bodyA], &b = world.bodies[pair.bodyB];
        if (isAsleep(a) == isAsleep(b) || !sleepsWithIsland(a, b))
            return false;
        pair.manifoldCount = 0;
        pair.seen = {};
        keepPair(world.bodies, world.constraints, world.sleep, pair);
        return true;
    });
}

void listAwake(const PagedVector<Body>& bodies, BodyRoster& roster, std::span<const std::uint32_t> slots) {
    const auto bySerial = [&](std::uint32_t a, std::uint32_t b) { return bodies[a].serial < bodies[b].serial; };
    constexpr std::size_t kFew = 8;  // one by one costs no look at those that stay in place
    if (slots.size() <= kFew) {
        for (const std::uint32_t slot : slots)
            roster.moving.insert(std::upper_bound(roster.moving.begin(), roster.moving.end(), slot, bySerial), slot);
        return;
    }
    const std::ptrdiff_t middle = std::ptrdiff_t(roster.moving.size());
    roster.moving.insert(roster.moving.end(), slots.begin(), slots.end());
    std::inplace_merge(roster.moving.begin(), roster.moving.begin() + middle, roster.moving.end(), bySerial);
}

// Appends the islands of sleepers that a joint connects with the body.
void listJoined(const PagedVector<Body>& bodies, const std::vector<Joint>& joints, std::uint32_t slot,
                std::vector<std::uint32_t>& islands) {
    for (const Joint& joint : joints) {
        if (!joint.alive || (joint.bodyA != slot && joint.bodyB != slot))
            continue;
        const std::uint32_t other = joint.bodyA == slot ? joint.bodyB : joint.bodyA;
        if (other != kWorldSlot && isAsleep(bodies[other]))
            islands.push_back(bodies[other].island);
    }
}

void wakeIsland(WorldState& world, std::uint32_t index) {
    SleepState& sleep = world.sleep;
    SleepingIsland& island = sleep.islands[index];
    for (const std::uint32_t slot : island.bodies) {
        Body& body = world.bodies[slot];
        body.island = kNone;
        body.restTime = 0;
        touchProxies(world.broadPhase, body);
        sleep.nextEvents.push_back({{slot, body.generation}, false});
    }
    listAwake(world.bodies, world.roster, island.bodies);
    world.jointRoster.dueKnown = false;
    const auto first = static_cast<std::uint32_t>(world.constraints.size());
    for (ContactPair& pair : island.pairs) {
        pair.firstManifold += first;
        world.pairs.push_back(pair);
    }
    world.constraints.insert(world.constraints.end(), island.constraints.begin(), island.constraints.end());
    // Impulses are those of the last substep, which may have had another length when the island fell asleep.
    if (island.substep != world.pace.substep)
        for (std::size_t i = first; i < world.constraints.size(); ++i)
            startNextStep(world.constraints[i], world.pace.substep / island.substep);
    island = {};
    sleep.freeIslands.push_back(index);
}

}  // namespace

void keepPair(const PagedVector<Body>& bodies, const PagedVector<dynamics::ContactConstraint>& constraints, SleepState& sleep,
              const ContactPair& pair) {
    const Body& a = bodies[pair.bodyA];
    SleepingIsland& island = sleep.islands[isAsleep(a) ? a.island : bodies[pair.bodyB].island];
    ContactPair& kept = island.pairs.emplace_back(pair);
    kept.firstManifold = static_cast<std::uint32_t>(island.constraints.size());
    const auto first = constraints.begin() + pair.firstManifold;
    island.constraints.insert(island.constraints.end(), first, first + pair.manifoldCount);
}

void wakeIslands(WorldState& world, std::vector<std::uint32_t>& islands) {
    std::sort(islands.begin(), islands.end());
    islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
    for (const std::uint32_t island : islands)
        wakeIsland(world, island);
}

bool wakeReached(WorldState& world, Real dt) {
    if (!isAnyAsleep(world.sleep))
        return false;
    SleepState& sleep = world.sleep;
    if (sleep.wayOf.size() < sleep.islands.size())
        sleep.wayOf.resize(sleep.islands.size(), Real(-1));
    const bool anyStays = findReached(world, dt);
    for (std::size_t i = 0; i < sleep.reached.size(); ++i)  // grows as it goes
        reachOn(world, sleep.reached[i]);
    for (const std::uint32_t island : sleep.reached)
        sleep.wayOf[island] = -1;
    const bool any = !sleep.reached.empty();
    wakeIslands(world, sleep.reached);
    sleep.reached.clear();
    if (anyStays)
        keepFarPairs(world);
    return any;
}

void wakeBody(WorldState& world, std::uint32_t slot) {
    world.bodies[slot].restTime = 0;
    if (isAsleep(world.bodies[slot]))
        wakeIsland(world, world.bodies[slot].island);
}

void wakeAround(WorldState& world, std::uint32_t slot) {
    wakeBody(world, slot);
    const Body& body = world.bodies[slot];
    if (body.motion == Motion::Dynamic || !isAnyAsleep(world.sleep))
        return;
    std::vector<std::uint32_t> islands;
    world.broadPhase.query(Motion::Dynamic, fatBounds(world.broadPhase, body), [&](std::uint32_t found) {
        const Body& other = world.bodies[slotOf(found)];
        for (std::uint32_t child = 0; isAsleep(other) && child < colliderCount(body); ++child)
            if (world.pairSet.contains(collision::pairKey(colliderOf(slot, child), found)))
                islands.push_back(other.island);
    });
    listJoined(world.bodies, world.joints, slot, islands);
    wakeIslands(world, islands);
}

void wakePairsOf(WorldState& world, std::uint32_t slot) {
    wakeBody(world, slot);
    if (world.bodies[slot].motion == Motion::Dynamic || !isAnyAsleep(world.sleep))
        return;
    std::vector<std::uint32_t> islands;
    for (std::uint32_t i = 0; i < world.sleep.islands.size(); ++i) {
        const std::vector<ContactPair>& pairs = world.sleep.islands[i].pairs;
        if (std::any_of(pairs.begin(), pairs.end(),
                        [&](const ContactPair& pair) { return pair.bodyA == slot || pair.bodyB == slot; }))
            islands.push_back(i);
    }
    wakeIslands(world, islands);
}

void wakeAll(WorldState& world) {
    for (const std::uint32_t slot : world.roster.moving)
        world.bodies[slot].restTime = 0;
    for (std::uint32_t i = 0; i < world.sleep.islands.size(); ++i)
        if (!world.sleep.islands[i].bodies.empty())
            wakeIsland(world, i);
}

}  // namespace sunder::world
