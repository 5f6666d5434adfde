#include "world/contact/find_contacts.h"

#include <algorithm>

#include "collision/narrow_phase/manifold/rest_depth.h"
#include "core/fitted.h"
#include "core/stopwatch.h"
#include "dynamics/contact/scalar/inherit.h"
#include "sunder/steppers.h"
#include "world/contact/grazes.h"
#include "world/contact/pairs/update_pairs.h"
#include "world/contact/pre_solve.h"
#include "world/contact/step_parts.h"
#include "world/exchange/motion.h"
#include "world/pair/loaded_points.h"
#include "world/pair/make_constraint.h"
#include "world/pair/pair_search.h"
#include "world/pair/recycle.h"
#include "world/pair/scatter.h"
#include "world/sleep/reach.h"

namespace sunder::world {

namespace {

constexpr std::size_t kManifoldsPerRange = 512;  // grain of the tasks

// The flight of a body; that of a body without one, as it is static or asleep, is put into `own`.
const Flight& flightOf(const SearchState& search, const PagedVector<Body>& bodies, std::uint32_t slot, Real dt, Flight& own) {
    if (const Flight* flight = search.flightOf(slot))
        return *flight;
    own = flightOf(bodies[slot], {}, dt);
    if (!own.fixed) {  // it moves, but is left out of this solve
        own.fixed = true;
        own.velocity = own.angularVelocity = {};
        own.speed = own.turning = own.startSpeed = own.fall = 0;
        own.isHeld = true;
    }
    return own;
}

// Clears a pair that need not be searched: even the balls about its bodies are farther apart than the reach.
void leaveApart(ContactPair& pair) {
    // A result without manifolds is kept: it may still show that they are apart.
    if (pair.manifoldCount > 0 || pair.seen.reach < 0)
        pair.seen = {};
    pair.firstManifold = 0;
    pair.manifoldCount = 0;
    pair.sensorTouches = false;
    pair.restDepth = 0;
}

// The search through one block of pairs.
class BlockSearch {
public:
    BlockSearch(WorldState& world, int block, const StepPart& part, PairScratch& scratch)
        : world_(world),
          part_(part),
          scratch_(scratch),
          out_(world.search.narrowPhaseBlocks[block]),
          begin_(std::size_t(block) * kSearchedPairsPerTask),
          nextFound_(&world.search.foundPairs[begin_]) {}

    void run() {
        scratch_.found.clear();
        scratch_.isKept = mayRecycle_;
        out_.count = 0;
        out_.impacts.clear();
        out_.alongMeshes.clear();
        out_.looks = 0;
        out_.fastPairs = 0;
        out_.fastWays = 0;
        const std::size_t end = std::min(begin_ + kSearchedPairsPerTask, world_.pairs.size());
        for (std::size_t i = begin_; i < end; ++i)
            look(static_cast<std::uint32_t>(i));
        out_.foundCount = static_cast<std::uint32_t>(nextFound_ - &world_.search.foundPairs[begin_]);
        out_.manifolds = world_.search.foundManifolds.keep(scratch_.found);
    }

private:
    void look(std::uint32_t index) {
        const Real dt = part_.dt;
        ContactPair& pair = world_.pairs[index];
        const Flight &a = flightOf(world_.search, world_.bodies, pair.bodyA, dt, ownA_),
                     &b = flightOf(world_.search, world_.bodies, pair.bodyB, dt, ownB_);
        const bool areApart = (a.fixed && b.fixed && !isWhole_) || areFar(a, b, mostReach(a, b, dt));
        Reach reach = areApart ? Reach{} : reachOf(a, b, dt);
        reach.points = points_;
        if (areApart || areFar(a, b, reach.reach)) {
            leaveApart(pair);
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
            note(pair, found, !old.empty());
            return;
        }
        ++out_.looks;
        noteKnown(old, scratch_.known);
        found.moment = collidePair(a, b, reach, isFar, dt, now, pair.seen, scratch_);
        if (take(pair, a, b, found.moment, isFar, index))
            note(pair, found, !scratch_.manifolds.empty());
    }

    // Deforming bodies are searched as they lie now: nothing is kept, and no meeting later in the step is looked for.
    void lookAtVertices(ContactPair& pair, const Flight& a, const Flight& b, Real margin, std::uint32_t index) {
        const FoundPair found{index, pair.firstManifold, pair.manifoldCount};
        pair.firstManifold = 0;
        pair.seen.reach = -1;
        ++out_.looks;
        Pose poseB = b.shapePose;
        poseB.position += b.center - a.center;
        scratch_.manifolds.clear();
        searchVertices(world_.host.vertexSearch, {a.body, pair.childA, a.shapePose}, {b.body, pair.childB, poseB}, margin,
                       scratch_.manifolds);
        if (take(pair, a, b, {}, false, index))
            note(pair, found, !scratch_.manifolds.empty());
    }

