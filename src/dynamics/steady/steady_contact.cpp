#include "dynamics/steady/steady_contact.h"

#include <array>

#include "dynamics/impulse/advance.h"
#include "dynamics/impulse/contact_graph.h"
#include "dynamics/impulse/pair_impulse.h"
#include "dynamics/impulse/point_impulse.h"
#include "dynamics/impulse/predicted_motion.h"
#include "dynamics/impulse/rank_pairs.h"
#include "dynamics/impulse/report.h"
#include "dynamics/integrate/free_rotation.h"
#include "dynamics/integrate/substep.h"
#include "dynamics/steady/pass_rows.h"
#include "sunder/definitions.h"

namespace sunder::dynamics {

namespace {

// Share of the distance at which surfaces touch that a step does not close: what rests within it stays where it is.
constexpr Real kLooseness = Real(0.5);
// Share of a deeper overlap that a step repairs, and the speed limit of that (m/s). Friction acts on it: what lift.h moves
// slides.
constexpr Real kRepairShare = Real(0.1), kRepairSpeed = Real(0.3);
// A held body that moves more slowly than this share of what it falls in a step gains nothing that would act by half: the mean
// of two velocities leaves what changes its sign from step to step as it is, and boxes in a pile shook with that period.
constexpr Real kRingingShare = Real(0.2);
// A new load has to find its way down a pile: how many times the passes asked for there may be.
constexpr int kMostPasses = 5;
// How many times those passes there are for what rests on bodies that were put to rest: they start from loads that do not fit.
constexpr int kYieldPasses = 3;

// m/s: the least u.N of surfaces that are this far apart (m) at the start of the step.
Real goalOf(const ImpulsePair& pair, Real gap, Real dt) {
    const Real loose = kLooseness * pair.touching;
    return gap > 0 ? -max(gap - loose, 0) / dt : min(max(-gap - loose, 0) * (kRepairShare / dt), kRepairSpeed);
}

Real approachSpeedAt(const ImpulseStep& step, const ImpulsePair& pair, const ImpulseSite& site) {
    return dot(velocityAt(step.bodies[pair.a.body], site.armA) - velocityAt(step.bodies[pair.b.body], site.armB), site.N);
}

Vec3 accelerationOf(const ImpulseStep& step, std::uint32_t body) {
    return step.constants[body].isDynamic ? linearAcceleration(step.bodies[body], step.constants[body], step.settings.dt)
                                          : Vec3{};
}

// Sites of a pair that a collision has moved: where its bodies are at the end of the step without contact. What they have as
// separation then becomes the gap that the step may close.
void findSitesAhead(ImpulseStep& step, ImpulsePair& pair) {
    const Real dt = step.settings.dt;
    const Placement a = placeInFlight(step, pair.a.body, dt), b = placeInFlight(step, pair.b.body, dt);
    findSites(step, pair, a, b, pair.margin, Arms::ToCommonPoint);
    const Vec3 fall = accelerationOf(step, pair.a.body) - accelerationOf(step, pair.b.body);
    for (ImpulseSite& site : pair.sites)
        site.separation -= approachSpeedAt(step, pair, site) * dt + dot(fall, site.N) * (square(dt) / 2);
}

// Whether a collision will make the pair bounce at the site: contact must not take that speed away.
bool willBounce(const ImpulseStep& step, const ImpulsePair& pair, const ImpulseSite& site) {
    return pair.material.restitution > 0 && -approachSpeedAt(step, pair, site) > step.settings.restitutionThreshold;
}

void findPairSites(ImpulseStep& step, ImpulsePair& pair) {
    const Real dt = step.settings.dt;
    pair.sites.clear();
    pair.angularImpulse = pair.positionPhase.impulse = {};
    pair.positionPhase.isHeldApart = pair.positionPhase.moved = pair.isSolved = false;
    const auto isBent = [&](std::uint32_t body) { return !(step.scratch.setback[body] == Vec3{}); };
    if (isBent(pair.a.body) || isBent(pair.b.body))
        findSitesAhead(step, pair);
    else
        pair.sites = pair.carried;
    const Vec3 fall = accelerationOf(step, pair.a.body) - accelerationOf(step, pair.b.body);
    std::erase_if(pair.sites, [&](const ImpulseSite& site) {
        const Real un = approachSpeedAt(step, pair, site), falling = dot(fall, site.N) * dt;
        const bool isFar = site.separation + min(un + falling, 0) * dt > pair.margin;
        return isFar || (willBounce(step, pair, site) && site.separation + (un + falling / 2) * dt > -pair.touching);
    });
}

void fall(ImpulseStep& step) {
    const Real dt = step.settings.dt;
    step.scratch.fall.assign(step.bodies.size(), {});
    for (std::size_t i = 0; i < step.bodies.size(); ++i) {
        SolverBody& body = step.bodies[i];
        step.scratch.kept[i] = {body.velocity, body.angularVelocity};
        if (!step.constants[i].isDynamic)
            continue;
        const Momentary given = givenByForces(step, i, dt);
        step.scratch.fall[i] = given;
        body.velocity += given.velocity;
        body.angularVelocity += given.angularVelocity;
    }
}

// The pairs of a level of the contact graph, whose finished bodies are immovable.
class LevelRows {
public:
    explicit LevelRows(ImpulseStep& step) : step_(step) {}

