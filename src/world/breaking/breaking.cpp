#include "world/breaking/breaking.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/stopwatch.h"
#include "world/breaking/blasts.h"
#include "world/commit/bodies.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

enum class Outcome { Broken, Whole, Wait };

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

void report(WorldState& world, const BreakRequest& request, const WorldPoint& point, const Vec3& normal,
            const std::vector<std::uint32_t>& slots) {
    BreakEvent& event = world.breaking.events.emplace_back();
    event.body = request.body;
    event.point = toVec3(point);
    event.normal = normal;
    event.impulse = request.impulse;
    for (const std::uint32_t slot : slots)
        event.pieces.push_back({slot, world.bodies[slot].generation});
    ++world.stepStats.breaks;
}

void listDebris(WorldState& world, const FractureDef& def, const std::vector<std::uint32_t>& slots) {
    if (def.debris == Debris::Stay)
        return;
    for (const std::uint32_t slot : slots)
        if (const Body& body = world.bodies[slot];
            body.motion == Motion::Dynamic && body.shape->massProperties.volume < double(def.debrisVolume))
            world.breaking.debris.push_back({{slot, body.generation}, def.debris, world.clock.time + double(def.debrisTime)});
}

Outcome tryBreak(WorldState& world, const BreakRequest& request) {
    BreakingState& breaking = world.breaking;
    const int perStep = world.def.mostPiecesPerStep;
    const int room = world.def.mostPieces - livingPieces(world);
    // Making pieces for nothing is dear: where one more break like those of this step would be too much, it waits.
    const int breaksMade = static_cast<int>(breaking.count - breaking.countBefore);
    const int expected = breaksMade > 0 ? std::max(breaking.piecesMade / breaksMade, 2) : 2;
    if (breaking.piecesMade + expected > perStep || room < 2)
        return Outcome::Wait;
    const Body& body = world.bodies[request.body.index];
    const std::vector<NewPiece> pieces = makePieces(world, body, request, perStep);
    const int count = static_cast<int>(pieces.size());
    if (count < 2)
        return Outcome::Whole;
    if (breaking.piecesMade + count > perStep || count > room + (body.birth > 0)) {
        breaking.piecesMade = perStep;  // the others wait behind it
        return Outcome::Wait;
    }
    const WorldPoint point = userPosition(body) + rotate(userOrientation(body), request.point);
    const Vec3 normal = rotate(userOrientation(body), request.normal);
    const Real radius = body.shape->boundingRadius;
    const FractureDef def = body.fracture->def;
    breaking.piecesMade += count;
    const std::vector<std::uint32_t> slots = commitBreak(world, request.body.index, pieces);
    report(world, request, point, normal, slots);
    listDebris(world, def, slots);
    if (request.push != 0)
        pushPieces(world, slots, point, normal * -request.push, radius);
    return Outcome::Broken;
}

// All that one partner did to a body in the solve.
struct Blow {
    Real impulse = 0, strongest = 0;  // N s into the body: in all, and of the strongest manifold
    Vec3 point;                       // in the body's frame: the mean, weighted by impulse
    Vec3 outward;                     // world axes, of the strongest manifold
};

void add(Blow& blow, std::span<const FeltImpulse> manifold) {
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

Blow blowOf(std::span<const FeltImpulse> felt) {
    Blow blow;
    while (!felt.empty()) {
        const std::size_t count = countSame(felt, &FeltImpulse::manifold);
        add(blow, felt.first(count));
        felt = felt.subspan(count);
    }
    if (blow.impulse > 0)
        blow.point = blow.point / blow.impulse;
    return blow;
}

void noteHit(WorldState& world, std::uint32_t slot, Real impulse, const Vec3& point, const Vec3& outward) {
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

bool canBreak(const WorldState& world, const ContactPair& pair) {
    return world.bodies[pair.bodyA].fracture || world.bodies[pair.bodyB].fracture;
}

bool isWaiting(const WorldState& world, BodyId body) {
    const auto& waiting = world.breaking.waiting;
    return std::any_of(waiting.begin(), waiting.end(), [&](const BreakRequest& request) { return request.body == body; });
}

}  // namespace

void findHits(WorldState& world, Real dt) {
    world.breaking.hits.clear();
    if (!world.breaking.anyBreakable)
        return;
    for (const FeltState::Range& range : world.solve.felt.bodies) {
        if (!world.bodies[range.body].fracture)
            continue;
        for (std::span<const FeltImpulse> left = world.solve.felt.of(range); !left.empty();) {
            const std::size_t count = countSame(left, &FeltImpulse::pair);
            const Blow blow = blowOf(left.first(count));
            const std::uint32_t pair = left.front().pair;
            const Real impulse = blow.impulse - (pair == kNone ? 0 : world.pairs[pair].load * dt);
            if (impulse > 0)
                noteHit(world, range.body, impulse, blow.point, blow.outward);
            left = left.subspan(count);
        }
    }
    std::sort(world.breaking.hits.begin(), world.breaking.hits.end(),
              [](const BodyHit& a, const BodyHit& b) { return a.serial < b.serial; });
}

bool breakHit(WorldState& world) {
    const Stopwatch time;
    std::vector<BodyHit>& hits = world.breaking.hits;
    bool any = false, isFull = false;
    std::erase_if(hits, [&](const BodyHit& hit) {
        if (isFull || !breaks(world, hit) || isWaiting(world, hit.request.body))
            return false;
        const Outcome outcome = tryBreak(world, hit.request);
        isFull = outcome == Outcome::Wait;
        any = any || outcome == Outcome::Broken;
        return !isFull;
    });
    world.stepStats.breakMs += time.milliseconds();
    return any;
}

void keepHits(WorldState& world, Real dt) {
    if (!world.breaking.anyBreakable)
        return;
    for (const BodyHit& hit : world.breaking.hits) {
        if (!breaks(world, hit))
            world.bodies[hit.request.body.index].fracture->damage += hit.share;
        else if (!isWaiting(world, hit.request.body))
            world.breaking.waiting.push_back(hit.request);
    }
    for (ContactPair& pair : world.pairs) {
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
    }
}

void breakWaiting(WorldState& world) {
    BreakingState& breaking = world.breaking;
    breaking.piecesMade = 0;
    breaking.countBefore = breaking.count;
    endDebris(world);
    if (!breaking.explosions.empty())
        requestBlasts(world);
    if (!breaking.waiting.empty()) {
        const Stopwatch time;
        std::vector<BreakRequest> requests = std::exchange(breaking.waiting, {});
        bool isFull = false;
        for (const BreakRequest& request : requests) {
            if (!isAlive(world, request.body) || !world.bodies[request.body.index].fracture)
                continue;
            isFull = isFull || tryBreak(world, request) == Outcome::Wait;
            if (isFull)
                breaking.waiting.push_back(request);
        }
        world.stepStats.breakMs += time.milliseconds();
    }
    pushByBlasts(world);
}

}  // namespace sunder::world
