// [Egan03] A.1, SimpleSyncTimewarp and SaferSyncTimewarp.
// Deviations:
// - Simple, lines 14 to 18 search for collisions of the first body before the second one's test state is renewed; here both are
//   renewed first.
// - Safer, lines 7 and 15 drop the current collision where an earlier one is found; here it stays. Lines 21 to 28 set near
// bodies
//   back by a stale index and collide test states: here near bodies are looked at on copies, and valid states collide.
// - The number of collisions has a bound, per body. A pair whose bodies have both had as many is left to contact.
// - Collisions are found along the ways of bodies (the thesis' remedy, swept volumes); WarpSettings::isSwept is off for the
//   thesis' own search, which looks at test states only.
// - Slow meetings, and those to which gravity alone brought the bodies in the step, are contact: a body at rest does not
//   collide. For a pair that has collided in the step slow means faster.
#include "dynamics/timewarp/timewarp.h"

#include <algorithm>
#include <array>

#include "dynamics/impulse/pair_impulse.h"
#include "dynamics/impulse/predicted_motion.h"
#include "dynamics/impulse/report.h"
#include "dynamics/integrate/substep.h"
#include "dynamics/steady/steady_contact.h"
#include "dynamics/timewarp/event_heap.h"
#include "dynamics/timewarp/meeting.h"

namespace sunder::dynamics {

namespace {

constexpr std::size_t kPairsPerBlock = 16;  // grain of the tasks
// Share of a step that a search looks ahead at least before it pauses.
constexpr Real kLeastStretch = Real(1) / 64;
// Most doublings of the least speed of a pair's collisions, so that the factor stays finite.
constexpr std::uint8_t kMostDoublings = 20;

class Timewarp {
public:
    Timewarp(WarpStep& step, Neighbours& neighbours) : step_(step), neighbours_(neighbours) {}

    void findAll(TaskRunner& tasks) {
        const std::span<ImpulsePair> pairs = step_.impulse.pairs();
        std::vector<Prospect> found(pairs.size());
        runRanges(tasks, pairs.size(), kPairsPerBlock, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                found[i] = search(std::uint32_t(i), 0, step_.impulse.settings.dt);
        });
        for (std::uint32_t i = 0; i < pairs.size(); ++i)
            expect(i, found[i], true);
    }

    void run() {
        while (!heap_.isEmpty()) {
            const std::uint32_t index = heap_.first();
            const Real time = heap_.time(index);
            if (isPaused_[index]) {
                heap_.remove(index);
                stretch_[index] *= 2;
                expect(index, search(index, time, time + stretch_[index]), isSure_[index]);
            } else if (isCut(index)) {
                heap_.remove(index);
                ++step_.cut;
            } else if (!step_.settings.isSafer || !findMissed(index, time)) {
                heap_.remove(index);
                if (collide(index, time))
                    renew(index);
                else
                    isRefuted_[index] = true;
            }
        }
    }

private:
    ImpulsePair& pair(std::uint32_t index) { return step_.impulse.pairs()[index]; }

    Prospect search(std::uint32_t index, Real from, Real pause) {
        const ImpulsePair& pair = this->pair(index);
        const Real end = step_.impulse.settings.dt;
        if (!step_.settings.isSwept && !overlap(step_, pair, step_.bodies[pair.a.body].test, step_.bodies[pair.b.body].test))
            return {};
        return findCollision(step_, pair, {from, pause, end}, memory_[index]);
    }
    // wasSure: of the search that goes on.
    void expect(std::uint32_t index, const Prospect& prospect, bool wasSure) {
        isSure_[index] = wasSure && prospect.isSure;
        isPaused_[index] = prospect.kind == Prospect::Kind::ApartUntil;
        if (prospect.kind != Prospect::Kind::ApartInStep)
            heap_.set(index, prospect.time);
    }
    // The search after a collision looks ahead by about the time that the two had between collisions so far in the step: what
    // is farther off is mostly overtaken by the next one.
    void searchAnew(std::uint32_t index) {
        const WarpBody &a = step_.bodies[pair(index).a.body], &b = step_.bodies[pair(index).b.body];
        const Real from = max(a.validTime, b.validTime);
        stretch_[index] = max(from / Real(std::max(1, a.collisions + b.collisions)), kLeastStretch * step_.impulse.settings.dt);
        expect(index, search(index, from, from + stretch_[index]), true);
    }
    // Bodies that no impulse moves have no bound of their own.
    bool isCut(std::uint32_t index) {
        const auto isSpent = [&](std::uint32_t body) {
            return !step_.impulse.constants[body].isDynamic || step_.bodies[body].collisions >= step_.settings.eventsPerBody;
        };
        return isSpent(pair(index).a.body) && isSpent(pair(index).b.body);
    }

