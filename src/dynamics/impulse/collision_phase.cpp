// [GBF03]: each pair that interpenetrates at its predicted place is given an impulse on the old velocity, several passes.
// Gravity is not yet in that velocity, so a body at rest is not seen to approach and does not bounce.
// [Su09] 3.2: the impulse is clamped against positions and velocities of one moment.
// Deviations:
// - The impulse acts when the surfaces meet, not at the start of the step: a ball at 7 m/s and 30 Hz would turn back 0.25 m
//   above the floor. The clamp uses the state at that time.
// - Where a pair moves or turns by more than half of its thinner body in a step, it is tested along the way too: a fast spinner
//   touches in mid-step, and at the end of the step its points are on the way up again.
// - All shapes: points are those of the narrow phase, where the paper has particles and a level set.
#include "dynamics/impulse/collision_phase.h"

#include "dynamics/impulse/joint_phase.h"
#include "dynamics/impulse/pair_impulse.h"
#include "dynamics/impulse/predicted_motion.h"
#include "dynamics/impulse/report.h"

namespace sunder::dynamics {

namespace {

constexpr int kMaxLooks = 8;                      // per pair and step: bounds the cost of fast pairs
constexpr std::uint32_t kUntested = 0xffffffffu;  // in place of the bends of a pair's bodies: it was not looked at yet
constexpr Real kLookShare = Real(0.5);            // of the thinner body's inner radius between two looks

// m: how far a body's rotation moves its surface in the step, at most. A ball's rotation moves none of it.
Real turningWay(const ImpulseStep& step, const ImpulseSide& side) {
    const Real angle = length(step.bodies[side.body].angularVelocity) * step.settings.dt;
    return angle * max(side.shape->boundingRadius - side.shape->innerRadius, 0);
}

int looksAlongTheWay(const ImpulseStep& step, const ImpulsePair& pair) {
    const Real dt = step.settings.dt;
    const Placement a = placeInFlight(step, pair.a.body, dt), b = placeInFlight(step, pair.b.body, dt);
    const Real thinA = pair.a.shape->innerRadius, thinB = pair.b.shape->innerRadius;
    const Real thin = thinA > 0 && thinB > 0 ? min(thinA, thinB) : max(thinA, thinB);  // a mesh has no inside
    const Real travel = length(a.displacement - b.displacement) + turningWay(step, pair.a) + turningWay(step, pair.b);
    if (!(travel > kLookShare * thin))
        return 1;
    return thin > 0 ? static_cast<int>(min(Real(kMaxLooks), 1 + travel / (kLookShare * thin))) : kMaxLooks;
}

// First time in [0, end] at which gap + u t + a t^2 / 2 is zero; end where it never is.
Real timeOfImpact(Real gap, Real u, Real a, Real end) {
    if (gap <= 0)
        return 0;
    const Real discriminant = u * u - 2 * a * gap;
    if (discriminant < 0)
        return end;
    // The root in the form that does not cancel; u <= 0 or a < 0 where the surfaces meet.
    const Real root = std::sqrt(discriminant);
    const Real time = u < 0 ? 2 * gap / (root - u) : (a < 0 ? -(u + root) / a : end);
    return clamp(time, 0, end);
}

// The relative motion of the two contact points along N, at the start of the step.
struct Approach {
    Real velocity, acceleration;
};

Approach approachAt(const ImpulseStep& step, const ImpulsePair& pair, const ImpulseSite& site) {
    const Real dt = step.settings.dt;
    const SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
    const SolverBodyConstants &constantsA = step.constants[pair.a.body], &constantsB = step.constants[pair.b.body];
    const Vec3 u = velocityAt(a, site.armA) - velocityAt(b, site.armB);
    const Vec3 du = linearAcceleration(a, constantsA, dt) + cross(angularAcceleration(a, constantsA, dt), site.armA) -
                    linearAcceleration(b, constantsB, dt) - cross(angularAcceleration(b, constantsB, dt), site.armB);
    return {dot(u, site.N), dot(du, site.N)};
}

// s: when the pair meets, given that it overlaps at time `look`; negative where none of its points approaches.
Real impactTime(const ImpulseStep& step, const ImpulsePair& pair, Real look) {
    const Real earliest = max(step.scratch.lastImpact[pair.a.body], step.scratch.lastImpact[pair.b.body]);
    Real first = -1;
    for (const ImpulseSite& site : pair.sites) {
        const Approach approach = approachAt(step, pair, site);
        const Real gap = site.separation - approach.velocity * look - approach.acceleration * Real(0.5) * square(look);
        const Real time = clamp(timeOfImpact(gap, approach.velocity, approach.acceleration, look), min(earliest, look), look);
        if (approach.velocity + approach.acceleration * time < 0 && (first < 0 || time < first))
            first = time;
    }
    return first;
}

SolverBody bodyAt(const ImpulseStep& step, std::uint32_t index, Real time) {
    SolverBody body = step.bodies[index];
    const Real dt = step.settings.dt;
    const Vec3 a = linearAcceleration(body, step.constants[index], dt),
               alpha = angularAcceleration(body, step.constants[index], dt);
    body.velocity += a * time;
    body.angularVelocity += alpha * time;
    return body;
}

// Takes over a change of velocity at `time`; the parabola bends there.
void bendFlight(ImpulseStep& step, std::uint32_t index, Real time, const SolverBody& before, const SolverBody& after) {
    if (!step.constants[index].isDynamic)
        return;
    const Vec3 place = placeInFlight(step, index, time).displacement;
    step.bodies[index].velocity += after.velocity - before.velocity;
    step.bodies[index].angularVelocity += after.angularVelocity - before.angularVelocity;
    step.scratch.setback[index] += place - placeInFlight(step, index, time).displacement;
    step.scratch.lastImpact[index] = max(step.scratch.lastImpact[index], time);
}

// Finds the pair's sites at the time at which it meets; other points of the pair may meet later.
void findImpactSites(ImpulseStep& step, ImpulsePair& pair, Real time) {
    findSites(step, pair, placeInFlight(step, pair.a.body, time), placeInFlight(step, pair.b.body, time), pair.margin,
              Arms::ToCommonPoint);
    if (pair.sites.empty())
        return;
    const Real reach = max(pair.sites.front().separation, 0) + pair.touching;
    std::erase_if(pair.sites, [&](const ImpulseSite& site) { return site.separation > reach; });
}

void applyImpact(ImpulseStep& step, ImpulsePair& pair, Real time) {
    const std::uint32_t indexA = pair.a.body, indexB = pair.b.body;
    PairVisit visit{bodyAt(step, indexA, time), bodyAt(step, indexB, time)};
    visit.clampEnergy = step.settings.clampEnergy;
    scatterNormals(step.settings.scatter, pair, visit);
    for (ImpulseSite& site : pair.sites) {
        const Real un = dot(velocityAt(visit.a, site.armA) - velocityAt(visit.b, site.armB), site.N);
        site.impulse = {};
        // [Egan03] 4.3: slow collisions are sticky.
        site.goal = -un > step.settings.restitutionThreshold ? -pair.material.restitution * un : Real(0);
    }
    pair.angularImpulse = {};
    const SolverBody beforeA = visit.a, beforeB = visit.b;
    step.clampedImpulses += visitPair(pair, visit);
    bendFlight(step, indexA, time, beforeA, visit.a);
    bendFlight(step, indexB, time, beforeB, visit.b);
    reportImpulses(pair, false);
}

// Whether the pair is so slow that contact, which never bounces, can do all that a collision would.
bool isSlow(const ImpulseStep& step, const ImpulsePair& pair) {
    const SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
    const SolverBodyConstants &constantsA = step.constants[pair.a.body], &constantsB = step.constants[pair.b.body];
    const Real fastest = length(a.velocity - b.velocity) + length(a.angularVelocity) * constantsA.radius +
                         length(b.angularVelocity) * constantsB.radius;
    const Real fall = max(length(constantsA.acceleration), length(constantsB.acceleration)) * step.settings.dt;
    return fastest < max(step.settings.restitutionThreshold, fall);
}

// Whether the pair meets in this step on the current parabolas.
bool collidePair(ImpulseStep& step, ImpulsePair& pair) {
    if (step.settings.slowIsContact && isSlow(step, pair))
        return false;
    const int looks = looksAlongTheWay(step, pair);
    for (int i = 1; i <= looks; ++i) {
        const Real look = step.settings.dt * Real(i) / Real(looks);
        findSites(step, pair, placeInFlight(step, pair.a.body, look), placeInFlight(step, pair.b.body, look), 0,
                  Arms::ToOwnSurfaces);
        const Real time = pair.sites.empty() ? Real(-1) : impactTime(step, pair, look);
        if (time < 0)
            continue;
        findImpactSites(step, pair, time);
        if (!pair.sites.empty()) {
            applyImpact(step, pair, time);
        } else {  // the estimate was early: use the time at which they were found to overlap
            findImpactSites(step, pair, look);
            applyImpact(step, pair, look);
        }
        return true;
    }
    return false;
}

}  // namespace

void runCollisionPhase(ImpulseStep& step) {
    const std::span<ImpulsePair> pairs = step.pairs();
    std::vector<std::uint32_t> bends(step.bodies.size(), 0);     // by body: its collisions
    std::vector<std::uint32_t> tested(pairs.size(), kUntested);  // by pair without a meeting: the bends of its bodies then
    const auto isJoined = [&](const ImpulsePair& pair) {
        return step.scratch.isJoined[pair.a.body] || step.scratch.isJoined[pair.b.body];
    };
    for (int pass = 0; pass < step.settings.collisionPasses; ++pass) {
        bool any = false;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const std::uint32_t a = pairs[i].a.body, b = pairs[i].b.body;
            if (tested[i] == bends[a] + bends[b] && !isJoined(pairs[i]))
                continue;
            tested[i] = bends[a] + bends[b];
            if (!collidePair(step, pairs[i]))
                continue;
            any = true;
            tested[i] = kUntested;
            for (const std::uint32_t body : {a, b})
                bends[body] += step.constants[body].isDynamic;
        }
        if (!any)
            return;
        passBlowsOn(step);
    }
}

}  // namespace sunder::dynamics
