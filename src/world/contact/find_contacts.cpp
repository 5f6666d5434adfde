#include "world/contact/find_contacts.h"

#include <algorithm>

#include "collision/narrow_phase/manifold/rest_depth.h"
#include "core/fitted.h"
#include "core/stopwatch.h"
#include "dynamics/contact/scalar/inherit.h"
#include "sunder/steppers.h"
#include "world/contact/joint_pairs.h"
#include "world/contact/pre_solve.h"
#include "world/contact/step_parts.h"
#include "world/exchange/motion.h"
#include "world/pair/make_constraint.h"
#include "world/pair/pair_search.h"
#include "world/pair/recycle.h"
#include "world/sleep/wake.h"
#include "world/state/contact_filter.h"
#include "world/state/ended_contacts.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

constexpr int kPairsPerBlock = 32;
constexpr int kProxiesPerBlock = 32, kSpareBuffers = 8;
constexpr std::size_t kBodiesPerBlock = 256, kPairsPerRange = 1024, kManifoldsPerRange = 512;

// Where world.search.flights has none, as of static bodies, `own` takes it.
const Flight& flightOf(const SearchState& search, const PagedVector<Body>& bodies, std::uint32_t slot, Real dt, Flight& own) {
    const Flight& flight = search.flights[slot];
    if (flight.stamp == search.flightStamp)
        return flight;
    own = flightOf(bodies[slot], {}, dt);
    if (!own.fixed) {  // it moves, but takes no part in this solve
        own.fixed = true;
        own.velocity = own.angularVelocity = {};
        own.speed = own.turning = own.startSpeed = own.fall = 0;
        own.isHeld = true;
    }
    return own;
}

// A collider's bounds on the way through the step. Turning keeps a rigid body within its ball.
Bounds sweptBounds(const Body& body, std::uint32_t child, const Flight& flight, Real dt) {
    const Bounds now = tightBounds(body, child);
    const Vec3 motion = flight.velocity * dt;
    const Real turn = flight.turning * dt;
    const Bounds later{now.low + motion, now.high + motion};
    return expand(unite(now, later), marginOf(flight.innerRadius) + (flight.deforms ? turn : min(turn, 2 * flight.radius)));
}

// The body's flight through the step, and the bounds of its colliders swept along it.
void foresee(const SolveState& solve, PagedVector<Body>& bodies, SearchState& search, std::uint32_t slot, Real dt) {
    Body& body = bodies[slot];
    Flight& flight = search.flights[slot];
    const bool falls = body.motion == Motion::Dynamic;
    flight = flightOf(body, falls ? solve.constants[body.solverIndex].acceleration : Vec3{}, dt);
    flight.swept = sweptBounds(body, 0, flight, dt);
    for (std::uint32_t child = 0; flight.deforms && child < colliderCount(body); ++child)
        body.vertices->colliders[child].swept = sweptBounds(body, child, flight, dt);
}

// Whether the proxy's bounds are too small for the way that its collider goes in the step, or much too large.
bool isUnfit(const collision::BroadPhase& broadPhase, std::uint32_t proxy, const Bounds& swept, const Vec3& way) {
    return !contains(broadPhase.fatBounds(proxy), swept) || broadPhase.isLoose(proxy, swept, way);
}

void refitColliders(collision::BroadPhase& broadPhase, const Body& body, const Vec3& way) {
    for (std::uint32_t child = 0; child < colliderCount(body); ++child)
        if (const Bounds& swept = body.vertices->colliders[child].swept; isUnfit(broadPhase, proxyOf(body, child), swept, way))
            broadPhase.refit(proxyOf(body, child), swept, way);
}

