#include "world/events.h"

#include <algorithm>

#include "core/radix_sort.h"

namespace sunder::world {

namespace {

BodyId idOf(const WorldState& world, std::uint32_t slot) { return {slot, world.bodies[slot].generation}; }

// Two bodies touch when they pushed on each other during the step, or overlap at its end.
bool touches(const WorldState& world, const ContactPair& pair) {
    for (std::uint32_t i = 0; i < pair.manifoldCount; ++i) {
        const dynamics::ContactConstraint& constraint = world.constraints[pair.firstManifold + i];
        for (int j = 0; j < constraint.count; ++j)
            if (constraint.points[j].totalNormalImpulse > 0 || constraint.points[j].separation <= 0)
                return true;
    }
    return pair.sensorTouches;
}

ContactEvent describe(const WorldState& world, const ContactPair& pair) {
    ContactEvent event;
    event.a = idOf(world, pair.bodyA);
    event.b = idOf(world, pair.bodyB);
    event.sensor = world.bodies[pair.bodyA].sensor || world.bodies[pair.bodyB].sensor;
    const Body& bodyA = world.bodies[pair.bodyA];
    Vec3 sum, tangential;
    int count = 0;
    Real deepest = kInfinity;
    for (std::uint32_t i = 0; i < pair.manifoldCount; ++i) {
        const dynamics::ContactConstraint& constraint = world.constraints[pair.firstManifold + i];
        const Vec3 moved = world.solverBodies[constraint.bodyA].displacement;
        for (int j = 0; j < constraint.count; ++j) {
            const dynamics::ConstraintPoint& point = constraint.points[j];
            if (point.totalNormalImpulse <= 0 && point.separation > 0)
                continue;
            sum += point.armA + moved;
            ++count;
            event.impulse += point.totalNormalImpulse;
            tangential += constraint.tangent1 * point.totalTangentImpulse1 + constraint.tangent2 * point.totalTangentImpulse2;
            if (point.separation < deepest) {
                deepest = point.separation;
                event.normal = constraint.normal;
            }
        }
    }
    event.frictionImpulse = length(tangential);
    if (count > 0) {
        // bodyA.center is already that of the end of the step; armA was taken from the moved centre.
        const Vec3 moved = bodyA.motion == Motion::Static ? Vec3{} : world.solverBodies[bodyA.solverIndex].displacement;
        event.point = toVec3(bodyA.center + (sum / Real(count) - moved));
        event.penetration = -deepest;
    }
    return event;
}

void orderBySerial(const WorldState& world, ContactEvent& event) {
    if (world.bodies[event.a.index].serial < world.bodies[event.b.index].serial)
        return;
    std::swap(event.a, event.b);
    event.normal = -event.normal;
}

}  // namespace

void noteEnd(WorldState& world, const ContactPair& pair) {
    ContactEvent event;
    event.phase = ContactPhase::End;
    event.a = idOf(world, pair.bodyA);
    event.b = idOf(world, pair.bodyB);
    event.sensor = world.bodies[pair.bodyA].sensor || world.bodies[pair.bodyB].sensor;
    orderBySerial(world, event);
    world.endedContacts.push_back(event);
}

void reportContacts(WorldState& world) {
    constexpr std::size_t kPairsPerBlock = 256;
    EventScratch& scratch = world.eventScratch;
    scratch.touches.resize(world.pairs.size());
    runRanges(*world.tasks, world.pairs.size(), kPairsPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            scratch.touches[i] = touches(world, world.pairs[i]);
    });
    scratch.order.clear();
    for (std::uint32_t i = 0; i < world.pairs.size(); ++i)
        if (const ContactPair& pair = world.pairs[i]; scratch.touches[i] || pair.touching) {
            const std::uint64_t a = world.bodies[pair.bodyA].serial, b = world.bodies[pair.bodyB].serial;
            scratch.order.push_back({std::min(a, b), std::max(a, b), i});
        }
    radixSort(scratch.order, scratch.spare, [](const OrderedPair& pair) { return pair.highSerial; });
    radixSort(scratch.order, scratch.spare, [](const OrderedPair& pair) { return pair.lowSerial; });
    // Contacts whose bounds parted, or whose body is gone, come first, in the order in which that happened.
    world.contactEvents.insert(world.contactEvents.end(), world.endedContacts.begin(), world.endedContacts.end());
    world.endedContacts.clear();
    const std::size_t first = world.contactEvents.size();
    world.contactEvents.resize(first + scratch.order.size());
    runRanges(*world.tasks, scratch.order.size(), kPairsPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            ContactPair& pair = world.pairs[scratch.order[i].pair];
            const bool now = scratch.touches[scratch.order[i].pair];
            ContactEvent& event = world.contactEvents[first + i];
            event = describe(world, pair);
            event.phase = now ? (pair.touching ? ContactPhase::Persist : ContactPhase::Begin) : ContactPhase::End;
            pair.touching = now;
            orderBySerial(world, event);
        }
    });
}

}  // namespace sunder::world