    void add(ImpulsePair& pair, bool isFinishedA, bool isFinishedB) {
        const std::array<SolverBody, 2> bodies = visited(pair, isFinishedA, isFinishedB);
        if (!canMove(bodies[0]) && !canMove(bodies[1]))
            return;
        parts_.push_back({&pair, rows_.size(), isFinishedA, isFinishedB});
        for (ImpulseSite& site : pair.sites) {
            site.K = pointResponse(bodies[0], site.armA, bodies[1], site.armB);
            rows_.push_back(rowOf(site));
        }
    }
    void pass() {
        for (const Part& part : parts_) {
            std::array<SolverBody, 2> bodies = visited(*part.pair, part.isFinishedA, part.isFinishedB);
            for (std::size_t i = 0; i < part.pair->sites.size(); ++i)
                solveRow(rows_[part.begin + i], part.pair->material, bodies[0], bodies[1]);
            SolverBody &a = step_.bodies[part.pair->a.body], &b = step_.bodies[part.pair->b.body];
            a.velocity = bodies[0].velocity;
            a.angularVelocity = bodies[0].angularVelocity;
            b.velocity = bodies[1].velocity;
            b.angularVelocity = bodies[1].angularVelocity;
        }
    }
    void store() const {
        for (const Part& part : parts_)
            for (std::size_t i = 0; i < part.pair->sites.size(); ++i)
                part.pair->sites[i].impulse = rows_[part.begin + i].impulse;
    }

private:
    struct Part {
        ImpulsePair* pair;
        std::size_t begin;  // of its rows
        bool isFinishedA, isFinishedB;
    };
    std::array<SolverBody, 2> visited(const ImpulsePair& pair, bool isFinishedA, bool isFinishedB) const {
        std::array<SolverBody, 2> bodies{step_.bodies[pair.a.body], step_.bodies[pair.b.body]};
        for (SolverBody* finished : {isFinishedA ? &bodies[0] : nullptr, isFinishedB ? &bodies[1] : nullptr})
            if (finished)
                finished->inverseMass = {}, finished->inverseInertia = {};
        return bodies;
    }