// Bounds are swept by the expected motion, so that a pair that will meet is found before it does.
void updateProxies(WorldState& world, Real dt) {
    if (world.search.flights.size() < world.bodies.size())
        world.search.flights.resize(world.bodies.size());
    if (world.roster.hasLevelSets && world.search.travels.size() < world.bodies.size())
        world.search.travels.resize(world.bodies.size());
    std::vector<std::uint8_t>& refits = world.search.marks;
    refits.assign(world.solve.layout.size(), 0);
    runRanges(*world.tasks, world.solve.layout.size(), kBodiesPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Body& body = world.bodies[world.solve.layout[i]];
            Flight& flight = world.search.flights[world.solve.layout[i]];
            if (body.quarantined || flight.stamp == world.search.flightStamp)
                continue;
            foresee(world.solve, world.bodies, world.search, world.solve.layout[i], dt);
            flight.stamp = world.search.flightStamp;
            if (flight.isLevelSet)
                world.search.travels[world.solve.layout[i]].follow(flight, world.search.flightStamp, dt);
            refits[i] = flight.deforms || isUnfit(world.broadPhase, body.proxy, flight.swept, body.velocity * dt);
        }
    });
    for (std::size_t i = 0; i < world.solve.layout.size(); ++i)
        if (refits[i]) {
            // What is held does not go where it would fall: its bounds look ahead along the way that it is on.
            const Body& body = world.bodies[world.solve.layout[i]];
            if (body.vertices) {
                refitColliders(world.broadPhase, body, body.velocity * dt);
                continue;
            }
            world.broadPhase.refit(body.proxy, world.search.flights[world.solve.layout[i]].swept, body.velocity * dt);
        }
}

bool mayTouch(const Body& a, const Body& b) {
    if (isAsleep(a) && isAsleep(b))  // whichever wakes first finds the other
        return false;
    return (a.motion == Motion::Dynamic || b.motion == Motion::Dynamic) && (a.layer & b.mask) && (b.layer & a.mask);
}

bool mayTouch(const PagedVector<Body>& bodies, const JointRoster& jointRoster, std::uint64_t key) {
    const std::uint32_t slotA = slotOf(collision::lowCollider(key)), slotB = slotOf(collision::highCollider(key));
    const Body &a = bodies[slotA], &b = bodies[slotB];
    return slotA != slotB && mayTouch(a, b) && !a.quarantined && !b.quarantined &&
           !isJoinedPair(jointRoster, collision::pairKey(slotA, slotB));
}

// By slot: bodies whose bounds have changed since pairs were last looked for, and those that were quarantined.
void noteMoved(const collision::BroadPhase& broadPhase, const PagedVector<Body>& bodies, SearchState& search) {
    search.hasMoved.assign(bodies.size(), 0);
    for (const std::uint32_t proxy : broadPhase.movedProxies())
        search.hasMoved[slotOf(broadPhase.colliderOf(proxy))] = 1;
}

// Drops the pairs that are none any more. The last pairs take their places. Where neither of the two has moved nothing has
// changed, and their records are not even read.
void dropPairs(WorldState& world, bool joinsChanged) {
    noteMoved(world.broadPhase, world.bodies, world.search);
    std::vector<std::uint8_t>& isOver = world.search.marks;
    isOver.resize(world.pairs.size());
    runRanges(*world.tasks, world.pairs.size(), kPairsPerRange, [&](std::size_t begin, std::size_t end) {
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
    for (std::size_t i = world.pairs.size(); i-- > 0;) {
        if (!isOver[i])
            continue;
        const ContactPair& pair = world.pairs[i];
        if (pair.touching)
            noteEnd(world, pair);
        world.pairSet.erase(keyOf(pair));
        world.pairs[i] = world.pairs.back();
        world.pairs.pop_back();
    }
}

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
    world.broadPhase.finishPairs(world.search.newPairs);
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
        // Neighbours of a body that broke in this step lie as they were cut: their overlap is no reason to part.
        const std::uint64_t birth = world.bodies[a].birth;
        const bool areSiblings = birth > world.breaking.countBefore && birth == world.bodies[b].birth;
        if (areSiblings || world.bodies[a].isFresh || world.bodies[b].isFresh)
            pair.restDepth = collision::kMeasureRestDepth;
    }
    for (std::size_t slot = 0; world.roster.hasFresh && slot < world.bodies.size(); ++slot)
        world.bodies[slot].isFresh = false;
    world.roster.hasFresh = false;
}

// A pair that need not be looked at: not even the balls about its bodies come within reach.
void leaveApart(ContactPair& pair, const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB) {
    // That they were apart when they were last looked at may be of use again.
    if (pair.manifoldCount > 0 || pair.seen.reach < 0)
        pair.seen = {};
    pair.firstManifold = 0;
    pair.manifoldCount = 0;
    pair.sensorTouches = false;
    pair.restDepth = 0;
    if (a.isLevelSet && b.isLevelSet)
        beFar(a, b, travelA, travelB, pair.seen);
}

