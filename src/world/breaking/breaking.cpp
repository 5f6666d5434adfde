#include "world/breaking/breaking.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/stopwatch.h"
#include "world/breaking/blasts.h"
#include "world/breaking/breaking_work.h"
#include "world/breaking/energy/energise_pieces.h"
#include "world/breaking/stress_loads.h"
#include "world/commit/bodies.h"
#include "world/commit/denting.h"
#include "world/commit/pieces/shell_breaks.h"
#include "world/commit/pieces/shell_pieces.h"
#include "world/commit/torn_parts.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

enum class Outcome { Broken, Whole, Wait };

// A contact settles within this time (s) after it began to carry load, while its bodies are slower than this (m/s) against each
// other: a drop of 0.5 mm is faster.
constexpr Real kSettlingTime = Real(1) / 30, kSettlingSpeed = Real(0.1);
// m/s: a body slower than this has come to rest; a break that the caps put off lapses then, but not before this time (s).
// Static bodies always rest, and their breaks wait longer.
constexpr Real kRestingSpeed = Real(0.05);
constexpr double kLeastWait = 0.1, kLeastStaticWait = 0.5;

int livingPieces(const WorldState& world) {
    int count = 0;
    for (const Body& body : world.bodies)
        count += body.alive && body.birth > 0;
    return count;
}

// The push goes to the pieces near the point, in proportion to their mass.
void pushPieces(WorldState& world, const std::vector<std::uint32_t>& slots, const WorldPoint& point, const Vec3& push,
                Real radius) {
    std::vector<Real> weights;
    Real sum = 0;
    for (const std::uint32_t slot : slots) {
        const Body& body = world.bodies[slot];
        const Real nearness = max(0, 1 - length(body.center - point) / radius);
        weights.push_back(body.mass * square(nearness));
        sum += weights.back();
    }
    for (std::size_t i = 0; i < slots.size() && sum > 0; ++i)
        world.bodies[slots[i]].velocity += push * (weights[i] / sum * world.bodies[slots[i]].inverseMass);
}

void report(WorldState& world, const BreakRequest& request, BreakRule rule, const WorldPoint& point, const Vec3& normal,
            const std::vector<std::uint32_t>& slots) {
    BreakEvent& event = world.breaking.events.emplace_back();
    event.body = request.body;
    event.point = toVec3(point);
    event.normal = normal;
    event.impulse = request.impulse;
    const StressOutcome& outcome = world.breaking.stressOutcome;
    event.rule = outcome.isTried ? outcome.rule : rule;
    if (outcome.isTried) {
        event.stress = outcome.stress;
        event.element = outcome.element;
    }
    for (const std::uint32_t slot : slots)
        event.pieces.push_back({slot, world.bodies[slot].generation});
    ++world.stepStats.breaks;
    reportLostStress(world, request);
}

void listDebris(WorldState& world, const FractureDef& def, const std::vector<std::uint32_t>& slots) {
    for (const std::uint32_t slot : slots) {
        const Body& body = world.bodies[slot];
        if (body.motion != Motion::Dynamic || !(body.shape->massProperties.volume < double(def.debrisVolume)))
            continue;
        const BodyId id{slot, body.generation};
        world.breaking.debrisByAge.push_back(id);
        if (def.debris != Debris::Stay)
            world.breaking.debris.push_back({id, def.debris, world.clock.time + double(def.debrisTime)});
    }
}

// The first break of a step is never put off: a body that exceeds the budget by itself breaks too.
bool exceedsBudget(const WorldState& world, const Body& body) {
    const double budget = double(world.def.breakingBudget), done = world.breaking.workDone;
    return budget > 0 && done > 0 && done + leastWork(body) > budget;
}

// Whether the caps put the break off. Pieces are expensive to make, so none are made that a cap would refuse: a break waits if
// one more with the mean number of pieces of this step would exceed it.
bool mustWait(const WorldState& world, const BreakRequest& request) {
    const BreakingState& breaking = world.breaking;
    const int breaksMade = static_cast<int>(breaking.count - breaking.countBefore);
    const int expected = breaksMade > 0 ? std::max(breaking.piecesMade / breaksMade, 2) : 2;
    return breaking.piecesMade + expected > world.def.mostPiecesPerStep || world.def.mostPieces - livingPieces(world) < 2 ||
           exceedsBudget(world, world.bodies[request.body.index]);
}

