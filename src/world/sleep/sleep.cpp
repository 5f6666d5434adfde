#include "world/sleep/sleep.h"

#include <algorithm>

#include "dynamics/body/point_motion.h"
#include "world/pair/distances.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

// A body rests where the mean place of any point of it takes longer than sleepTime to move on by as much as the speed below
// which it rests covers in this time (s), or in sleepTime where that is shorter. Vertices that move in the body's frame faster
// than kNodeShare times that speed keep it awake.
constexpr Real kPlaceTime = Real(0.5);
// How far (m) a body may be from its mean place, and the time (s) over which the mean is taken: contacts that do not settle
// tremble by a millimetre, with periods of a few steps, and drift by up to 3 mm/s.
constexpr Real kTremble = Real(3e-3), kMeanTime = Real(0.1);
// m/s, of any point: a faster body may have been struck just now, and has not moved yet.
constexpr Real kRestSpeed = Real(0.2);

using Links = std::span<const dynamics::ContactLink>;
using Joints = std::span<const dynamics::JointLink>;

// m/s
Real restSpeedOf(const WorldDef& def, const Body& body) { return def.sleepSpeed * body.sleepFactor; }

bool mayRest(const WorldDef& def, const Body& body) {
    return body.restTime >= def.sleepTime && body.allowSleep && !body.quarantined &&
           dynamics::fastestPoint(body.velocity, body.angularVelocity, boundingRadius(body)) <=
               max(kRestSpeed, restSpeedOf(def, body));
}

Quat alignedWith(const Quat& q, const Quat& other) { return dot(q, other) < 0 ? Quat{-q.x, -q.y, -q.z, -q.w} : q; }
Quat difference(const Quat& a, const Quat& b) { return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w}; }

// m: how far points of a body can be at most from where they were; for small turns.
Real distanceBetween(const WorldPoint& centerA, const Quat& a, const WorldPoint& centerB, const Quat& b, Real radius) {
    return length(centerA - centerB) + dynamics::smallAngleBetween(a, b) * radius;
}

// How many times the speed of a body at rest its single nodes may have. The solve of contacts leaves those of a cube under a
// plate of 300 kg trembling at 1.1 mm/s for ever.
constexpr Real kNodeShare = 2;

// Counts the body's time at rest. Returns whether it has rested long enough.
bool countRest(const WorldDef& def, Body& body, Real dt) {
    const Real sleepTime = def.sleepTime, speed = restSpeedOf(def, body);
    const Real radius = boundingRadius(body);
    const Real share = dt / (kMeanTime + dt);
    const Quat d = difference(alignedWith(body.orientation, body.meanOrientation), body.meanOrientation);
    const Quat& m = body.meanOrientation;
    body.meanCenter = body.meanCenter + (body.center - body.meanCenter) * share;
    body.meanOrientation = normalize({m.x + d.x * share, m.y + d.y * share, m.z + d.z * share, m.w + d.w * share});
    if (!(distanceBetween(body.center, body.orientation, body.meanCenter, body.meanOrientation, radius) <= kTremble)) {
        body.meanCenter = body.center;
        body.meanOrientation = body.orientation;
    }
    body.restTime += dt;
    body.placeTime += dt;
    const Real size = speed * min(kPlaceTime, sleepTime);
    if (!(distanceBetween(body.meanCenter, body.meanOrientation, body.placeCenter, body.placeOrientation, radius) <= size)) {
        if (body.placeTime < sleepTime)
            body.restTime = 0;
        body.placeTime = 0;
        body.placeCenter = body.meanCenter;
        body.placeOrientation = body.meanOrientation;
    }
    if (body.vertices && fastestOf(*body.vertices) > kNodeShare * speed)
        body.restTime = 0;
    return mayRest(def, body);
}

bool countRest(const WorldDef& def, const BodyRoster& roster, PagedVector<Body>& bodies, Real dt) {
    bool any = false;
    for (const std::uint32_t slot : roster.moving)
        if (bodies[slot].motion == Motion::Dynamic)
            any = countRest(def, bodies[slot], dt) || any;
    return any;
}

bool touches(const dynamics::ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i)
        if (constraint.points[i].totalNormalImpulse > 0 || constraint.points[i].separation <= kTouchGap)
            return true;
    return false;
}

