// [GBF03]: passes in which the restitution rises from -1 + 1/N to 0, so that the early ones only slow bodies down;
// pairs in the order of the contact graph; then shock propagation [GBF03], sweeps upwards in which finished levels count
// as infinitely heavy.
// [SSF08]: contact acts twice, on the velocity that moves positions (its impulses are then dropped) and on the new one.
// [Su09] 3.2: the second is clamped against x^(n+1), v^(n+1); the first is not.
// Deviations:
// - The first brings surfaces that will meet exactly together instead of stopping them where they are, and moves those that
//   overlap apart, by a bounded share per step. Its impulses are dropped, so this repairs positions and adds no momentum.
// - The second looks at x^(n+1) itself, not at a further prediction. Its state is then not split, and a body that will hit
//   in the next step is left to the next collision phase, which would find it already stopped.
// - Bodies that the first moved by dt j / m while their velocities stayed would have gained dt j x (v_a - v_b) of angular
//   momentum; a cluster in free flight is given it back as spin.
// - What is almost at rest starts from the impulses of the last step ([GBF03] from nothing). Ten passes do not find the loads
//   of a pile, and what they miss made it creep until it slid apart. Pairs that move start from nothing: a body that leaves its
//   support would gain energy from the impulse that held it.
// - Heavy means grounded: a cluster in free flight keeps its momentum. What hangs on joints is never heavy: the graph does not
//   know what holds it.
#include "dynamics/impulse/contact_phase.h"

#include <algorithm>

#include "dynamics/impulse/joint_phase.h"
#include "dynamics/impulse/pair_impulse.h"
#include "dynamics/impulse/predicted_motion.h"
#include "dynamics/impulse/rank_pairs.h"
#include "dynamics/impulse/report.h"