// Of a request that need not wait. made: the pieces, where they were made beforehand (ShellBreaks).
Outcome tryBreak(WorldState& world, const BreakRequest& request, BreakRule rule, ShellBreak* made) {
    BreakingState& breaking = world.breaking;
    const int perStep = world.def.mostPiecesPerStep;
    const int room = world.def.mostPieces - livingPieces(world);
    breaking.stressOutcome = {};
    // A body that the blow dents cracks as what it has become.
    std::optional<DentedBody> dented = dentedBy(world, request);
    const Body& body = dented ? dented->body : world.bodies[request.body.index];
    const int solvesBefore = world.stepStats.stressSolves;
    const std::vector<NewPiece> pieces = made && !dented ? finishPieces(body, noteShellBreak(world, std::move(*made)))
                                                         : makePieces(world, body, request, perStep);
    breaking.workDone += workOf(body, pieces, world.stepStats.stressSolves - solvesBefore);
    const int count = static_cast<int>(pieces.size());
    if (count < 2 && dented) {
        dented->dent.cracks = std::move(breaking.stressOutcome.cracks);
        breaking.dents.push_back(std::move(dented->dent));
        reportLostStress(world, request);
        return Outcome::Whole;
    }
    if (count < 2) {
        keepBorne(world, request);
        return Outcome::Whole;
    }
    if (breaking.piecesMade + count > perStep || count > room + (body.birth > 0)) {
        breaking.piecesMade = perStep;  // no later request may overtake this one
        return Outcome::Wait;
    }
    const WorldPoint point = userPosition(body) + rotate(userOrientation(body), request.point);
    const Vec3 normal = rotate(userOrientation(body), request.normal);
    const Real radius = body.shape->boundingRadius;
    const FractureDef def = body.fracture->def;
    breaking.piecesMade += count;
    if (dented) {
        world.bodies[request.body.index] = dented->body;
        ++world.stepStats.dents;
    }
    const BrokenBody broken = brokenBody(body, request);
    const std::vector<std::uint32_t> slots = commitBreak(world, request.body.index, pieces);
    if (request.striker)
        energisePieces(world, broken, *request.striker, slots);
    report(world, request, rule, point, normal, slots);
    listDebris(world, def, slots);
    if (request.push != 0)
        pushPieces(world, slots, point, normal * -request.push, radius);
    return Outcome::Broken;
}

// The contacts of a body with one other body in the solve, as one blow.
struct SumOfContacts {
    Real impulse = 0, strongest = 0;  // N s into the body: in all, and of the strongest manifold
    Vec3 point;                       // in the body's frame: the mean, weighted by impulse
    Vec3 outward;                     // world axes, of the strongest manifold
};

void add(SumOfContacts& blow, std::span<const FeltImpulse> manifold) {
    Real sum = 0;
    for (const FeltImpulse& felt : manifold) {
        if (!(felt.normalImpulse > 0))
            continue;
        sum += felt.normalImpulse;
        blow.point += felt.point * felt.normalImpulse;
    }
    blow.impulse += sum;
    if (sum > blow.strongest) {
        blow.strongest = sum;
        blow.outward = manifold.front().outward;
    }
}

SumOfContacts blowOf(std::span<const FeltImpulse> felt) {
    SumOfContacts blow;
    while (!felt.empty()) {
        const std::size_t count = countSame(felt, &FeltImpulse::manifold);
        add(blow, felt.first(count));
        felt = felt.subspan(count);
    }
    if (blow.impulse > 0)
        blow.point = blow.point / blow.impulse;
    return blow;
}

void noteHit(WorldState& world, std::uint32_t slot, Real impulse, const Vec3& point, const Vec3& outward,
             std::optional<std::uint32_t> striker) {
    const Body& body = world.bodies[slot];
    if (!body.fracture || body.birth > world.breaking.countBefore)
        return;
    const BodyFracture& fracture = *body.fracture;
    const Real share = impulse / thresholdOf(body);
    if (!(share > min(fracture.def.weakestHit, 1 - fracture.damage)))
        return;
    BodyHit hit;
    hit.serial = body.serial;
    hit.share = share;
    hit.request.body = {slot, body.generation};
    hit.request.point = point;
    hit.request.normal = inverseRotate(userOrientation(body), outward);
    hit.request.impulse = impulse;
    hit.request.striker = striker;
    for (BodyHit& known : world.breaking.hits)
        if (known.request.body == hit.request.body) {
            if (share > known.share)
                known = hit;
            return;
        }
    world.breaking.hits.push_back(hit);
}