// Finds groups of awake bodies that must sleep together: those with a manifold, even if they do not quite touch. Then sleeping
// loses no contact that the solver knows, and its colours are the same after waking: where neighbours a centimetre apart slept
// by themselves, a pile woke with 2 mm/s instead of 0.1. The distance is also far more than kWakeGap, so that no two islands
// can keep waking each other.
void findGroups(WorldState& world, Links links, Joints joints) {
    dynamics::Islands& groups = world.sleep.groups;
    // The solver held deformable bodies fixed, because a stage of their own moves them.
    for (const std::uint32_t slot : world.roster.deforming)
        if (const Body& body = world.bodies[slot]; body.solid && !body.quarantined && !isAsleep(body))
            world.solve.constants[body.solverIndex].isDynamic = true;
    groups.begin(*world.tasks, world.solve.constants);
    for (const dynamics::ContactLink& link : links)
        if (link.pointCount > 0)
            groups.join(link.bodyA, link.bodyB);
    for (const dynamics::JointLink& joint : joints)
        groups.join(joint.bodyA, joint.bodyB);
    const auto indexOf = [&](std::uint32_t slot) {
        const Body& body = world.bodies[slot];
        return body.motion == Motion::Static ? dynamics::kFixedBody : body.solverIndex;
    };
    for (const ContactPair& pair : world.pairs)  // sensors have no constraints
        if (pair.sensorTouches)
            groups.join(indexOf(pair.bodyA), indexOf(pair.bodyB));
    for (const SweptBlow& touch : world.solve.fleshTouches)
        groups.join(indexOf(touch.striker), indexOf(touch.struck));
    for (const FleshJointLoad& load : world.fleshJoints.loads)
        if (const JointDef& def = world.joints[load.joint].def; !def.a.isNull() && !def.b.isNull())
            groups.join(indexOf(def.a.index), indexOf(def.b.index));
    groups.finish(*world.tasks, dynamics::Islands::Loners::Islands);
}

// Properties of a group, as bits.
enum Trait : std::uint8_t { kMoves = 1, kFalls = 2, kHeld = 4 };

// What deformable bodies touch holds them, too.
void judgeFlesh(WorldState& world) {
    const auto moves = [&](const Body& body) {
        return body.motion == Motion::Dynamic && !isAsleep(body) && world.sleep.groups.island(body.solverIndex) >= 0;
    };
    for (const SweptBlow& touch : world.solve.fleshTouches) {
        const Body &a = world.bodies[touch.striker], &b = world.bodies[touch.struck];
        if (!(touch.normalImpulse > 0) || moves(a) == moves(b))
            continue;
        const Body& support = moves(a) ? b : a;
        const bool isHeld = support.motion != Motion::Kinematic || isStill(world.solve.bodies[support.solverIndex]);
        world.sleep.mayRest[world.sleep.groups.island((moves(a) ? a : b).solverIndex)] |= isHeld ? kHeld : kMoves;
    }
}

// So do joints of deformable bodies with what does not move.
void judgeFleshJoints(WorldState& world) {
    for (const FleshJointLoad& load : world.fleshJoints.loads) {
        const JointDef& def = world.joints[load.joint].def;
        const Body *a = bodyOf(world.bodies, def.a), *b = bodyOf(world.bodies, def.b);
        const auto groupOf = [&](const Body* body) {
            return body && body->motion == Motion::Dynamic && !isAsleep(*body) ? world.sleep.groups.island(body->solverIndex)
                                                                               : -1;
        };
        const std::int32_t groupA = groupOf(a), groupB = groupOf(b);
        if (!world.joints[load.joint].alive || (groupA >= 0) == (groupB >= 0))
            continue;
        const Body* support = groupA >= 0 ? b : a;
        const bool isHeld =
            !support || support->motion != Motion::Kinematic || isStill(world.solve.bodies[support->solverIndex]);
        world.sleep.mayRest[groupA >= 0 ? groupA : groupB] |= isHeld ? kHeld : kMoves;
    }
}

// Fills SleepState::mayRest: a group may rest where all its bodies have rested long enough, and either something that does not
// move holds it or no force acts on it. A slow group for which neither is true is at the top of its flight.
void judgeGroups(WorldState& world, Links links, Joints joints) {
    SleepState& sleep = world.sleep;
    sleep.mayRest.assign(sleep.groups.count(), 0);
    for (std::size_t i = 0; i < world.solve.layout.size(); ++i) {
        const std::int32_t group = sleep.groups.island(static_cast<std::uint32_t>(i + 1));
        if (group < 0)
            continue;
        const Body& body = world.bodies[world.solve.layout[i]];
        if (!mayRest(world.def, body))
            sleep.mayRest[group] |= kMoves;
        const Vec3 acceleration =
            body.solid ? world.def.gravity * body.gravityFactor : world.solve.constants[i + 1].acceleration;
        if (!(acceleration == Vec3{}))
            sleep.mayRest[group] |= kFalls;
        if (body.solid && !body.solid->pins.empty())
            sleep.mayRest[group] |= kHeld;
    }
    judgeFlesh(world);
    judgeFleshJoints(world);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const dynamics::ContactLink& link = links[i];
        const bool aMoves = world.solve.constants[link.bodyA].isDynamic;
        const bool bMoves = world.solve.constants[link.bodyB].isDynamic;
        if (aMoves == bMoves || !touches(world.constraints[i]))
            continue;
        const std::int32_t group = sleep.groups.island(aMoves ? link.bodyA : link.bodyB);
        const dynamics::SolverBody& support = world.solve.bodies[aMoves ? link.bodyB : link.bodyA];
        sleep.mayRest[group] |= isStill(support) ? kHeld : kMoves;
    }
    for (const dynamics::JointLink& joint : joints) {
        if (joint.movesA == joint.movesB)
            continue;
        const std::int32_t group = sleep.groups.island(joint.movesA ? joint.bodyA : joint.bodyB);
        if (group < 0)
            continue;  // it was quarantined at the end of this step
        const dynamics::SolverBody& support = world.solve.bodies[joint.movesA ? joint.bodyB : joint.bodyA];
        sleep.mayRest[group] |= isStill(support) ? kHeld : kMoves;
    }
    for (std::uint8_t& group : sleep.mayRest)
        group = !(group & kMoves) && (group & kHeld || !(group & kFalls));
}