namespace sunder::dynamics {

namespace {

// Share of an overlap repaired per step, and the speed limit of the repair (m/s).
constexpr Real kContactRepairShare = Real(0.2);
constexpr Real kContactRepairSpeed = 1;

// Sweeps over the points of a pair, per visit: what they leave is found by the visits that follow. What is almost at rest
// starts from impulses that nearly fit; a second sweep costs a third of the step more, and rests no better.
constexpr int kContactSweeps = 3, kRestingSweeps = 1;
// Passes over all pairs, and those of a level, end where bodies change by less than these shares of what forces give them in a
// step. With a thousandth for the first ten cubes drift by 0.17 mm.
constexpr Real kPassesSettled = Real(1e-4), kLevelSettled = Real(0.002);
// Share of the last step's impulses that the first phase starts from: it has half of the step's fall to stop.
constexpr Real kFirstShare = Real(0.5);
// Bodies whose predicted surfaces moved by less than this share of the touching distance since the pair was last tested keep
// their sites; the distances follow the velocities.
constexpr Real kSameSites = Real(0.5);

// Goal (m/s) of a site that was tested at the predicted positions.
Real positionGoal(const ImpulseSite& site, Real un, Real dt) {
    const Real meeting = un - site.separation / dt;  // the velocity that would make the surfaces just touch
    return meeting <= 0 ? meeting : min(kContactRepairShare * meeting, kContactRepairSpeed);
}

Placement placeAhead(const ImpulseStep& step, std::uint32_t index) {
    const SolverBody& body = step.bodies[index];
    const Real dt = step.settings.dt;
    return {body.displacement + body.velocity * dt, quatFromRotationVector(body.angularVelocity * dt) * body.orientation};
}

Real normalVelocity(const PairVisit& visit, const ImpulseSite& site) {
    return dot(velocityAt(visit.a, site.armA) - velocityAt(visit.b, site.armB), site.N);
}

// m: how far the predicted surfaces of a body can have moved since the pair was tested.
Real movedSince(const ImpulseStep& step, std::uint32_t body, const Momentary& tested) {
    const SolverBody& now = step.bodies[body];
    return (length(now.velocity - tested.velocity) +
            length(now.angularVelocity - tested.angularVelocity) * step.constants[body].radius) *
           step.settings.dt;
}

void noteApproach(ImpulseStep& step, ImpulsePair& pair) {
    const SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
    for (ImpulseSite& site : pair.sites) {
        const Real un = dot(velocityAt(a, site.armA) - velocityAt(b, site.armB), site.N);
        site.separation += pair.positionPhase.isTested ? (un - site.approach) * step.settings.dt : Real(0);
        site.approach = un;
    }
}

void lookAhead(ImpulseStep& step, ImpulsePair& pair) {
    pair.positionPhase.isTested =
        pair.positionPhase.isTested &&
        movedSince(step, pair.a.body, pair.positionPhase.testedA) + movedSince(step, pair.b.body, pair.positionPhase.testedB) <
            kSameSites * pair.touching;
    if (!pair.positionPhase.isTested) {
        const SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
        findSites(step, pair, placeAhead(step, pair.a.body), placeAhead(step, pair.b.body), pair.margin, Arms::ToOwnSurfaces);
        pair.positionPhase.testedA = {a.velocity, a.angularVelocity};
        pair.positionPhase.testedB = {b.velocity, b.angularVelocity};
    }
    noteApproach(step, pair);
    pair.positionPhase.isTested = true;
}

// A pair is almost at rest where its surfaces move by less in the step than they would fall in it.
bool isAlmostAtRest(const ImpulseStep& step, const ImpulsePair& pair) {
    const Real dt = step.settings.dt;
    const auto way = [&](std::uint32_t body) {
        const Momentary& start = step.scratch.kept[body];
        return (length(start.velocity) + length(start.angularVelocity) * step.constants[body].radius) * dt;
    };
    const Real fall = max(length(step.constants[pair.a.body].acceleration), length(step.constants[pair.b.body].acceleration));
    return way(pair.a.body) + way(pair.b.body) < fall * square(dt);
}

// Lets the impulses that the sites of a pair have act on its bodies.
void applyImpulses(ImpulseStep& step, const ImpulsePair& pair) {
    SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
    for (const ImpulseSite& site : pair.sites) {
        applyImpulse(a, site.impulse, site.armA);
        applyImpulse(b, -site.impulse, site.armB);
    }
}

// m/s: by how much the surface of a body changed its velocity.
Real changeOf(const SolverBody& from, const SolverBody& to, Real radius) {
    return length(to.velocity - from.velocity) + length(to.angularVelocity - from.angularVelocity) * radius;
}

// How a pass visits a pair.
struct Turn {
    Real share;  // 1 + e
    bool heavyA = false, heavyB = false;
    bool isBackward = false;  // points from the last to the first: one order for all passes would lean on the first
};

// One visit of either contact phase. Returns by how much it changed the velocities of surfaces (m/s).
template <class Goal>
Real contactVisit(ImpulseStep& step, ImpulsePair& pair, const Turn& turn, bool clampEnergy, Goal&& goal) {
    SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
    bool isIdle = true;
    for (ImpulseSite& site : pair.sites) {
        const Real un = dot(velocityAt(a, site.armA) - velocityAt(b, site.armB), site.N);
        site.goal = un + turn.share * (goal(site, un) - un);
        isIdle = isIdle && un >= site.goal && site.impulse == Vec3{};
        site.impulseBefore = site.impulse;
    }
    if (isIdle)
        return 0;
    PairVisit visit{a, b, turn.heavyA, turn.heavyB, true, clampEnergy};
    visit.sweeps = pair.isAlmostAtRest ? kRestingSweeps : kContactSweeps;
    visit.isBackward = pair.isAlmostAtRest && turn.isBackward;
    step.clampedImpulses += visitPair(pair, visit);
    const Real change =
        max(changeOf(a, visit.a, step.constants[pair.a.body].radius), changeOf(b, visit.b, step.constants[pair.b.body].radius));
    a = visit.a;
    b = visit.b;
    return change;
}

// m/s: the most that forces give a body in the step.
Real fastestFall(const ImpulseStep& step) {
    Real fastest = 0;
    for (const SolverBodyConstants& constants : step.constants)
        fastest = max(fastest, length(constants.acceleration) * step.settings.dt);
    return fastest;
}

// Runs visit(pair, turn) in the order of a contact phase, and holdJoints() after each pass.
template <class Visit, class HoldJoints>
void runPasses(ImpulseStep& step, Visit&& visit, HoldJoints&& holdJoints) {
    const std::span<ImpulsePair> pairs = step.pairs();
    const std::vector<std::uint32_t>& order = step.scratch.order;
    const Real fall = step.scratch.joints.empty() ? fastestFall(step) : Real(0);  // what joints hold is never finished early
    for (int pass = 1; pass <= step.settings.contactPasses; ++pass) {
        const Real share = Real(pass) / Real(step.settings.contactPasses);
        Real change = 0;  // m/s: largest of the pass
        for (const std::uint32_t i : order)
            change = max(change, visit(pairs[i], Turn{.share = share, .isBackward = pass % 2 == 0}));
        holdJoints();
        if (fall > 0 && change <= kPassesSettled * fall * share)
            return;  // nothing is left for shock propagation
    }

    const Real enough = kLevelSettled * fall;
    const ContactGraph& graph = step.scratch.graph;
    const auto finished = [&](std::uint32_t body, int current) {
        return graph.level(body) < current && graph.isGrounded(body) &&
               !(step.constants[body].isDynamic && step.scratch.isJoined[body]);
    };
    for (int sweep = 0; sweep < step.settings.shockPasses; ++sweep)
        for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
            const int current = pairs[order[begin]].level;
            while (end < order.size() && pairs[order[end]].level == current)
                ++end;
            Real change = kInfinity;  // m/s: largest of a pass
            for (int pass = 0; pass < kLevelPasses && change > enough; ++pass) {
                change = 0;
                for (std::size_t i = begin; i < end; ++i) {
                    ImpulsePair& pair = pairs[order[i]];
                    change = max(change, visit(pair, Turn{1, finished(pair.a.body, current), finished(pair.b.body, current),
                                                          pass % 2 == 1}));
                }
                holdJoints();
            }
        }
}

void buildGraph(ImpulseStep& step) {
    step.scratch.rests.clear();
    for (ImpulsePair& pair : step.pairs()) {
        lookAhead(step, pair);
        const PairVisit visit{step.bodies[pair.a.body], step.bodies[pair.b.body]};
        for (const ImpulseSite& site : pair.sites)
            noteRest(step, pair, site, site.separation - normalVelocity(visit, site) * step.settings.dt);
    }
    rankPairs(step);
}

void startPhase(ImpulsePair& pair) {
    pair.sites.clear();
    pair.angularImpulse = pair.positionPhase.impulse = {};
    pair.positionPhase.isHeldApart = pair.positionPhase.isTested = false;
    pair.responseOf = 0;
}

// Starts the first phase of a pair that is almost at rest: its sites are those of the start of the step until it moves.
void startFromLast(ImpulseStep& step, ImpulsePair& pair) {
    pair.sites = pair.carried;
    for (ImpulseSite& site : pair.sites) {
        site.impulse *= kFirstShare;
        site.approach = 0;
        pair.positionPhase.impulse += site.impulse;
    }
    applyImpulses(step, pair);
    pair.positionPhase.testedA = pair.positionPhase.testedB = {};
    pair.positionPhase.isTested = true;
}

// Whether the next collision phase will make the pair bounce at the site: contact must not take that speed away.
bool bouncesNext(const ImpulseStep& step, const ImpulsePair& pair, const ImpulseSite& site) {
    if (!(pair.material.restitution > 0))
        return false;
    const auto pointVelocity = [&](std::uint32_t body, const Vec3& arm) {
        const Momentary& kept = step.scratch.kept[body];
        return kept.velocity + cross(kept.angularVelocity, arm);
    };
    const Real un = dot(pointVelocity(pair.a.body, site.armA) - pointVelocity(pair.b.body, site.armB), site.N);
    return -un > step.settings.restitutionThreshold;
}

// Finds the sites where surfaces touch, and those where the first contact phase held the bodies apart: a body that is held but
// keeps gaining speed would gain energy.
void findTouching(ImpulseStep& step, ImpulsePair& pair) {
    const SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
    const bool isHeldApart = pair.positionPhase.isHeldApart;
    startPhase(pair);
    for (ImpulseSite& site : pair.report)
        site.separation = pair.margin;  // a lower bound, unless the site is found again
    findSites(step, pair, {a.displacement, a.orientation}, {b.displacement, b.orientation}, pair.margin, Arms::ToCommonPoint);
    reportImpulses(pair, true);  // reports the surfaces at the end of the step, whether they push or not
    if (pair.sites.empty())
        return;
    const Real reach = pair.touching + (isHeldApart ? max(pair.sites.front().separation, 0) : 0);
    std::erase_if(pair.sites, [&](const ImpulseSite& site) {
        return site.separation > reach || (!isHeldApart && bouncesNext(step, pair, site));
    });
    if (!pair.isAlmostAtRest)
        return;
    takeOver(pair.sites, pair.carried);
    applyImpulses(step, pair);
}

}  // namespace