    // Both bodies become valid at this time, after the collision; false where they turn out not to approach.
    bool collide(std::uint32_t index, Real time) {
        ImpulsePair& pair = this->pair(index);
        ImpulseStep& impulse = step_.impulse;
        PairVisit visit{stateAt(step_, pair.a.body, time), stateAt(step_, pair.b.body, time)};
        visit.clampEnergy = impulse.settings.clampEnergy;
        findSites(impulse, pair, {visit.a.displacement, visit.a.orientation}, {visit.b.displacement, visit.b.orientation},
                  pair.margin, Arms::ToCommonPoint);
        if (pair.sites.empty())
            return false;
        const Real reach = max(pair.sites.front().separation, 0) + pair.touching;
        std::erase_if(pair.sites, [&](const ImpulseSite& site) { return site.separation > reach; });
        scatterNormals(impulse.settings.scatter, pair, visit);
        WarpCollision collision{pair.source, time};
        for (ImpulseSite& site : pair.sites) {
            const Real un = dot(velocityAt(visit.a, site.armA) - velocityAt(visit.b, site.armB), site.N);
            site.impulse = {};
            site.goal = -un > impulse.settings.restitutionThreshold ? -pair.material.restitution * un : Real(0);
            collision.speed = max(collision.speed, -un);
        }
        if (!(collision.speed > slowestCollision(step_, pair, time)))
            return false;
        pair.angularImpulse = {};
        impulse.clampedImpulses += visitPair(pair, visit);
        reportImpulses(pair, false);
        for (const ImpulseSite& site : pair.sites)
            collision.impulse += dot(site.impulse, site.N);
        step_.collisions.push_back(collision);
        step_.timesMet[index] = std::min<std::uint8_t>(std::uint8_t(step_.timesMet[index] + 1), kMostDoublings);
        makeValid(pair.a.body, visit.a, time);
        makeValid(pair.b.body, visit.b, time);
        return true;
    }
    void makeValid(std::uint32_t body, const SolverBody& state, Real time) {
        if (!step_.impulse.constants[body].isDynamic)
            return;
        WarpBody& warp = step_.bodies[body];
        warp.valid = state;
        warp.validTime = time;
        ++warp.collisions;
        renewTest(step_, body);
    }

    // The next collisions of the two bodies that have just collided.
    void renew(std::uint32_t index) {
        const std::array<std::uint32_t, 2> bodies{pair(index).a.body, pair(index).b.body};
        for (const std::uint32_t body : bodies)
            if (step_.impulse.constants[body].isDynamic) {
                for (const std::uint32_t i : step_.pairsOf[body]) {
                    heap_.remove(i);
                    isRefuted_[i] = false;
                }
                neighbours_.turnedAside(step_, body);
                listNewPairs();
            }
        for (const std::uint32_t body : bodies)
            if (step_.impulse.constants[body].isDynamic)
                for (const std::uint32_t i : step_.pairsOf[body])
                    if (body == bodies[0] || i != index)  // the pair itself is in both lists
                        searchAnew(i);
    }
    void listNewPairs() {
        for (; listed_ < step_.impulse.scratch.pairCount; ++listed_) {
            const ImpulsePair& pair = step_.impulse.pairs()[listed_];
            step_.pairsOf[pair.a.body].push_back(static_cast<std::uint32_t>(listed_));
            step_.pairsOf[pair.b.body].push_back(static_cast<std::uint32_t>(listed_));
            isRefuted_.push_back(false);
            isPaused_.push_back(false);
            isSure_.push_back(false);
            memory_.push_back({});
            stretch_.push_back(0);
            step_.timesMet.push_back(0);
        }
    }