// The search through one block of pairs.
class BlockSearch {
public:
    BlockSearch(WorldState& world, int block, const StepPart& part, PairScratch& scratch)
        : world_(world),
          part_(part),
          scratch_(scratch),
          out_(world.search.narrowPhaseBlocks[block]),
          begin_(std::size_t(block) * kPairsPerBlock),
          nextFound_(&world.search.foundPairs[begin_]) {}

    void run() {
        scratch_.found.clear();
        out_.count = 0;
        out_.impacts.clear();
        out_.alongMeshes.clear();
        out_.looks = 0;
        out_.fastPairs = 0;
        out_.fastWays = 0;
        const std::size_t end = std::min(begin_ + kPairsPerBlock, world_.pairs.size());
        for (std::size_t i = begin_; i < end; ++i)
            look(static_cast<std::uint32_t>(i));
        out_.foundCount = static_cast<std::uint32_t>(nextFound_ - &world_.search.foundPairs[begin_]);
        out_.manifolds = world_.search.foundManifolds.keep(scratch_.found);
    }

private:
    void look(std::uint32_t index) {
        const Real dt = part_.dt;
        ContactPair& pair = world_.pairs[index];
        const Travel &travelA = travelOf(pair.bodyA), &travelB = travelOf(pair.bodyB);
        if (mayBeQuiet_ && isQuiet(travelA, travelB, pair.seen, world_.search.flightStamp, dt))
            return;
        pair.seen.quietUntil = kNotQuiet;
        const Flight &a = flightOf(world_.search, world_.bodies, pair.bodyA, dt, ownA_),
                     &b = flightOf(world_.search, world_.bodies, pair.bodyB, dt, ownB_);
        const bool areApart = (a.fixed && b.fixed && !isWhole_) || areFar(a, b, mostReach(a, b, dt));
        Reach reach = areApart ? Reach{} : reachOf(a, b, dt);
        reach.points = points_;
        if (areApart || areFar(a, b, reach.reach)) {
            leaveApart(pair, a, b, travelA, travelB);
            return;
        }
        if (a.deforms || b.deforms) {
            lookAtVertices(pair, a, b, reach.reach, index);
            return;
        }
        const Recycling now(a, b);
        const std::span old = world_.search.previousManifolds.subspan(pair.firstManifold, pair.manifoldCount);
        FoundPair found{index, pair.firstManifold, pair.manifoldCount};
        pair.firstManifold = 0;
        const bool isFar = isFarPair(a, b, dt);
        if (pair.seen.reach >= 0 && !isFar && mayKeep(a, b, reach, dt, now, pair.seen, old)) {
            found.isKept = true;
            if (a.isLevelSet && b.isLevelSet && old.empty())
                beQuiet(a, b, travelA, travelB, pair.seen.distance - now.motionSince(pair.seen), pair.seen);
            note(pair, found, !old.empty());
            return;
        }
        ++out_.looks;
        noteKnown(old, scratch_.known);
        found.time = collidePair(a, b, reach, isFar, dt, now, pair.seen, scratch_);
        if (take(pair, a, b, found.time, isFar, index))
            note(pair, found, !scratch_.manifolds.empty());
    }

    // As they lie now: nothing is kept, and nothing foreseen within the step.
    void lookAtVertices(ContactPair& pair, const Flight& a, const Flight& b, Real margin, std::uint32_t index) {
        const FoundPair found{index, pair.firstManifold, pair.manifoldCount};
        pair.firstManifold = 0;
        pair.seen.reach = -1;
        ++out_.looks;
        Pose poseB = b.shapePose;
        poseB.position += b.center - a.center;
        scratch_.manifolds.clear();
        searchVertices(world_.vertexSearch, {a.body, pair.childA, a.shapePose}, {b.body, pair.childB, poseB}, margin,
                       scratch_.manifolds);
        if (take(pair, a, b, 0, false, index))
            note(pair, found, !scratch_.manifolds.empty());
    }

