#include "world/contact/pairs/update_pairs.h"

#include <algorithm>

#include "collision/narrow_phase/manifold/rest_depth.h"
#include "core/fitted.h"
#include "world/contact/pairs/joint_pairs.h"
#include "world/pair/pair_search.h"
#include "world/state/contact_filter.h"
#include "world/state/ended_contacts.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

// Grain of the tasks; and pair buffers that are kept beyond one per block.
constexpr int kProxiesPerBlock = 32, kSpareBuffers = 8;
constexpr std::size_t kBodiesPerTask = 256, kPairsPerTask = 1024;

// Bounds of a collider along its way through the step. However it turns, a rigid body stays within its bounding ball.
Bounds sweptBounds(const Body& body, std::uint32_t child, const Flight& flight, Real dt) {
    const Bounds now = tightBounds(body, child);
    const Vec3 motion = flight.velocity * dt;
    const Real turn = flight.turning * dt;
    const Bounds later{now.low + motion, now.high + motion};
    return expand(unite(now, later), marginOf(flight.innerRadius) + (flight.deforms ? turn : min(turn, 2 * flight.radius)));
}

// The body's flight through the step, and the bounds of its colliders swept along it.
void foresee(const SolveState& solve, Body& body, Real dt, Flight& flight) {
    const bool falls = body.motion == Motion::Dynamic;
    flight = flightOf(body, falls ? solve.constants[body.solverIndex].acceleration : Vec3{}, dt);
    flight.swept = sweptBounds(body, 0, flight, dt);
    for (std::uint32_t child = 0; flight.deforms && child < colliderCount(body); ++child)
        body.vertices->colliders[child].swept = sweptBounds(body, child, flight, dt);
}

// Whether the proxy's bounds do not contain the swept ones, or are much larger.
bool isUnfit(const collision::BroadPhase& broadPhase, std::uint32_t proxy, const Bounds& swept, const Vec3& way) {
    return !contains(broadPhase.fatBounds(proxy), swept) || broadPhase.isLoose(proxy, swept, way);
}

void refitColliders(collision::BroadPhase& broadPhase, const Body& body, const Vec3& way) {
    for (std::uint32_t child = 0; child < colliderCount(body); ++child)
        if (const Bounds& swept = body.vertices->colliders[child].swept; isUnfit(broadPhase, proxyOf(body, child), swept, way))
            broadPhase.refit(proxyOf(body, child), swept, way);
}

// By what means a body's proxies get the bounds that its way through the step asks for.
enum Fit : std::uint8_t { kFits, kTogether, kAlone };

Fit fitOf(const collision::BroadPhase& broadPhase, const Body& body, const Flight& flight, const Vec3& way) {
    if (flight.deforms)
        return kAlone;
    if (!isUnfit(broadPhase, body.proxy, flight.swept, way))
        return kFits;
    return body.motion == Motion::Dynamic ? kTogether : kAlone;
}

// refits[i]: what the body at layout[i] asks for, where it is marked so.
void refitMarked(WorldState& world, std::span<const std::uint8_t> fits, std::vector<collision::BroadPhase::Refit>& refits,
                 Real dt) {
    std::size_t together = 0;
    for (std::size_t i = 0; i < fits.size(); ++i)
        if (fits[i] == kTogether)
            refits[together++] = refits[i];
    world.broadPhase.refit(*world.tasks, Motion::Dynamic, std::span(refits).first(together));
    for (std::size_t i = 0; i < fits.size(); ++i)
        if (fits[i] == kAlone) {
            const Body& body = world.bodies[world.solve.layout[i]];
            if (body.vertices)
                refitColliders(world.broadPhase, body, body.velocity * dt);
            else
                world.broadPhase.refit(body.proxy, world.search.flights[i].swept, body.velocity * dt);
        }
}

}  // namespace

void updateProxies(WorldState& world, Real dt) {
    SearchState& search = world.search;
    const std::span<const std::uint32_t> layout = world.solve.layout;
    search.flightAt.resize(std::max(search.flightAt.size(), world.bodies.size()));
    search.flights.resize(layout.size());
    search.marks.assign(layout.size(), kFits);
    search.refits.resize(layout.size());
    runRanges(*world.tasks, layout.size(), kBodiesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Body& body = world.bodies[layout[i]];
            Flight& flight = search.flights[i];
            search.flightAt[layout[i]] = static_cast<std::uint32_t>(i);
            flight.stamp = 0;
            if (body.quarantined)
                continue;
            foresee(world.solve, body, dt, flight);
            flight.slot = layout[i];
            flight.stamp = search.flightStamp;
            // Bounds are extended along the present velocity, not along the fall: a body that is held does not fall.
            const Vec3 way = body.velocity * dt;
            search.marks[i] = fitOf(world.broadPhase, body, flight, way);
            if (search.marks[i] == kTogether)
                search.refits[i] = world.broadPhase.refitOf(body.proxy, flight.swept, way);
        }
    });
    refitMarked(world, search.marks, search.refits, dt);
}

namespace {

bool mayTouch(const Body& a, const Body& b) {
    if (isAsleep(a) && isAsleep(b))  // whichever wakes first finds the other
        return false;
    return (a.motion == Motion::Dynamic || b.motion == Motion::Dynamic) && (a.layer & b.mask) && (b.layer & a.mask);
}

}  // namespace

bool mayTouch(const PagedVector<Body>& bodies, const JointRoster& jointRoster, std::uint64_t key) {
    const std::uint32_t slotA = slotOf(collision::lowCollider(key)), slotB = slotOf(collision::highCollider(key));
    const Body &a = bodies[slotA], &b = bodies[slotB];
    return slotA != slotB && mayTouch(a, b) && !a.quarantined && !b.quarantined &&
           !isJoinedPair(jointRoster, collision::pairKey(slotA, slotB));
}

