#include "world/sleep/wake.h"

#include <algorithm>

#include "world/state/proxies.h"

namespace sunder::world {

namespace {

void listAwake(const PagedVector<Body>& bodies, BodyRoster& roster, std::span<const std::uint32_t> slots) {
    const auto bySerial = [&](std::uint32_t a, std::uint32_t b) { return bodies[a].serial < bodies[b].serial; };
    constexpr std::size_t kFew = 8;  // so few are inserted one by one, which does not read the serials of all moving bodies
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
    // Impulses are those of one substep, whose length may have been another when the island fell asleep.
    if (island.substep != world.clock.pace.substep)
        for (std::size_t i = first; i < world.constraints.size(); ++i)
            startNextStep(world.constraints[i], world.clock.pace.substep / island.substep);
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