bool breaks(const WorldState& world, const BodyHit& hit) {
    return hit.share + world.bodies[hit.request.body.index].fracture->damage > 1;
}

// m/s: an upper bound of the relative speed of any two points of the bodies, before or after the solve.
Real relativeSpeed(const WorldState& world, const ContactPair& pair, bool isAfter) {
    Vec3 velocity;
    Real turning = 0;
    const auto add = [&](std::uint32_t slot, Real sign) {
        const Body& body = world.bodies[slot];
        if (body.motion == Motion::Static || isAsleep(body))
            return;
        const dynamics::SolverBody& solver = world.solve.bodies[body.solverIndex];
        velocity += (isAfter ? solver.velocity : body.velocity) * sign;
        turning += dynamics::turningSpeed(isAfter ? solver.angularVelocity : body.angularVelocity, body.shape->boundingRadius);
    };
    add(pair.bodyA, 1);
    add(pair.bodyB, -1);
    return length(velocity) + turning;
}

// Whether a contact of bodies that are at rest, or nearly so, takes up a load for the first time. A body that is set on the
// floor weighs on it from one step to the next; counted as a blow, that impulse would grow with the length of the step.
bool isSettling(const WorldState& world, const ContactPair& pair) {
    return secondsLoaded(pair) < double(kSettlingTime) && relativeSpeed(world, pair, false) < kSettlingSpeed &&
           relativeSpeed(world, pair, true) < kSettlingSpeed;
}

bool canBreak(const WorldState& world, const ContactPair& pair) {
    return world.bodies[pair.bodyA].fracture || world.bodies[pair.bodyB].fracture;
}

// Whether a break that the caps put off is dropped: the body has come to rest since the blow, and a break now would have no
// visible cause. Breaks that a call requested are never dropped, and none is while a budget spreads breaks over steps.
bool hasLapsed(const WorldState& world, const BreakRequest& request) {
    if (world.def.breakingBudget > 0)
        return false;
    const Body& body = world.bodies[request.body.index];
    const double least = body.motion == Motion::Static ? kLeastStaticWait : kLeastWait;
    if (!request.waitsSince || world.clock.time < *request.waitsSince + least)
        return false;
    return isAsleep(body) ||
           dynamics::fastestPoint(body.velocity, body.angularVelocity, body.shape->boundingRadius) < kRestingSpeed;
}

bool isWaiting(const WorldState& world, BodyId body) {
    const auto& waiting = world.breaking.waiting;
    return std::any_of(waiting.begin(), waiting.end(), [&](const BreakRequest& request) { return request.body == body; });
}

}  // namespace

void findHits(WorldState& world, Real dt) {
    world.breaking.hits.clear();
    dropUnsettledDents(world.breaking);
    if (!world.breaking.anyBreakable)
        return;
    for (const FeltState::Range& range : world.solve.felt.bodies) {
        const Rare<BodyFracture>& fracture = world.bodies[range.body].fracture;
        if (!fracture)
            continue;
        if (std::holds_alternative<Stressed>(fracture->def.method)) {
            BodyHit hit;
            if (isStressHit(world, range, dt, hit))
                world.breaking.hits.push_back(std::move(hit));
            continue;
        }
        for (std::span<const FeltImpulse> left = world.solve.felt.of(range); !left.empty();) {
            const std::size_t count = countSame(left, &FeltImpulse::pair);
            const SumOfContacts blow = blowOf(left.first(count));
            const std::uint32_t pair = left.front().pair;
            left = left.subspan(count);
            if (pair != kNone && isSettling(world, world.pairs[pair]))
                continue;
            const Real impulse = blow.impulse - (pair == kNone ? 0 : world.pairs[pair].load * dt);
            std::optional<std::uint32_t> striker;
            if (pair != kNone)
                striker = world.pairs[pair].bodyA == range.body ? world.pairs[pair].bodyB : world.pairs[pair].bodyA;
            if (impulse > 0)
                noteHit(world, range.body, impulse, blow.point, blow.outward, striker);
        }
    }
    std::sort(world.breaking.hits.begin(), world.breaking.hits.end(),
              [](const BodyHit& a, const BodyHit& b) { return a.serial < b.serial; });
}