int passesPerContact(const ImpulseSettings& settings) {
    return settings.collisionPasses + 2 * (settings.contactPasses + settings.shockPasses * kLevelPasses);
}

void runPositionContact(ImpulseStep& step) {
    for (ImpulsePair& pair : step.pairs()) {
        startPhase(pair);
        pair.positionPhase.moved = false;
        pair.isAlmostAtRest = isAlmostAtRest(step, pair);
        if (pair.isAlmostAtRest)
            startFromLast(step, pair);
    }
    buildGraph(step);
    beginPositionJoints(step);
    const auto visit = [&](ImpulsePair& pair, const Turn& turn) {
        lookAhead(step, pair);
        const Real change = contactVisit(step, pair, turn, false, [&](const ImpulseSite& site, Real un) {
            return positionGoal(site, un, step.settings.dt);
        });
        pair.positionPhase.isHeldApart = false;
        for (const ImpulseSite& site : pair.sites) {
            pair.positionPhase.isHeldApart = pair.positionPhase.isHeldApart || !(site.impulse == Vec3{});
            if (!turn.heavyA && !turn.heavyB)
                pair.positionPhase.impulse += site.impulse - site.impulseBefore;
        }
        pair.positionPhase.moved = pair.positionPhase.moved || pair.positionPhase.isHeldApart;
        return change;
    };
    int pass = 0;
    runPasses(step, visit, [&] { solvePositionJoints(step, pass++); });
    keepJointImpulses(step);
}