    // Looks at the pairs among the bodies near a collision, at its time, but for those of which the search is sure. Those that
    // overlap and were expected to collide later or never are put into the heap; true where one of them collided before.
    bool findMissed(std::uint32_t index, Real time) {
        near_.clear();
        for (const std::uint32_t body : {pair(index).a.body, pair(index).b.body})
            if (body != kFixedBody)
                for (const std::uint32_t i : step_.pairsOf[body]) {
                    near_.push_back(pair(i).a.body);
                    near_.push_back(pair(i).b.body);
                }
        std::sort(near_.begin(), near_.end());
        near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
        bool isLate = false;
        for (const std::uint32_t body : near_)
            if (step_.impulse.constants[body].isDynamic)
                for (const std::uint32_t i : step_.pairsOf[body])
                    if (i != index && !isSure_[i])
                        isLate = isMissed(i, body, time) || isLate;
        return isLate;
    }
    // index: of a pair of this near body. Of two dynamic bodies the first one's list counts.
    bool isMissed(std::uint32_t index, std::uint32_t body, Real time) {
        const ImpulsePair& pair = this->pair(index);
        const bool isKnown = heap_.has(index) && heap_.time(index) <= time && !isPaused_[index];
        if (isKnown || isRefuted_[index] || isCut(index))
            return false;
        const std::uint32_t other = pair.a.body == body ? pair.b.body : pair.a.body;
        if ((other < body && step_.impulse.constants[other].isDynamic) ||
            !std::binary_search(near_.begin(), near_.end(), other))
            return false;
        if (!overlap(step_, pair, stateAt(step_, pair.a.body, time), stateAt(step_, pair.b.body, time)))
            return false;
        const Real start = max(step_.bodies[pair.a.body].validTime, step_.bodies[pair.b.body].validTime);
        const Prospect earlier = findCollision(step_, pair, {start, time, time}, memory_[index]);
        if (earlier.kind != Prospect::Kind::Collide || !(earlier.time < time)) {
            isRefuted_[index] = step_.settings.isSwept;  // what is left of its way was searched with the rest
            return false;
        }
        expect(index, earlier, true);
        ++step_.missed;
        return true;
    }

    WarpStep& step_;
    Neighbours& neighbours_;
    EventHeap heap_;
    std::size_t listed_ = 0;
    std::vector<std::uint32_t> near_;   // the bodies near a collision, in ascending order
    std::vector<bool> isPaused_;        // by pair: its event is where its search paused, not a collision
    std::vector<bool> isSure_;          // by pair: Prospect::isSure of the search of its bodies' present ways
    std::vector<Real> stretch_;         // s, by pair: how far its search looked ahead last
    std::vector<SearchMemory> memory_;  // by pair
    std::vector<bool> isRefuted_;       // by pair: on the present ways of its bodies it was looked at, and they did not collide

public:
    void begin() {
        step_.bodies.assign(step_.impulse.bodies.size(), {});
        step_.pairsOf.assign(step_.impulse.bodies.size(), {});
        for (std::uint32_t i = 0; i < step_.bodies.size(); ++i) {
            step_.bodies[i].valid = step_.impulse.bodies[i];
            renewTest(step_, i);
        }
        listNewPairs();
    }
};

}  // namespace

