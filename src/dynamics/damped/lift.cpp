// [Egan03] 4.4 and FixContactConstraints of A.2: lowest first.
// Deviations: the thesis lifts in small steps, without a bound, until nothing overlaps. Here the depth is known, a few passes
// close a share of it, and a depth at which the surfaces only touch is left: what was lifted out of it would fall back. The
// thesis moves bodies without turning them; a box that overlaps with one corner would then leave the ground with the others.
#include "dynamics/damped/lift.h"

#include "dynamics/impulse/contact_phase.h"
#include "dynamics/impulse/point_impulse.h"
#include "dynamics/impulse/predicted_motion.h"
#include "dynamics/impulse/rank_pairs.h"
#include "dynamics/integrate/substep.h"

namespace sunder::dynamics {

namespace {

constexpr Real kFastestLift = 1;        // m/s: deep overlaps open visibly, but without a jump
constexpr Real kLeftDepth = Real(0.5);  // share of the distance at which surfaces touch
// Depths, as shares of that distance, from which on a pair is lifted; the larger where both bodies were put to rest: lifting
// knows no friction, and a pile that is lifted a little in every step creeps.
constexpr Real kNoticedDepth = 1, kRestingDepth = 8;
constexpr Real kUpwards = Real(0.5);  // least cosine between the vertical and a push that lifts
constexpr int kPasses = 4;            // lifting one body may push it into another

Vec3 armOf(const ImpulseStep& step, std::uint32_t body, const Vec3& anchor) {
    return body == kFixedBody ? anchor : rotate(step.bodies[body].orientation, anchor);
}

// m: how far the point of A at a site has moved from that of B since the site was found.
Vec3 partingOf(const ImpulseStep& step, const ImpulsePair& pair, const ImpulseSite& site) {
    const SolverBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
    return (a.displacement + armOf(step, pair.a.body, site.anchorA)) -
           (b.displacement + pair.centerOffset + armOf(step, pair.b.body, site.anchorB));
}

class Lifting {
public:
    explicit Lifting(DampedStep& step) : settings_(step.settings), step_(step.impulse) {}

    void run() {
        for (const std::uint32_t i : step_.scratch.order)
            if (ImpulsePair& pair = step_.pairs()[i]; mayOverlap(pair) && findOverlaps(pair))
                pairs_.push_back(i);
        for (int pass = 0; pass < kPasses; ++pass)
            for (const std::uint32_t i : pairs_)
                lift(step_.pairs()[i]);
    }

private:
    // By the separations that its sites are expected to have now.
    bool mayOverlap(const ImpulsePair& pair) const {
        const auto rests = [&](std::uint32_t index) {
            const SolverBody& body = step_.bodies[index];
            return body.velocity == Vec3{} && body.angularVelocity == Vec3{};
        };
        const Real allowed = (rests(pair.a.body) && rests(pair.b.body) ? kRestingDepth : kNoticedDepth) * pair.touching;
        for (const ImpulseSite& site : pair.sites)
            if (site.separation < -allowed)
                return true;
        return false;
    }

    // Leaves the sites that are to be lifted; their goals are the separations (m) to reach in this step.
    bool findOverlaps(ImpulsePair& pair) {
        const SolverBody &a = step_.bodies[pair.a.body], &b = step_.bodies[pair.b.body];
        findSites(step_, pair, {a.displacement, a.orientation}, {b.displacement, b.orientation}, 0, Arms::ToCommonPoint);
        const Real dt = step_.settings.dt, rate = settings_.liftRate * dt;
        std::erase_if(pair.sites, [&](ImpulseSite& site) {
            const Real depth = -site.separation - kLeftDepth * pair.touching;
            site.goal = site.separation + min(depth * rate / (1 + rate), kFastestLift * dt);
            return !(depth > 0);
        });
        return !pair.sites.empty();
    }

    // A body that carries another is not moved by it, `away` (unit) being upwards. Sideways it gives way: what is wedged
    // between two such bodies could not be freed.
    SolverBody movable(std::uint32_t body, std::uint32_t other, const Vec3& away) const {
        const ContactGraph& graph = step_.scratch.graph;
        SolverBody result = step_.bodies[body];
        if (dot(away, settings_.up) > kUpwards && graph.isGrounded(body) && graph.level(body) < graph.level(other)) {
            result.inverseMass = {};
            result.inverseInertia = {};
        }
        return result;
    }

    void push(std::uint32_t index, const SolverBody& body, const Vec3& impulse, const Vec3& arm) {
        if (!canMove(body))
            return;
        SolverBody& moved = step_.bodies[index];
        moved.displacement += multiply(body.inverseMass, impulse);
        moved.orientation = normalize(quatFromRotationVector(body.inverseInertia * cross(arm, impulse)) * moved.orientation);
        moved.inverseInertia = worldInverseInertia(moved.orientation, step_.constants[index]);
    }

    void lift(ImpulsePair& pair) {
        for (const ImpulseSite& site : pair.sites) {
            const SolverBody a = movable(pair.a.body, pair.b.body, -site.N), b = movable(pair.b.body, pair.a.body, site.N);
            const Vec3 armA = armOf(step_, pair.a.body, site.anchorA), armB = armOf(step_, pair.b.body, site.anchorB);
            const Real left = site.goal - site.separation - dot(partingOf(step_, pair, site), site.N);
            const Real response = dot(site.N, pointResponse(a, armA, b, armB) * site.N);
            if (!(left > 0) || !(response > 0))
                continue;
            const Vec3 impulse = site.N * (left / response);
            push(pair.a.body, a, impulse, armA);
            push(pair.b.body, b, -impulse, armB);
            pair.positionPhase.impulse += impulse / step_.settings.dt;
            pair.positionPhase.moved = true;
        }
    }

    const DampingSettings& settings_;
    ImpulseStep& step_;
    std::vector<std::uint32_t> pairs_;
};

}  // namespace

void lift(DampedStep& step) {
    if (!(step.settings.liftRate > 0))
        return;
    for (ImpulsePair& pair : step.impulse.pairs())
        pair.positionPhase.impulse = {};
    Lifting(step).run();
    restoreAngularMomentum(step.impulse);
}

void liftCarried(DampedStep& step) {
    ImpulseStep& impulse = step.impulse;
    impulse.scratch.rests.clear();
    for (ImpulsePair& pair : impulse.pairs()) {
        pair.sites = pair.carried;
        pair.positionPhase.moved = false;
        for (ImpulseSite& site : pair.sites) {
            noteRest(impulse, pair, site, site.separation);
            site.separation += dot(partingOf(impulse, pair, site), site.N);
        }
    }
    rankPairs(impulse);
    lift(step);
}

}  // namespace sunder::dynamics