    ImpulseStep& step_;
    std::vector<Part> parts_;
    std::vector<PassRow> rows_;
};

// Marks the bodies that a chain of loads connects to a body that never gives way.
void findHeld(const ImpulseStep& step, std::vector<std::uint8_t>& isHeld) {
    isHeld.assign(step.bodies.size(), 0);
    for (std::size_t i = 0; i < isHeld.size(); ++i)
        isHeld[i] = !step.constants[i].isDynamic;
    const auto isLoaded = [](const ImpulsePair& pair) {
        for (const ImpulseSite& site : pair.sites)
            if (dot(site.impulse, site.N) > 0)
                return true;
        return false;
    };
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (const std::uint32_t i : step.scratch.order) {
            const ImpulsePair& pair = step.pairs()[i];
            if (isHeld[pair.a.body] == isHeld[pair.b.body] || !isLoaded(pair))
                continue;
            isHeld[pair.a.body] = isHeld[pair.b.body] = 1;
            isChanged = true;
        }
    }
}

// Marks the bodies that come to what holds them in this step: by a collision, or across a gap.
void findArriving(const ImpulseStep& step, std::vector<std::uint8_t>& isArriving) {
    isArriving.assign(step.bodies.size(), 0);
    for (std::size_t i = 0; i < isArriving.size(); ++i)
        isArriving[i] = !(step.scratch.setback[i] == Vec3{});
    for (const ImpulsePair& pair : step.pairs())
        for (const ImpulseSite& site : pair.sites)
            if (site.goal < 0 && dot(site.impulse, site.N) > 0)
                isArriving[pair.a.body] = isArriving[pair.b.body] = 1;
}

// By body: the velocity that it gained during the step, of which half counts for its motion. A free body gains what forces give
// it. Of a held body contact takes that away; but one that turns about an edge still gains speed, and with the speed of the end
// of the step it would move too far, by half a step's gain ([Egan03] 6.2). A body that arrives or loses speed gains nothing: it
// moves with the velocity that is left.
std::vector<Momentary> listGains(const ImpulseStep& step, Gain gain) {
    std::vector<std::uint8_t> isHeld, isArriving;
    findHeld(step, isHeld);
    findArriving(step, isArriving);
    std::vector<Momentary> gains(step.bodies.size());
    for (std::size_t i = 0; i < gains.size(); ++i) {
        const SolverBody& body = step.bodies[i];
        const Momentary& before = step.scratch.kept[i];
        const Real reach = square(step.constants[i].radius);
        const Real now = lengthSquared(body.velocity) + lengthSquared(body.angularVelocity) * reach;
        const bool isFaster = now > lengthSquared(before.velocity) + lengthSquared(before.angularVelocity) * reach &&
                              now > lengthSquared(step.scratch.fall[i].velocity) * square(kRingingShare);
        if (!isHeld[i])
            gains[i] = step.scratch.fall[i];
        else if (gain == Gain::ActsByHalf && step.constants[i].isDynamic && isFaster && !isArriving[i])
            gains[i] = {body.velocity - before.velocity, body.angularVelocity - before.angularVelocity};
    }
    return gains;
}

void moveBody(ImpulseStep& step, std::size_t index, const Momentary& gain) {
    SolverBody& body = step.bodies[index];
    const SolverBodyConstants& constants = step.constants[index];
    const Real dt = step.settings.dt;
    const bool isLocked = (constants.lockedAxes & kRotationLocks) != 0;
    body.displacement = step.scratch.setback[index] + (body.velocity - gain.velocity * Real(0.5)) * dt;
    const Vec3 spin = body.angularVelocity - gain.angularVelocity * Real(0.5);
    if (spin == Vec3{})
        return;
    const RotationState turned =
        advanceFreeRotation({body.orientation, spin}, constants.principalInertia,
                            isLocked ? Vec3{} : constants.inversePrincipalInertia, dt, step.settings.energyFix);
    body.orientation = turned.orientation;
    if (!constants.isDynamic)
        return;
    body.inverseInertia = worldInverseInertia(body.orientation, constants);
    if (!isLocked)
        body.angularVelocity = turned.angularVelocity + gain.angularVelocity * Real(0.5);
}

bool isOpen(const ImpulseStep& step, const ImpulsePair& pair) {
    return !pair.isSolved && !pair.sites.empty() && (canMove(step.bodies[pair.a.body]) || canMove(step.bodies[pair.b.body]));
}

// Lets the impulses that the sites have act on the bodies.
void startPairs(ImpulseStep& step) {
    for (const std::uint32_t i : step.scratch.order) {
        ImpulsePair& pair = step.pairs()[i];
        if (!isOpen(step, pair))
            continue;
        SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
        pair.angularImpulse = {};
        for (ImpulseSite& site : pair.sites) {
            site.K = pointResponse(a, site.armA, b, site.armB);
            applyImpulse(a, site.impulse, site.armA);
            applyImpulse(b, -site.impulse, site.armB);
        }
    }
}

// m/s: the change at which passes end.
Real settledSpeed(const ImpulseStep& step, Real settledShare) {
    Real fastestFall = 0;
    for (const Momentary& fall : step.scratch.fall)
        fastestFall = max(fastestFall, length(fall.velocity));
    return settledShare * fastestFall;
}

// least: passes that are made in any case.
void runPasses(ImpulseStep& step, int least, Real settled, Visits visits) {
    std::vector<std::uint32_t> order;
    for (const std::uint32_t i : step.scratch.order)
        if (isOpen(step, step.pairs()[i]))
            order.push_back(i);
    PassRows rows(step, order);
    Real change = kInfinity;  // m/s: largest of the last pass
    for (int pass = 0; pass < kMostPasses * step.settings.contactPasses; ++pass) {
        if (pass >= least && change <= settled)
            break;
        change = visits == Visits::All ? rows.pass(pass % 2 == 1) : rows.passUnsettled(pass % 2 == 1, settled);
    }
    rows.store();
}

// Shock propagation [GBF03]: level by level from the ground, with what is finished immovable.
void runShockPasses(ImpulseStep& step) {
    const ContactGraph& graph = step.scratch.graph;
    const std::vector<std::uint32_t>& order = step.scratch.order;
    const std::span<ImpulsePair> pairs = step.pairs();
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        const int current = pairs[order[begin]].level;
        while (end < order.size() && pairs[order[end]].level == current)
            ++end;
        const auto isFinished = [&](std::uint32_t body) { return graph.level(body) < current && graph.isGrounded(body); };
        LevelRows rows(step);
        for (std::size_t i = begin; i < end; ++i)
            if (ImpulsePair& pair = pairs[order[i]]; isOpen(step, pair))
                rows.add(pair, isFinished(pair.a.body), isFinished(pair.b.body));
        for (int pass = 0; pass < kLevelPasses; ++pass)
            rows.pass();
        rows.store();
    }
}

}  // namespace