    // Takes over the manifolds that a search of the pair found; false for sensors, whose manifolds are not solved.
    bool take(ContactPair& pair, const Flight& a, const Flight& b, const Moment& moment, bool isFar, std::uint32_t index) {
        collision::ManifoldList& manifolds = scratch_.manifolds;
        if (pair.restDepth != 0)
            collision::tolerateOverlap(manifolds, pair.restDepth);
        if (moment.time > 0 && isFar)
            out_.impacts.push_back({index, moment.time, false});
        if (isFar && (isMesh(a) || isMesh(b)))
            out_.alongMeshes.push_back(isMesh(a) ? pair.bodyB : pair.bodyA);
        pair.manifoldCount = static_cast<std::uint32_t>(manifolds.size());
        pair.sensorTouches = false;
        if (a.body->sensor || b.body->sensor) {
            pair.sensorTouches = true;  // or may touch: senseWays decides
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

    WorldState& world_;
    const StepPart& part_;
    PairScratch& scratch_;
    NarrowPhaseBlock& out_;
    const std::size_t begin_;
    FoundPair* nextFound_;
    const bool mayRecycle_ = abilitiesOf(world_.def.stepper).keepsContacts && !isWithout(world_.def, Mechanism::Recycling);
    const collision::PointKinds points_{!isWithout(world_.def, Mechanism::RockingPoints),
                                        !isWithout(world_.def, Mechanism::FacingCorners)};
    const bool isWhole_ = world_.solve.layout.size() == world_.roster.moving.size();
    Flight ownA_, ownB_;
};

void collideBlock(WorldState& world, int block, const StepPart& part) {
    thread_local PairScratch scratch;
    BlockSearch(world, block, part, scratch).run();
}

// Copies the manifolds of a block's pairs to their places in WorldState::constraints: kept ones of the last step, and new ones.
void placeBlock(WorldState& world, int block, std::size_t offset, Real dt, Real impulseScale) {
    NarrowPhaseBlock& results = world.search.narrowPhaseBlocks[block];
    clearFitted(results.mayGraze);
    const bool inherits = !isWithout(world.def, Mechanism::Inheritance);
    // The other steppers tilt normals where they resolve collisions.
    const bool tilts = world.def.stepper == Stepper::FrameRate;
    const dynamics::Scatter scatter = tilts ? scatterOf(world.def.scatter, world.clock.steps) : dynamics::Scatter{};
    auto fresh = results.manifolds.begin();
    Flight ownA, ownB;
    const auto finish = [&](std::uint32_t index, const Flight& a, const Flight& b,
                            std::span<dynamics::ContactConstraint> manifolds) {
        if (world.host.preSolve)
            askPreSolve(world, a, b, world.pairs[index], manifolds);
        for (std::uint32_t i = 0; i < manifolds.size(); ++i)
            if (mayGraze(a, b, manifolds[i], dt))
                results.mayGraze.push_back({index, world.pairs[index].firstManifold + i});
    };
    for (const FoundPair& found : world.search.foundOf(std::size_t(block))) {
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
                makeConstraint(a, b, found.moment, *fresh++, constraint);
                if (inherits && (a.isLevelSet || b.isLevelSet))
                    dynamics::inheritLoad(constraint, old, impulseScale);
                else if (inherits)
                    keepLoadedPoints(a, b, dynamics::inheritImpulses(constraint, old, impulseScale), impulseScale, constraint);
                setTurnFriction(a, b, constraint);
                if (scatter.speed > 0 && scatterContact(scatter, found.pair, a, b, constraint))
                    pair.seen.reach = -1;  // the next step looks for the true normal
            }
            finish(found.pair, a, b, manifolds);
            continue;
        }
        for (std::size_t i = 0; i < manifolds.size(); ++i)
            dynamics::resume(old[i], manifolds[i]);
        turnWithLarger(a, b, pair.seen, manifolds);
        for (dynamics::ContactConstraint& constraint : manifolds) {
            setPair(a, b, constraint);
            startNextStep(constraint, impulseScale);
            setTurnFriction(a, b, constraint);
        }
        finish(found.pair, a, b, manifolds);
    }
}

// Puts the results of the blocks one after the other, in the order of the pairs whatever thread made them.
void gatherBlocks(WorldState& world, int blocks, Real dt, Real impulseScale) {
    std::vector<std::size_t>& offsets = world.search.blockOffsets;
    offsets.assign(blocks + 1, 0);
    for (int block = 0; block < blocks; ++block)
        offsets[block + 1] = offsets[block] + world.search.narrowPhaseBlocks[block].count;
    resizeFitted(world.constraints, offsets[blocks]);
    runTasks(*world.tasks, blocks, [&](int block) { placeBlock(world, block, offsets[block], dt, impulseScale); });
}

// Copies what is needed of the last step's manifolds into the solver's scratch memory, which the solver uses only after the
// search. The results for the pairs go there too.
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

// Drops contacts of impacts that come after a body's first impact in the step: they were found along a way that it will not go,
// and limitFastBodies looks for what it meets instead. Impacts within the time in which it covers its own length count as one
// blow, as in a corner or a pile.
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
                const Flight* flight = search.flightOf(slot);
                const Real speed = flight ? flight->speed : Real(0);
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
        gatherBodies(world, part.toEndOfStep());
        ++world.search.flightStamp;  // all flights are made again: the places of bodies in the solver have changed
        updateProxies(world, dt);
        updatePairs(world);
    }
    world.stepStats.broadPhaseMs += broadPhaseTime.milliseconds();

    const Stopwatch collideTime;
    beginSearch(world);
    const int blocks = static_cast<int>((world.pairs.size() + kSearchedPairsPerTask - 1) / kSearchedPairsPerTask);
    if (static_cast<int>(world.search.narrowPhaseBlocks.size()) < blocks)
        world.search.narrowPhaseBlocks.resize(blocks);
    runTasks(*world.tasks, blocks, [&](int block) { collideBlock(world, block, part); });
    for (int block = 0; block < blocks; ++block)
        world.stepStats.pairLooks += static_cast<int>(world.search.narrowPhaseBlocks[block].looks);
    gatherBlocks(world, blocks, dt, impulseScale);
    dropLateImpacts(world.bodies, world.pairs, world.search, world.constraints, dt);
    dropGrazes(world, dt);
    world.search.previousManifolds = {};
    world.search.foundPairs = {};
    world.stepStats.collideMs += collideTime.milliseconds();
}

}  // namespace sunder::world