    // What was found anew of a pair; false for sensors, whose manifolds nobody solves.
    bool take(ContactPair& pair, const Flight& a, const Flight& b, Real time, bool isFar, std::uint32_t index) {
        collision::ManifoldList& manifolds = scratch_.manifolds;
        if (pair.restDepth != 0)
            collision::tolerateOverlap(manifolds, pair.restDepth);
        if (time > 0 && isFar)
            out_.impacts.push_back({index, time, false});
        if (isFar && (isMesh(a) || isMesh(b)))
            out_.alongMeshes.push_back(isMesh(a) ? pair.bodyB : pair.bodyA);
        pair.manifoldCount = static_cast<std::uint32_t>(manifolds.size());
        pair.sensorTouches = false;
        if (a.body->sensor || b.body->sensor) {
            pair.sensorTouches = true;  // or may: senseWays decides
            pair.manifoldCount = 0;
            pair.seen.reach = -1;
            return false;
        }
        if (!mayRecycle_ || isAsleep(*a.body) || isAsleep(*b.body))
            pair.seen.reach = -1;
        if (const Real way = closingWay(a, b, part_.timeLeft, manifolds); way > kFastClosing) {
            ++out_.fastPairs;
            out_.fastWays += double(way);
        }
        scratch_.found.insert(scratch_.found.end(), manifolds.begin(), manifolds.end());
        return true;
    }

    void note(const ContactPair& pair, const FoundPair& found, bool hasManifolds) {
        if (hasManifolds)
            *nextFound_++ = found;
        out_.count += pair.manifoldCount;
    }

    // Only level sets are followed.
    const Travel& travelOf(std::uint32_t slot) const {
        return world_.roster.hasLevelSets ? world_.search.travels[slot] : notFollowed_;
    }

    WorldState& world_;
    const StepPart& part_;
    PairScratch& scratch_;
    NarrowPhaseBlock& out_;
    const std::size_t begin_;
    FoundPair* nextFound_;
    const bool mayBeQuiet_ = !isWithout(world_, Mechanism::QuietPairs);
    const bool mayRecycle_ = abilitiesOf(world_.def.stepper).keepsContacts && !isWithout(world_, Mechanism::Recycling);
    const collision::PointKinds points_{!isWithout(world_, Mechanism::RockingPoints),
                                        !isWithout(world_, Mechanism::FacingCorners)};
    const bool isWhole_ = world_.solve.layout.size() == world_.roster.moving.size();
    const Travel notFollowed_;
    Flight ownA_, ownB_;
};

void collideBlock(WorldState& world, int block, const StepPart& part) {
    thread_local PairScratch scratch;
    BlockSearch(world, block, part, scratch).run();
}

// Puts the manifolds of a block's pairs where they belong among all: those of the last step that are kept, and new ones.
void placeBlock(WorldState& world, int block, std::size_t offset, Real dt, Real impulseScale) {
    const NarrowPhaseBlock& results = world.search.narrowPhaseBlocks[block];
    const std::size_t begin = std::size_t(block) * kPairsPerBlock;
    const bool inherits = !isWithout(world, Mechanism::Inheritance);
    auto fresh = results.manifolds.begin();
    Flight ownA, ownB;
    for (const FoundPair& found : world.search.foundPairs.subspan(begin, results.foundCount)) {
        ContactPair& pair = world.pairs[found.pair];
        pair.firstManifold = static_cast<std::uint32_t>(offset);
        offset += pair.manifoldCount;
        const Flight &a = flightOf(world.search, world.bodies, pair.bodyA, dt, ownA),
                     &b = flightOf(world.search, world.bodies, pair.bodyB, dt, ownB);
        const std::span manifolds = std::span(world.constraints).subspan(pair.firstManifold, pair.manifoldCount);
        const std::span old = world.search.previousManifolds.subspan(found.oldFirst, found.oldCount);
        if (!found.isKept) {
            for (dynamics::ContactConstraint& constraint : manifolds) {
                constraint = {};
                makeConstraint(a, b, found.time, *fresh++, constraint);
                if (!inherits)
                    continue;
                if (a.isLevelSet || b.isLevelSet)
                    dynamics::inheritLoad(constraint, old, impulseScale);
                else
                    dynamics::inheritImpulses(constraint, old, impulseScale);
            }
            if (world.preSolve)
                askPreSolve(world, a, b, pair, manifolds);
            continue;
        }
        for (std::size_t i = 0; i < manifolds.size(); ++i)
            dynamics::resume(old[i], manifolds[i]);
        turnWithLarger(a, b, pair.seen, manifolds);
        for (dynamics::ContactConstraint& constraint : manifolds) {
            setPair(a, b, constraint);
            startNextStep(constraint, impulseScale);
        }
        if (world.preSolve)
            askPreSolve(world, a, b, pair, manifolds);
    }
}