// Lists islands of sleepers that an awake body pushed on in this step without having been expected to reach them.
void findStruck(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs, SleepState& sleep) {
    if (!isAnyAsleep(sleep))
        return;
    for (const ContactPair& pair : pairs) {
        const Body &a = bodies[pair.bodyA], &b = bodies[pair.bodyB];
        if (!pair.touching || isAsleep(a) == isAsleep(b) || a.sensor || b.sensor)
            continue;
        const Body &awake = isAsleep(a) ? b : a, &asleep = isAsleep(a) ? a : b;
        sleep.struck.push_back(asleep.island);
        if (sleep.mayRest.empty() || awake.motion != Motion::Dynamic)
            continue;
        const std::int32_t group = sleep.groups.island(awake.solverIndex);
        if (group >= 0)
            sleep.mayRest[group] = 0;
    }
}

std::uint32_t newIsland(const Pace& pace, SleepState& sleep) {
    std::uint32_t index;
    if (sleep.freeIslands.empty()) {
        index = static_cast<std::uint32_t>(sleep.islands.size());
        sleep.islands.emplace_back();
    } else {
        index = sleep.freeIslands.back();
        sleep.freeIslands.pop_back();
    }
    sleep.islands[index].substep = pace.substep;
    return index;
}

// Returns whether there were any.
bool putBodiesToSleep(WorldState& world) {
    SleepState& sleep = world.sleep;
    sleep.islandOf.assign(sleep.mayRest.size(), kNone);
    bool any = false;
    for (std::size_t i = 0; i < world.solve.layout.size(); ++i) {
        const std::int32_t group = sleep.groups.island(static_cast<std::uint32_t>(i + 1));
        if (group < 0 || !sleep.mayRest[group])
            continue;
        any = true;
        if (sleep.islandOf[group] == kNone)
            sleep.islandOf[group] = newIsland(world.clock.pace, world.sleep);
        const std::uint32_t slot = world.solve.layout[i];
        Body& body = world.bodies[slot];
        body.island = sleep.islandOf[group];
        body.solverIndex = dynamics::kFixedBody;
        body.velocity = body.angularVelocity = {};
        if (body.vertices)
            std::fill(body.vertices->velocities.begin(), body.vertices->velocities.end(), Vec3{});
        refreshProxies(world.broadPhase, body);
        sleep.islands[body.island].bodies.push_back(slot);
        sleep.nextEvents.push_back({{slot, body.generation}, true});
    }
    if (any) {
        std::erase_if(world.roster.moving, [&](std::uint32_t slot) { return isAsleep(world.bodies[slot]); });
        world.jointRoster.dueKnown = false;
    }
    return any;
}

// Pairs within an island sleep with it. Pairs of two islands are dropped: whichever wakes first finds them again. Pairs with an
// awake body stay, and are searched again, because the sleeper now counts as fixed.
void putPairsToSleep(WorldState& world) {
    std::erase_if(world.pairs, [&](ContactPair& pair) {
        const Body &a = world.bodies[pair.bodyA], &b = world.bodies[pair.bodyB];
        if (!isAsleep(a) && !isAsleep(b))
            return false;
        if (isAsleep(a) && isAsleep(b) && a.island != b.island) {
            world.pairSet.erase(keyOf(pair));
            return true;
        }
        if (sleepsWithIsland(a, b)) {
            keepPair(world.bodies, world.constraints, world.sleep, pair);
            return true;
        }
        pair.manifoldCount = 0;
        pair.seen = {};
        return false;
    });
}

}  // namespace

void putToSleep(WorldState& world, std::span<const dynamics::ContactLink> links, std::span<const dynamics::JointLink> joints,
                Real dt) {
    SleepState& sleep = world.sleep;
    if (world.def.sleeping) {
        const bool anyReady = countRest(world.def, world.roster, world.bodies, dt);
        sleep.mayRest.clear();
        if (anyReady) {
            findGroups(world, links, joints);
            judgeGroups(world, links, joints);
        }
        findStruck(world.bodies, world.pairs, sleep);
        // An island that was struck in one part of the step and woken in a later one has left a free entry, which the next
        // island may take: it must not be woken.
        std::erase_if(sleep.struck, [&](std::uint32_t island) { return sleep.islands[island].bodies.empty(); });
        if (anyReady && putBodiesToSleep(world))
            putPairsToSleep(world);
        wakeIslands(world, sleep.struck);
        sleep.struck.clear();
    }
    std::swap(sleep.events, sleep.nextEvents);
    sleep.nextEvents.clear();
}

}  // namespace sunder::world