namespace {

// Marks by slot the bodies whose bounds have changed since pairs were last looked for, and those that were quarantined.
void noteMoved(const collision::BroadPhase& broadPhase, const PagedVector<Body>& bodies, SearchState& search) {
    search.hasMoved.resize(std::max(search.hasMoved.size(), bodies.size()));
    for (const std::uint32_t proxy : broadPhase.movedProxies())
        search.hasMoved[slotOf(broadPhase.colliderOf(proxy))] = 1;
}
void forgetMoved(const collision::BroadPhase& broadPhase, SearchState& search) {
    for (const std::uint32_t proxy : broadPhase.movedProxies())
        search.hasMoved[slotOf(broadPhase.colliderOf(proxy))] = 0;
}

// Removes pairs whose bounds no longer overlap; the last pairs take their places. Pairs of which neither body has moved are
// skipped without reading the bodies' records.
void dropPairs(WorldState& world, bool joinsChanged) {
    noteMoved(world.broadPhase, world.bodies, world.search);
    std::vector<std::uint8_t>& isOver = world.search.marks;
    isOver.resize(world.pairs.size());
    runRanges(*world.tasks, world.pairs.size(), kPairsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const ContactPair& pair = world.pairs[i];
            isOver[i] = 0;
            if (!joinsChanged && !world.search.hasMoved[pair.bodyA] && !world.search.hasMoved[pair.bodyB])
                continue;
            const Body &a = world.bodies[pair.bodyA], &b = world.bodies[pair.bodyB];
            isOver[i] = a.quarantined || b.quarantined ||
                        !world.broadPhase.overlap(proxyOf(a, pair.childA), proxyOf(b, pair.childB)) ||
                        (joinsChanged && isJoinedPair(world.jointRoster, collision::pairKey(pair.bodyA, pair.bodyB)));
        }
    });
    forgetMoved(world.broadPhase, world.search);
    for (std::size_t i = world.pairs.size(); i-- > 0;) {
        if (!isOver[i])
            continue;
        const ContactPair& pair = world.pairs[i];
        if (pair.touching)
            noteEnd(world.bodies, world.events, pair);
        world.pairSet.erase(keyOf(pair));
        world.pairs[i] = world.pairs.back();
        world.pairs.pop_back();
    }
}

}  // namespace

void updatePairs(WorldState& world) {
    dropPairs(world, refreshJointPairs(world.joints, world.jointRoster));
    const auto moved = world.broadPhase.movedProxies();
    const int blocks = (static_cast<int>(moved.size()) + kProxiesPerBlock - 1) / kProxiesPerBlock;
    if (const int size = static_cast<int>(world.search.pairBuffers.size()); size < blocks || size > 2 * blocks + kSpareBuffers)
        world.search.pairBuffers.resize(blocks + kSpareBuffers);
    runTasks(*world.tasks, blocks, [&](int block) {
        const std::size_t begin = std::size_t(block) * kProxiesPerBlock;
        world.search.pairBuffers[block].clear();
        for (std::size_t i = begin; i < std::min(begin + kProxiesPerBlock, moved.size()); ++i)
            if (const Body& body = world.bodies[slotOf(world.broadPhase.colliderOf(moved[i]))];
                (body.mask & world.roster.layersInUse) != 0)
                world.broadPhase.findPairs(moved.subspan(i, 1), world.pairSet, world.search.pairBuffers[block]);
        std::erase_if(world.search.pairBuffers[block], [&](std::uint64_t key) {
            return !mayTouch(world.bodies, world.jointRoster, key) ||
                   !passesFilter(world, slotOf(collision::lowCollider(key)), slotOf(collision::highCollider(key)));
        });
    });
    clearFitted(world.search.newPairs);
    for (int block = 0; block < blocks; ++block)
        world.search.newPairs.insert(world.search.newPairs.end(), world.search.pairBuffers[block].begin(),
                                     world.search.pairBuffers[block].end());
    world.broadPhase.finishPairs(*world.tasks, world.search.newPairs);
    reserveFitted(world.pairs, world.pairs.size() + world.search.newPairs.size());
    for (const std::uint64_t key : world.search.newPairs) {
        std::uint32_t colliderA = collision::lowCollider(key), colliderB = collision::highCollider(key);
        if (slotOf(colliderA) > slotOf(colliderB))
            std::swap(colliderA, colliderB);
        const std::uint32_t a = slotOf(colliderA), b = slotOf(colliderB);
        world.pairSet.insert(key);
        ContactPair& pair = world.pairs.emplace_back();
        pair.bodyA = a;
        pair.bodyB = b;
        pair.childA = static_cast<std::uint16_t>(childOf(colliderA));
        pair.childB = static_cast<std::uint16_t>(childOf(colliderB));
        // Pieces of a body that broke in this step lie as they were cut: their overlap is not pushed apart.
        const std::uint64_t birth = world.bodies[a].birth;
        const bool areSiblings = birth > world.breaking.countBefore && birth == world.bodies[b].birth;
        if (areSiblings || world.bodies[a].isFresh || world.bodies[b].isFresh)
            pair.restDepth = collision::kMeasureRestDepth;
    }
    for (std::size_t slot = 0; world.roster.hasFresh && slot < world.bodies.size(); ++slot)
        world.bodies[slot].isFresh = false;
    world.roster.hasFresh = false;
}

}  // namespace sunder::world