bool breakHit(WorldState& world) {
    const Stopwatch time;
    std::vector<BodyHit>& hits = world.breaking.hits;
    const auto mayBreak = [&](const BodyHit& hit) { return breaks(world, hit) && !isWaiting(world, hit.request.body); };
    ShellBreaks shells(world, hits.size(), [&](std::size_t i) { return mayBreak(hits[i]) ? &hits[i].request : nullptr; });
    bool any = false, isFull = false;
    std::size_t left = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        bool stays = isFull || !mayBreak(hits[i]);
        if (!stays) {
            const Outcome outcome = mustWait(world, hits[i].request)
                                        ? Outcome::Wait
                                        : tryBreak(world, hits[i].request, BreakRule::Blow, shells.of(i));
            isFull = stays = outcome == Outcome::Wait;
            any = any || outcome == Outcome::Broken;
        }
        if (stays && left++ < i)
            hits[left - 1] = std::move(hits[i]);
    }
    hits.resize(left);
    world.stepStats.breakMs += time.milliseconds();
    return any;
}

void keepHits(WorldState& world, Real dt) {
    if (!world.breaking.anyBreakable)
        return;
    settleDents(world.breaking);
    for (const BodyHit& hit : world.breaking.hits) {
        if (!breaks(world, hit))
            world.bodies[hit.request.body.index].fracture->damage += hit.share;
        else if (!isWaiting(world, hit.request.body)) {
            world.breaking.waiting.push_back(hit.request);
            world.breaking.waiting.back().waitsSince = world.clock.time;
            world.breaking.waiting.back().striker.reset();
        }
    }
    for (ContactPair& pair : world.pairs) {
        if (pair.manifoldCount == 0)
            pair.slowLoad = 0;
        if (pair.load == 0 && pair.manifoldCount == 0)
            continue;
        Real sum = 0;
        if (canBreak(world, pair))
            for (std::uint32_t i = 0; i < pair.manifoldCount; ++i) {
                const dynamics::ContactConstraint& constraint = world.constraints[pair.firstManifold + i];
                for (int j = 0; j < constraint.count; ++j)
                    sum += constraint.points[j].totalNormalImpulse;
            }
        pair.load = sum / dt;
        pair.slowLoad = slowLoadAfter(pair.slowLoad, sum, dt);
        pair.loadedFor = sum > 0 ? loadedLonger(pair, dt) : std::uint16_t(0);
    }
}

void breakWaiting(WorldState& world) {
    BreakingState& breaking = world.breaking;
    breaking.stressMaps.clear();
    breaking.piecesMade = 0;
    breaking.workDone = 0;
    breaking.countBefore = breaking.count;
    endDebris(world);
    removeOldestDebris(world);
    if (!breaking.explosions.empty())
        requestBlasts(world);
    if (!breaking.waiting.empty()) {
        const Stopwatch time;
        std::vector<BreakRequest> requests = std::exchange(breaking.waiting, {});
        const auto mayBreak = [&](const BreakRequest& request) {
            return isAlive(world, request.body) && world.bodies[request.body.index].fracture && !hasLapsed(world, request);
        };
        ShellBreaks shells(world, requests.size(),
                           [&](std::size_t i) { return mayBreak(requests[i]) ? &requests[i] : nullptr; });
        bool isFull = false;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const BreakRequest& request = requests[i];
            if (isAlive(world, request.body) && world.bodies[request.body.index].solid)
                cutSolid(world, request);
            if (!mayBreak(request))
                continue;
            const BreakRule rule = request.waitsSince ? BreakRule::Blow : BreakRule::Call;
            isFull = isFull || mustWait(world, request) || tryBreak(world, request, rule, shells.of(i)) == Outcome::Wait;
            if (isFull)
                breaking.waiting.push_back(request);
        }
        settleDents(breaking);
        world.stepStats.breakMs += time.milliseconds();
    }
    pushByBlasts(world);
}

}  // namespace sunder::world