void beginSteadyContact(ImpulseStep& step) {
    step.scratch.rests.clear();
    for (ImpulsePair& pair : step.pairs()) {
        findPairSites(step, pair);
        for (ImpulseSite& site : pair.sites) {
            site.goal = goalOf(pair, site.separation, step.settings.dt);
            noteRest(step, pair, site, site.separation);
        }
    }
    rankPairs(step);
    fall(step);
}

void runSteadyPasses(ImpulseStep& step, Real settledShare, Visits visits) {
    const Real settled = settledSpeed(step, settledShare);
    startPairs(step);
    runPasses(step, step.settings.contactPasses, settled, visits);
    for (int i = 0; i < step.settings.shockPasses; ++i)
        runShockPasses(step);
}

bool yieldToResting(ImpulseStep& step) {
    std::vector<std::uint32_t> resting;
    std::vector<std::uint32_t> moving;
    for (std::uint32_t i = 0; i < step.bodies.size(); ++i)
        if (const SolverBody& body = step.bodies[i]; step.constants[i].isDynamic)
            (body.velocity == Vec3{} && body.angularVelocity == Vec3{} ? resting : moving).push_back(i);
    if (resting.empty() || moving.empty())
        return false;
    std::vector<SolverBody> kept;
    for (const std::uint32_t i : resting) {
        kept.push_back(step.bodies[i]);
        step.bodies[i].inverseMass = {};
        step.bodies[i].inverseInertia = {};
    }
    for (const std::uint32_t i : moving) {
        step.bodies[i].velocity = step.scratch.kept[i].velocity + step.scratch.fall[i].velocity;
        step.bodies[i].angularVelocity = step.scratch.kept[i].angularVelocity + step.scratch.fall[i].angularVelocity;
    }
    // The next step starts from the impulses that carry all bodies: between immovable ones they could become as large as you
    // like.
    for (ImpulsePair& pair : step.pairs()) {
        pair.isSolved = false;  // what pivoting found carries bodies that move now: a start for the passes
        for (ImpulseSite& site : pair.sites)
            site.impulseBefore = site.impulse;
    }
    startPairs(step);
    runPasses(step, kYieldPasses * step.settings.contactPasses, settledSpeed(step, kSettledShare), Visits::All);
    for (ImpulsePair& pair : step.pairs())
        for (ImpulseSite& site : pair.sites)
            site.impulse = site.impulseBefore;
    for (std::size_t i = 0; i < resting.size(); ++i)
        step.bodies[resting[i]] = kept[i];
    return true;
}

void moveSteadily(ImpulseStep& step, Gain gain) {
    const std::vector<Momentary> gains = listGains(step, gain);
    for (ImpulsePair& pair : step.pairs()) {
        for (ImpulseSite& site : pair.sites)
            site.separation += approachSpeedAt(step, pair, site) * step.settings.dt;
        reportImpulses(pair, true);
    }
    for (std::size_t i = 0; i < step.bodies.size(); ++i)
        moveBody(step, i, gains[i]);
}

}  // namespace sunder::dynamics