// Lays the blocks' results end to end, in the order of the pairs whatever thread made them.
void gatherBlocks(WorldState& world, int blocks, Real dt, Real impulseScale) {
    std::vector<std::size_t>& offsets = world.search.blockOffsets;
    offsets.assign(blocks + 1, 0);
    for (int block = 0; block < blocks; ++block)
        offsets[block + 1] = offsets[block] + world.search.narrowPhaseBlocks[block].count;
    resizeFitted(world.constraints, offsets[blocks]);
    runTasks(*world.tasks, blocks, [&](int block) { placeBlock(world, block, offsets[block], dt, impulseScale); });
}

// What is needed of the manifolds of the last step is set aside where the solver will later lay out its blocks: nobody needs
// both at once. What is found for each pair goes there too.
void beginSearch(WorldState& world) {
    using dynamics::KeptManifold;
    ScratchMemory& memory = world.solve.solver.memory();
    const std::size_t count = world.constraints.size();
    memory.begin(ScratchMemory::bytesOf<KeptManifold>(count) + ScratchMemory::bytesOf<FoundPair>(world.pairs.size()));
    const std::span<KeptManifold> kept = memory.take<KeptManifold>(count);
    runRanges(*world.tasks, count, kManifoldsPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            dynamics::keep(world.constraints[i], kept[i]);
    });
    world.search.previousManifolds = kept;
    world.search.foundPairs = memory.take<FoundPair>(world.pairs.size());
    world.search.foundManifolds.begin(memory.takeRest<collision::ContactManifold>());
}

// A body's impacts after its first are seen along a way that it will not go: their contacts go, and limitFastBodies looks for
// what it meets instead. Impacts within the time in which it covers its own length are one blow, as in a corner or a pile.
void dropLateImpacts(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs, SearchState& search,
                     PagedVector<dynamics::ContactConstraint>& constraints, Real dt) {
    std::vector<std::pair<std::uint32_t, Real>> first;  // by slot: when the body's first impact is over
    const auto forEachImpact = [&](auto&& visit) {
        for (NarrowPhaseBlock& block : search.usedBlocks())
            for (FarImpact& impact : block.impacts)
                visit(impact, pairs[impact.pair]);
    };
    forEachImpact([&](const FarImpact& impact, const ContactPair& pair) {
        for (const std::uint32_t slot : {pair.bodyA, pair.bodyB})
            if (const Body& body = bodies[slot]; body.motion == Motion::Dynamic && !isAsleep(body)) {
                const Real speed = search.flights[slot].speed;
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
            constraints[pair.firstManifold + i].count = 0;
    });
}

}  // namespace

void findContacts(WorldState& world, const StepPart& part, Real impulseScale) {
    const Real dt = part.dt;
    const Stopwatch broadPhaseTime;
    ++world.search.flightStamp;
    updateProxies(world, dt);
    updatePairs(world);
    const bool isWhole = world.solve.layout.size() == world.roster.moving.size();
    if (isWhole && wakeReached(world, dt)) {  // a search for some of the bodies wakes nobody
        gatherBodies(world, part.timeLeft);
        ++world.search.flightStamp;  // of those that were awake too: their places among the solver's bodies have changed
        updateProxies(world, dt);
        updatePairs(world);
    }
    world.stepStats.broadPhaseMs += broadPhaseTime.milliseconds();

    const Stopwatch collideTime;
    beginSearch(world);
    const int blocks = (static_cast<int>(world.pairs.size()) + kPairsPerBlock - 1) / kPairsPerBlock;
    if (static_cast<int>(world.search.narrowPhaseBlocks.size()) < blocks)
        world.search.narrowPhaseBlocks.resize(blocks);
    runTasks(*world.tasks, blocks, [&](int block) { collideBlock(world, block, part); });
    for (int block = 0; block < blocks; ++block)
        world.stepStats.pairLooks += static_cast<int>(world.search.narrowPhaseBlocks[block].looks);
    gatherBlocks(world, blocks, dt, impulseScale);
    world.search.previousManifolds = {};
    world.search.foundPairs = {};
    dropLateImpacts(world.bodies, world.pairs, world.search, world.constraints, dt);
    world.stepStats.collideMs += collideTime.milliseconds();
}

}  // namespace sunder::world
