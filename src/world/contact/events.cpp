#include "world/contact/events.h"

#include <algorithm>
#include <array>
#include <limits>
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

// m: points of a contact that lasts, and that are no farther apart at the end of the step, are where its bodies touch.
constexpr Real kStillTouches = Real(1e-3);

// Fills in the event of a pair, but for its phase. lasts: it touched before the step and still does.
void describe(const WorldState& world, const ContactPair& pair, Real dt, bool lasts, ContactEvent& event) {
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
    const bool stays = lasts && deepest <= kStillTouches;
    if (dt > 0 && event.impulse > 0 &&
        !isWhereTheyTouch(world.bodies, world.search, pair, world.constraints[pair.firstManifold], stays, dt)) {
        const MeetingPoint meeting =
            meetingPointOf(world.bodies, world.search, world.solve, pair,
                           std::span(world.constraints).subspan(pair.firstManifold, pair.manifoldCount), dt);
        event.point = toVec3(meeting.point);
        event.normal = meeting.normal;
    }
    addBlows(blowsOf(world.events.scratch, world.pairs, pair), pair, event);
}

constexpr std::size_t kEventPairsPerTask = 256;  // grain of the tasks

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

// Which pairs that touched before and still do have events.
class LastingPairs {
public:
    // events: of the earlier parts of the step.
    LastingPairs(Lasting lasting, const std::vector<ContactEvent>& events) : areAll_(lasting == Lasting::All) {
        for (const ContactEvent& event : events)
            if (lasting == Lasting::BegunInStep && event.phase == ContactPhase::Begin)
                begun_.push_back(
                    collision::pairKey(std::min(event.a.index, event.b.index), std::max(event.a.index, event.b.index)));
        std::sort(begun_.begin(), begun_.end());
    }
    bool have(const ContactPair& pair) const {
        return areAll_ || (!begun_.empty() &&
                           std::binary_search(begun_.begin(), begun_.end(), collision::pairKey(pair.bodyA, pair.bodyB)));
    }

private:
    bool areAll_;
    std::vector<std::uint64_t> begun_;  // keys of pairs of bodies, ascending
};

// Makes the event of a pair that touches or touched before the step; false for others.
bool makeEvent(const WorldState& world, ContactPair& pair, Real dt, const LastingPairs& lasting, ContactEvent& event) {
    const bool touch = touches(world.constraints, pair) || !blowsOf(world.events.scratch, world.pairs, pair).empty();
    const bool touched = std::exchange(pair.touching, touch);
    if ((!touch && !touched) || (touch && touched && !lasting.have(pair)))
        return false;
    event = {};
    describe(world, pair, dt, touch && touched, event);
    event.phase = touch ? (touched ? ContactPhase::Persist : ContactPhase::Begin) : ContactPhase::End;
    orderBySerial(world.bodies, event);
    return true;
}

PlacedEvent placed(const PagedVector<Body>& bodies, const ContactEvent& event) {
    return {bodies[event.a.index].serial, bodies[event.b.index].serial, &event};
}

// Finds all events, in the order of the pairs, with gaps between the blocks. Returns how many there are.
std::size_t findEvents(WorldState& world, Real dt, const LastingPairs& lasting) {
    EventScratch& scratch = world.events.scratch;
    scratch.blocks.assign((world.pairs.size() + kEventPairsPerTask - 1) / kEventPairsPerTask, {});
    const int blocks = static_cast<int>(scratch.blocks.size());
    const auto pairsOf = [&](int block) {
        const std::size_t begin = block * kEventPairsPerTask;
        return std::span(world.pairs).subspan(begin, std::min(kEventPairsPerTask, world.pairs.size() - begin));
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
                !makeEvent(world, pair, dt, lasting, scratch.found[block.first + block.count]))
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

// An event's place in the order of pairs, whichever that is, and then of time.
struct EventKey {
    std::uint64_t bodies = 0, generations = 0;
    std::uint32_t at = 0;

    bool isOfPair(const EventKey& other) const { return bodies == other.bodies && generations == other.generations; }
    bool operator<(const EventKey& other) const {
        if (bodies != other.bodies)
            return bodies < other.bodies;
        return generations != other.generations ? generations < other.generations : at < other.at;
    }
};

EventKey keyOf(const ContactEvent& event, std::size_t at) {
    return {std::uint64_t(event.a.index) << 32 | event.b.index, std::uint64_t(event.a.generation) << 32 | event.b.generation,
            static_cast<std::uint32_t>(at)};
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
    std::vector<EventKey> order(events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
        order[i] = keyOf(events[i], i);
    std::sort(order.begin(), order.end());
    // What an event becomes takes the place of the first of its pair, and its end that of the last.
    std::vector<std::uint8_t> isKept(events.size());
    const auto put = [&](std::size_t at, const ContactEvent& event) {
        events[at] = event;
        isKept[at] = persists || event.phase != ContactPhase::Persist;
    };
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        ContactEvent sum = events[order[first].at];
        const bool touchedBefore = sum.phase != ContactPhase::Begin;
        bool touched = sum.phase != ContactPhase::End;
        for (end = first + 1; end < order.size() && order[first].isOfPair(order[end]); ++end) {
            const ContactEvent& later = events[order[end].at];
            if (later.phase == ContactPhase::End)
                continue;
            if (touched)
                addLater(sum, later);
            else
                sum = later;
            touched = true;
        }
        const std::size_t last = order[end - 1].at;
        const ContactEvent ending = events[last];
        if (touched) {
            sum.phase = touchedBefore ? ContactPhase::Persist : ContactPhase::Begin;
            put(order[first].at, sum);
        }
        if (ending.phase == ContactPhase::End)
            put(last, ending);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (isKept[i])
            events[kept++] = events[i];
    events.resize(kept);
}

void reportContacts(WorldState& world, Real dt, Lasting lasting) {
    EventScratch& scratch = world.events.scratch;
    const std::size_t before = world.events.contacts.size();
    if (lasting == Lasting::BegunInStep && !world.roster.deforming.empty())
        lasting = Lasting::All;  // their colliders are merged first
    placeBlows(world);
    if (findEvents(world, dt, LastingPairs(lasting, world.events.contacts)) > 0)
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
    runRanges(*world.tasks, scratch.sorted.size(), kEventPairsPerTask, [&](std::size_t begin, std::size_t end) {
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