void restoreAngularMomentum(ImpulseStep& step) {
    for (const ImpulsePair& pair : step.pairs()) {
        SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
        if (step.scratch.graph.isGrounded(pair.a.body) || step.scratch.graph.isGrounded(pair.b.body))
            continue;
        const Vec3 gain = cross(pair.positionPhase.impulse, a.velocity - b.velocity) * step.settings.dt;
        if (gain == Vec3{})
            continue;
        // Both bodies get the same turn: the share of A is (I_a^-1 + I_b^-1)^-1 I_b^-1.
        const Vec3 ofA = solve(a.inverseInertia + b.inverseInertia, b.inverseInertia * gain);
        a.angularVelocity -= a.inverseInertia * ofA;
        b.angularVelocity -= b.inverseInertia * (gain - ofA);
    }
}

void findTouchingSites(ImpulseStep& step) {
    for (ImpulsePair& pair : step.pairs()) {
        findTouching(step, pair);
        pair.isSolved = false;
    }
}

void runVelocityPasses(ImpulseStep& step) {
    beginVelocityJoints(step);
    const auto visit = [&](ImpulsePair& pair, const Turn& turn) {
        return pair.isSolved ? Real(0)
                             : contactVisit(step, pair, turn, step.settings.clampEnergy,
                                            [](const ImpulseSite&, Real) { return Real(0); });
    };
    runPasses(step, visit, [&] { solveVelocityJoints(step); });
    for (ImpulsePair& pair : step.pairs())
        reportImpulses(pair, true);
    finishJoints(step);
}

void runVelocityContact(ImpulseStep& step) {
    findTouchingSites(step);
    runVelocityPasses(step);
}

}  // namespace sunder::dynamics
