#include "world/contact/events.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "core/fitted.h"
#include "world/contact/collider_events.h"
#include "world/contact/meeting_point.h"
#include "world/contact/met_pair.h"
#include "world/state/blows.h"
#include "world/state/ended_contacts.h"

namespace sunder::world {

namespace {

// Whether the bodies pushed on each other at the point during the step, or overlap there at its end.
bool touches(const dynamics::ConstraintPoint& point) { return point.totalNormalImpulse > 0 || point.separation <= 0; }

// About half of the pairs with manifolds carry no load; they are skipped early.
bool touches(const PagedVector<dynamics::ContactConstraint>& constraints, const ContactPair& pair) {
    for (std::uint32_t i = 0; i < pair.manifoldCount; ++i) {
        const dynamics::ContactConstraint& constraint = constraints[pair.firstManifold + i];
        for (int j = 0; j < constraint.count; ++j)
            if (touches(constraint.points[j]))
                return true;
    }
    return pair.sensorTouches;
}

// Blows that continuous collision found between the two bodies of a pair.
std::span<const EventScratch::PairBlow> blowsOf(const EventScratch& scratch, const PagedVector<ContactPair>& pairs,
                                                const ContactPair& pair) {
    const std::vector<EventScratch::PairBlow>& blows = scratch.blows;
    if (blows.empty())
        return {};
    const auto number = static_cast<std::uint32_t>(&pair - pairs.data());
    const auto first = std::lower_bound(blows.begin(), blows.end(), number,
                                        [](const EventScratch::PairBlow& blow, std::uint32_t n) { return blow.pair < n; });
    const auto end = std::find_if(first, blows.end(), [&](const EventScratch::PairBlow& blow) { return blow.pair != number; });
    return std::span(blows).subspan(static_cast<std::size_t>(first - blows.begin()), static_cast<std::size_t>(end - first));
}

// Adds the blows of continuous collision to what the contacts did; the hardest of all gives the place of the event.
void addBlows(std::span<const EventScratch::PairBlow> blows, const ContactPair& pair, ContactEvent& event) {
    Real hardest = event.impulse;
    for (const EventScratch::PairBlow& entry : blows) {
        const SweptBlow& blow = *entry.blow;
        event.impulse += blow.normalImpulse;
        event.frictionImpulse += length(blow.impulse - blow.normal * blow.normalImpulse);
        if (!(blow.normalImpulse > hardest))
            continue;
        hardest = blow.normalImpulse;
        event.point = toVec3(blow.point);
        event.normal = blow.striker == pair.bodyA ? -blow.normal : blow.normal;
    }
}

// Fills in the event of a pair, but for its phase.
void describe(const WorldState& world, const ContactPair& pair, Real dt, ContactEvent& event) {
    event.a = idOf(world.bodies, pair.bodyA);
    event.b = idOf(world.bodies, pair.bodyB);
    event.sensor = world.bodies[pair.bodyA].sensor || world.bodies[pair.bodyB].sensor;
    const Body& bodyA = world.bodies[pair.bodyA];
    Vec3 sum, tangential;
    Real weights = 0, deepest = kInfinity;
    for (std::uint32_t i = 0; i < pair.manifoldCount; ++i) {
        const dynamics::ContactConstraint& constraint = world.constraints[pair.firstManifold + i];
        const Vec3 moved = world.solve.bodies[constraint.bodyA].displacement;
        for (int j = 0; j < constraint.count; ++j) {
            const dynamics::ConstraintPoint& point = constraint.points[j];
            if (!touches(point))
                continue;
            const Real weight = max(point.totalNormalImpulse, std::numeric_limits<Real>::min());
            sum += (point.armA + moved) * weight;
            weights += weight;
            event.impulse += point.totalNormalImpulse;
            tangential += constraint.tangent1 * point.totalTangentImpulse1 + constraint.tangent2 * point.totalTangentImpulse2;
            if (point.separation < deepest) {
                deepest = point.separation;
                event.normal = constraint.normal;
            }
        }
    }
    event.frictionImpulse = length(tangential);
    if (weights > 0) {
        // bodyA.center is already that of the end of the step, so the displacement that was added to armA is subtracted.
        const Vec3 moved = bodyA.motion == Motion::Static ? Vec3{} : world.solve.bodies[bodyA.solverIndex].displacement;
        event.point = toVec3(bodyA.center + (sum * (1 / weights) - moved));
        event.penetration = -deepest;
    }
    if (dt > 0 && event.impulse > 0 &&
        !isWhereTheyTouch(world.bodies, world.search, pair, world.constraints[pair.firstManifold], dt)) {
        const MeetingPoint meeting =
            meetingPointOf(world.bodies, world.search, world.solve, pair,
                           std::span(world.constraints).subspan(pair.firstManifold, pair.manifoldCount), dt);
        event.point = toVec3(meeting.point);
        event.normal = meeting.normal;
    }
    addBlows(blowsOf(world.events.scratch, world.pairs, pair), pair, event);
}

constexpr std::size_t kPairsPerBlock = 256;  // grain of the tasks

bool mayHaveEvent(const EventScratch& scratch, const PagedVector<ContactPair>& pairs, const ContactPair& pair) {
    return pair.manifoldCount > 0 || pair.sensorTouches || pair.touching || !blowsOf(scratch, pairs, pair).empty();
}

// Finds the pair of each blow. Two bodies that met where the broad phase did not expect it become a pair.
void placeBlows(WorldState& world) {
    std::vector<EventScratch::PairBlow>& blows = world.events.scratch.blows;
    blows.clear();
    std::vector<const SweptBlow*> all;
    forEachBlow(world.solve, [&](const SweptBlow& blow) { all.push_back(&blow); });
    if (all.empty())
        return;
    const auto keyOf = [](const SweptBlow& blow) {
        return collision::pairKey(std::min(blow.striker, blow.struck), std::max(blow.striker, blow.struck));
    };
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        addMetPair(world, all[i]->striker, all[i]->struck);
        keys.push_back({keyOf(*all[i]), i});
    }
    std::sort(keys.begin(), keys.end());
    for (std::uint32_t i = 0; i < world.pairs.size(); ++i) {
        const std::uint64_t key = collision::pairKey(world.pairs[i].bodyA, world.pairs[i].bodyB);
        for (auto at = std::lower_bound(keys.begin(), keys.end(), std::pair(key, 0u)); at != keys.end() && at->first == key;
             ++at)
            blows.push_back({i, all[at->second]});
    }
}

// Makes the event of a pair that touches or touched before the step; false for others.
bool makeEvent(const WorldState& world, ContactPair& pair, Real dt, bool persists, ContactEvent& event) {
    const bool touch = touches(world.constraints, pair) || !blowsOf(world.events.scratch, world.pairs, pair).empty();
    const bool touched = std::exchange(pair.touching, touch);
    if ((!touch && !touched) || (touch && touched && !persists))
        return false;
    event = {};
    describe(world, pair, dt, event);
    event.phase = touch ? (touched ? ContactPhase::Persist : ContactPhase::Begin) : ContactPhase::End;
    orderBySerial(world.bodies, event);
    return true;
}

PlacedEvent placed(const PagedVector<Body>& bodies, const ContactEvent& event) {
    return {bodies[event.a.index].serial, bodies[event.b.index].serial, &event};
}

// Finds all events, in the order of the pairs, with gaps between the blocks. Returns how many there are.
std::size_t findEvents(WorldState& world, Real dt, bool persists) {
    EventScratch& scratch = world.events.scratch;
    scratch.blocks.assign((world.pairs.size() + kPairsPerBlock - 1) / kPairsPerBlock, {});
    const int blocks = static_cast<int>(scratch.blocks.size());
    const auto pairsOf = [&](int block) {
        const std::size_t begin = block * kPairsPerBlock;
        return std::span(world.pairs).subspan(begin, std::min(kPairsPerBlock, world.pairs.size() - begin));
    };
    runTasks(*world.tasks, blocks, [&](int block) {
        const std::span<const ContactPair> pairs = pairsOf(block);
        scratch.blocks[block].count = static_cast<std::uint32_t>(std::count_if(
            pairs.begin(), pairs.end(), [&](const ContactPair& pair) { return mayHaveEvent(scratch, world.pairs, pair); }));
    });
    std::uint32_t most = 0, count = 0;
    for (EventScratch::Block& block : scratch.blocks) {
        block.first = most;
        most += block.count;
    }
    ScratchMemory& memory = world.solve.solver.memory();
    memory.begin(ScratchMemory::bytesOf<ContactEvent>(most) + ScratchMemory::bytesOf<PlacedEvent>(most));
    scratch.found = memory.take<ContactEvent>(most);
    runTasks(*world.tasks, blocks, [&](int number) {
        EventScratch::Block block{.first = scratch.blocks[number].first};
        for (ContactPair& pair : pairsOf(number)) {
            if (!mayHaveEvent(scratch, world.pairs, pair) ||
                !makeEvent(world, pair, dt, persists, scratch.found[block.first + block.count]))
                continue;
            const std::uint64_t serial = placed(world.bodies, scratch.found[block.first + block.count]).lowSerial;
            block.lowestSerial = std::min(block.lowestSerial, serial);
            block.highestSerial = std::max(block.highestSerial, serial);
            ++block.count;
        }
        scratch.blocks[number] = block;
    });
    for (const EventScratch::Block& block : scratch.blocks)
        count += block.count;
    scratch.sorted = memory.take<PlacedEvent>(count);
    return count;
}

struct ComesFirst {
    bool operator()(const PlacedEvent& a, const PlacedEvent& b) const {
        if (a.lowSerial != b.lowSerial || a.highSerial != b.highSerial)
            return a.lowSerial != b.lowSerial ? a.lowSerial < b.lowSerial : a.highSerial < b.highSerial;
        return a.event < b.event;  // of two colliders of one body, in the order of the pairs
    }
};

// Sorts the events on all threads: they are divided into shares by the lower serial, then each share is sorted.
void sortEvents(const PagedVector<Body>& bodies, TaskRunner& tasks, EventScratch& scratch) {
    constexpr std::size_t kMostShares = 64, kFew = 2048;  // up to kFew events are one share: dividing them costs more
    const std::size_t shares = scratch.sorted.size() <= kFew ? 1 : kMostShares, blocks = scratch.blocks.size();
    std::uint64_t lowest = ~0ull, highest = 0;
    for (const EventScratch::Block& block : scratch.blocks) {
        lowest = std::min(lowest, block.lowestSerial);
        highest = std::max(highest, block.highestSerial);
    }
    const auto forEachPlaced = [&](int number, auto&& function) {
        const EventScratch::Block& block = scratch.blocks[number];
        for (const ContactEvent& event : scratch.found.subspan(block.first, block.count)) {
            const PlacedEvent place = placed(bodies, event);
            const std::size_t share = (place.lowSerial - lowest) * shares / (highest - lowest + 1);
            function(place, scratch.places[share * blocks + number]);
        }
    };
    scratch.places.assign(shares * blocks + 1, 0);
    runTasks(tasks, static_cast<int>(blocks),
             [&](int block) { forEachPlaced(block, [](const PlacedEvent&, std::uint32_t& count) { ++count; }); });
    std::uint32_t sum = 0;
    for (std::uint32_t& place : scratch.places)
        sum += std::exchange(place, sum);
    std::array<std::uint32_t, kMostShares + 1> first{};
    for (std::size_t share = 0; share <= shares; ++share)
        first[share] = scratch.places[share * blocks];
    runTasks(tasks, static_cast<int>(blocks), [&](int block) {
        forEachPlaced(block, [&](const PlacedEvent& event, std::uint32_t& place) { scratch.sorted[place++] = event; });
    });
    runTasks(tasks, static_cast<int>(shares), [&](int share) {
        std::sort(scratch.sorted.begin() + first[share], scratch.sorted.begin() + first[share + 1], ComesFirst{});
    });
}

// 0 where two events are of the same pair; otherwise which comes first in some fixed order.
int comparePairs(const ContactEvent& x, const ContactEvent& y) {
    const std::uint32_t a[] = {x.a.index, x.a.generation, x.b.index, x.b.generation};
    const std::uint32_t b[] = {y.a.index, y.a.generation, y.b.index, y.b.generation};
    for (int i = 0; i < 4; ++i)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// Adds an event of the same pair from later in the step.
void addLater(ContactEvent& event, const ContactEvent& later) {
    event.impulse += later.impulse;
    event.frictionImpulse += later.frictionImpulse;
    event.penetration = later.penetration;
    event.point = later.point;
    event.normal = later.normal;
}

}  // namespace

void mergeEvents(std::vector<ContactEvent>& events, bool persists) {
    std::vector<std::uint32_t> order(events.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
        const int which = comparePairs(events[i], events[j]);
        return which != 0 ? which < 0 : i < j;
    });
    std::vector<std::pair<std::uint32_t, ContactEvent>> merged;  // with the place of the first of them
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        ContactEvent sum = events[order[first]];
        const bool touchedBefore = sum.phase != ContactPhase::Begin;
        bool touched = sum.phase != ContactPhase::End;
        for (end = first + 1; end < order.size() && comparePairs(events[order[first]], events[order[end]]) == 0; ++end) {
            const ContactEvent& later = events[order[end]];
            if (later.phase == ContactPhase::End)
                continue;
            if (touched)
                addLater(sum, later);
            else
                sum = later;
            touched = true;
        }
        const bool ended = events[order[end - 1]].phase == ContactPhase::End;
        if (touched) {
            sum.phase = touchedBefore ? ContactPhase::Persist : ContactPhase::Begin;
            merged.push_back({order[first], sum});
        }
        if (ended)
            merged.push_back({order[first], events[order[end - 1]]});
    }
    std::stable_sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    events.clear();
    for (const auto& [place, event] : merged)
        if (persists || event.phase != ContactPhase::Persist)
            events.push_back(event);
}

void reportContacts(WorldState& world, Real dt, bool persists) {
    EventScratch& scratch = world.events.scratch;
    const std::size_t before = world.events.contacts.size();
    placeBlows(world);
    if (findEvents(world, dt, persists) > 0)
        sortEvents(world.bodies, *world.tasks, scratch);
    // First come the ends of contacts whose bounds no longer overlap or whose body is gone, in the order in which that
    // happened.
    world.events.contacts.insert(world.events.contacts.end(), world.events.endedContacts.begin(),
                                 world.events.endedContacts.end());
    world.events.endedContacts.clear();
    const std::size_t first = world.events.contacts.size();
    if (first + scratch.sorted.size() > world.events.contacts.capacity())
        world.events.contacts.reserve(fittedCapacity(first + scratch.sorted.size()));
    world.events.contacts.resize(first + scratch.sorted.size());
    runRanges(*world.tasks, scratch.sorted.size(), kPairsPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            world.events.contacts[first + i] = *scratch.sorted[i].event;
    });
    scratch.found = {};
    scratch.sorted = {};
    world.solve.areFleshTouchesNews = false;
    if (!world.roster.deforming.empty())
        mergeColliderEvents(world.bodies, world.events.contacts, before);
}

}  // namespace sunder::world