void runTimewarp(WarpStep& step, Neighbours& neighbours, TaskRunner& tasks) {
    Timewarp timewarp(step, neighbours);
    timewarp.begin();
    timewarp.findAll(tasks);
    timewarp.run();
}

namespace {

// Whether the surfaces of the two move by so little in the step that the places at which they touch at its start will do.
bool staysWithinTouch(const ImpulseStep& step, const ImpulsePair& pair) {
    const SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
    const SolverBodyConstants &constantsA = step.constants[pair.a.body], &constantsB = step.constants[pair.b.body];
    const Real fastest = length(a.velocity - b.velocity) + length(a.angularVelocity) * constantsA.radius +
                         length(b.angularVelocity) * constantsB.radius;
    return fastest * step.settings.dt < pair.touching;
}

// Contact finds bodies that turn fast where straight lines lead, not where they will be. Sites at the test states, with the
// separations from which their velocities lead there.
void lookAhead(const WarpStep& step, ImpulsePair& pair) {
    ImpulseStep& impulse = step.impulse;
    const Real dt = impulse.settings.dt;
    const auto place = [&](std::uint32_t body) {
        return Placement{step.bodies[body].test.displacement, step.bodies[body].test.orientation};
    };
    const SolverBody &a = impulse.bodies[pair.a.body], &b = impulse.bodies[pair.b.body];
    const Vec3 fall = impulse.constants[pair.a.body].acceleration - impulse.constants[pair.b.body].acceleration;
    pair.sites = pair.carried;
    findSites(impulse, pair, place(pair.a.body), place(pair.b.body), pair.margin, Arms::ToCommonPoint);
    for (ImpulseSite& site : pair.sites)
        site.separation -=
            dot(velocityAt(a, site.armA) - velocityAt(b, site.armB), site.N) * dt + dot(fall, site.N) * (square(dt) / 2);
    std::swap(pair.carried, pair.sites);
}

}  // namespace

void startContact(WarpStep& step) {
    const Real dt = step.impulse.settings.dt;
    for (ImpulsePair& pair : step.impulse.pairs())
        if (step.bodies[pair.a.body].collisions + step.bodies[pair.b.body].collisions == 0 &&
            !staysWithinTouch(step.impulse, pair))
            lookAhead(step, pair);
    for (std::size_t i = 0; i < step.bodies.size(); ++i) {
        const WarpBody& warp = step.bodies[i];
        if (warp.collisions == 0)
            continue;
        const SolverBodyConstants& constants = step.impulse.constants[i];
        const Real time = warp.validTime;
        const Vec3 a = linearAcceleration(warp.valid, constants, dt);
        SolverBody& body = step.impulse.bodies[i];
        body.velocity = warp.valid.velocity - a * time;
        body.angularVelocity = warp.valid.angularVelocity - angularAcceleration(warp.valid, constants, dt) * time;
        body.orientation = quatFromRotationVector(body.angularVelocity * -time) * warp.valid.orientation;
        body.inverseInertia = worldInverseInertia(body.orientation, constants);
        step.impulse.scratch.setback[i] = warp.valid.displacement - body.velocity * time - a * (square(time) / 2);
    }
}

void finishPositions(WarpStep& step) {
    const ImpulseScratch& scratch = step.impulse.scratch;
    std::vector<std::uint32_t> untouched;
    for (std::uint32_t i = 0; i < step.bodies.size(); ++i) {
        const SolverBody& body = step.impulse.bodies[i];
        const Momentary &kept = scratch.kept[i], &fall = scratch.fall[i];
        if (body.velocity == kept.velocity + fall.velocity &&
            body.angularVelocity == kept.angularVelocity + fall.angularVelocity)
            untouched.push_back(i);
    }
    moveSteadily(step.impulse, Gain::ActsByHalf);
    for (const std::uint32_t i : untouched)
        step.impulse.bodies[i] = step.bodies[i].test;
}

}  // namespace sunder::dynamics
