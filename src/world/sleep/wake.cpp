#include "world/sleep/wake.h"

#include <algorithm>

#include "collision/narrow_phase/collide.h"
#include "world/pair/distances.h"

namespace sunder::world {

namespace {

// A light body leaves a heavy one that strikes it up to twice as fast as that came.
constexpr Real kThrow = 2;
// m in a step: what is slower throws nothing past the margin of contacts, within which bodies sleep and wake together.
constexpr Real kFastWay = kContactMargin;

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
    const Real reach = a.shape->boundingRadius + b.shape->boundingRadius + margin;
    if (lengthSquared(poseB.position - poseA.position) > square(reach))
        return false;
    collision::collide(*a.shape, poseA, *b.shape, poseB, margin, manifolds);
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

// How a body that is not asleep goes through the step.
struct WayOn {
    Vec3 velocity;     // m/s
    Real turning = 0;  // m/s, of any point
    Real speed() const { return length(velocity) + turning; }
};
WayOn motionOf(const WorldState& world, std::uint32_t slot) {
    const Body& body = world.bodies[slot];
    if (body.motion == Motion::Static)
        return {};
    const Flight& flight = world.search.flights[slot];
    // What rests is held: the acceleration leads nowhere.
    return {body.restTime > 0 ? body.velocity : flight.velocity, flight.turning};
}

// Whether something that is not asleep comes to touch another body, which stays where it is, within the step, if nothing turns
// it aside. Returns what is then left of its way (m), else -1.
Real findWayLeft(WorldState& world, std::uint32_t slot, const Body& target, Real dt) {
    const Body& body = world.bodies[slot];
    if (!mayWake(body, target))
        return -1;
    const WayOn motion = motionOf(world, slot);
    const Real way = motion.speed() * dt, gap = wakeGap(body, target);
    if (!findPlaces(world, body, target, way + gap))
        return -1;
    Real left = -1;
    for (const collision::ContactManifold& manifold : world.sleep.manifolds) {
        const Real separation = leastSeparation(manifold);
        const Real closing = max(0, dot(motion.velocity, manifold.normal) + motion.turning) * dt;
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
    const Bounds bounds = expand(world.broadPhase.fatBounds(body.proxy), way);
    world.broadPhase.query(Motion::Dynamic, bounds, [&](std::uint32_t found) {
        const Body& other = world.bodies[found];
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
    world.broadPhase.query(Motion::Dynamic, world.broadPhase.fatBounds(world.bodies[slot].proxy), [&](std::uint32_t found) {
        if (isAsleep(world.bodies[found]))
            reach(world, slot, world.bodies[found], dt);
    });
}

bool isFast(const WorldState& world, std::uint32_t slot, Real dt) {
    return world.bodies[slot].motion != Motion::Static && world.search.flights[slot].speed * dt > kFastWay;
}

// Kinematic bodies that move look around. Returns whether any body is fast.
bool reachByMoving(WorldState& world, Real dt) {
    bool anyFast = false;
    for (const std::uint32_t slot : world.roster.moving) {
        const Body& body = world.bodies[slot];
        if (body.quarantined)
            continue;
        anyFast = anyFast || isFast(world, slot, dt);
        if (body.motion == Motion::Kinematic && !isStill(world.solve.bodies[body.solverIndex]))
            reachAround(world, slot, dt);
    }
    return anyFast;
}

// Whether anything sleeps that a body may reach which is thrown so far. Costs far less than to look where two bodies meet.
bool isAnyAsleepNear(const WorldState& world, const Body& body, Real way) {
    bool any = false;
    world.broadPhase.query(Motion::Dynamic, expand(world.broadPhase.fatBounds(body.proxy), way),
                           [&](std::uint32_t found) { any = any || isAsleep(world.bodies[found]); });
    return any;
}

// What an awake body may be thrown at, that a fast one strikes in this step.
void reachByThrow(WorldState& world, const ContactPair& pair, Real dt) {
    for (const bool isA : {true, false}) {
        const std::uint32_t striker = isA ? pair.bodyA : pair.bodyB, target = isA ? pair.bodyB : pair.bodyA;
        if (world.bodies[target].motion == Motion::Dynamic && isFast(world, striker, dt) &&
            isAnyAsleepNear(world, world.bodies[target], kThrow * motionOf(world, striker).speed() * dt))
            reachFrom(world, world.bodies[target], kThrow * findWayLeft(world, striker, world.bodies[target], dt));
    }
}

// Returns whether there are pairs of a sleeper with something that stays where it is.
bool findReached(WorldState& world, Real dt) {
    const bool anyFast = reachByMoving(world, dt);
    bool anyStays = false;
    for (const ContactPair& pair : world.pairs) {
        const Body &a = world.bodies[pair.bodyA], &b = world.bodies[pair.bodyB];
        const bool aSleeps = isAsleep(a), bSleeps = isAsleep(b);
        if (aSleeps == bSleeps) {
            if (anyFast)
                reachByThrow(world, pair, dt);
            continue;
        }
        anyStays = anyStays || sleepsWithIsland(a, b);
        if ((aSleeps ? b : a).motion != Motion::Kinematic)
            reach(world, aSleeps ? pair.bodyB : pair.bodyA, aSleeps ? a : b, dt);
    }
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
        keepPair(world, pair);
        return true;
    });
}

void listAwake(WorldState& world, std::span<const std::uint32_t> slots) {
    const auto bySerial = [&](std::uint32_t a, std::uint32_t b) { return world.bodies[a].serial < world.bodies[b].serial; };
    constexpr std::size_t kFew = 8;  // one by one costs no look at those that stay in place
    if (slots.size() <= kFew) {
        for (const std::uint32_t slot : slots)
            world.roster.moving.insert(std::upper_bound(world.roster.moving.begin(), world.roster.moving.end(), slot, bySerial),
                                       slot);
        return;
    }
    const std::ptrdiff_t middle = std::ptrdiff_t(world.roster.moving.size());
    world.roster.moving.insert(world.roster.moving.end(), slots.begin(), slots.end());
    std::inplace_merge(world.roster.moving.begin(), world.roster.moving.begin() + middle, world.roster.moving.end(), bySerial);
}

void wakeIsland(WorldState& world, std::uint32_t index) {
    SleepState& sleep = world.sleep;
    SleepingIsland& island = sleep.islands[index];
    for (const std::uint32_t slot : island.bodies) {
        Body& body = world.bodies[slot];
        body.island = kNone;
        body.restTime = 0;
        world.broadPhase.touch(body.proxy);
        sleep.nextEvents.push_back({{slot, body.generation}, false});
    }
    listAwake(world, island.bodies);
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

void keepPair(WorldState& world, const ContactPair& pair) {
    const Body& a = world.bodies[pair.bodyA];
    SleepingIsland& island = world.sleep.islands[isAsleep(a) ? a.island : world.bodies[pair.bodyB].island];
    ContactPair& kept = island.pairs.emplace_back(pair);
    kept.firstManifold = static_cast<std::uint32_t>(island.constraints.size());
    const auto first = world.constraints.begin() + pair.firstManifold;
    island.constraints.insert(island.constraints.end(), first, first + pair.manifoldCount);
}

void wakeIslands(WorldState& world, std::vector<std::uint32_t>& islands) {
    std::sort(islands.begin(), islands.end());
    islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
    for (const std::uint32_t island : islands)
        wakeIsland(world, island);
}

bool wakeReached(WorldState& world, Real dt) {
    if (!isAnyAsleep(world))
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
    if (body.motion == Motion::Dynamic || !isAnyAsleep(world))
        return;
    std::vector<std::uint32_t> islands;
    world.broadPhase.query(Motion::Dynamic, world.broadPhase.fatBounds(body.proxy), [&](std::uint32_t found) {
        if (isAsleep(world.bodies[found]) && world.pairSet.contains(collision::pairKey(slot, found)))
            islands.push_back(world.bodies[found].island);
    });
    wakeIslands(world, islands);
}

void wakePairsOf(WorldState& world, std::uint32_t slot) {
    wakeBody(world, slot);
    if (world.bodies[slot].motion == Motion::Dynamic || !isAnyAsleep(world))
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
