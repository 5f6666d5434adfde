// [Egan03] 4.4 and FixContactConstraints of A.2: lowest first.
// Deviations: the thesis lifts in small steps, without a bound, until nothing overlaps. Here the depth is known, one visit per
// pair closes a share of it, and a depth at which the surfaces only touch is left: what was lifted out of it would fall back.
#include "dynamics/damped/lift.h"

#include "dynamics/impulse/contact_phase.h"
#include "dynamics/impulse/predicted_motion.h"

namespace sunder::dynamics {

namespace {

constexpr Real kFastestLift = 1;        // m/s: deep overlaps open visibly, but without a jump
constexpr Real kLeftDepth = Real(0.5);  // share of the distance at which surfaces touch

Real inverseMassAlong(const SolverBody& body, const Vec3& N) { return dot(N, multiply(body.inverseMass, N)); }

void liftPair(DampedStep& step, ImpulsePair& pair) {
    ImpulseStep& impulse = step.impulse;
    SolverBody &a = impulse.bodies[pair.a.body], &b = impulse.bodies[pair.b.body];
    findSites(impulse, pair, {a.displacement, a.orientation}, {b.displacement, b.orientation}, 0, Arms::ToCommonPoint);
    if (pair.sites.empty())
        return;
    const ImpulseSite& deepest = pair.sites.front();
    const Real depth = -deepest.separation - kLeftDepth * pair.touching;
    if (!(depth > 0))
        return;
    const ContactGraph& graph = impulse.scratch.graph;
    const auto carries = [&](std::uint32_t lower, std::uint32_t upper) {
        return graph.isGrounded(lower) && graph.level(lower) < graph.level(upper);
    };
    const Real wA = carries(pair.a.body, pair.b.body) ? Real(0) : inverseMassAlong(a, deepest.N);
    const Real wB = carries(pair.b.body, pair.a.body) ? Real(0) : inverseMassAlong(b, deepest.N);
    if (!(wA + wB > 0))
        return;
    const Real dt = impulse.settings.dt, rate = step.settings.liftRate * dt;
    const Real way = min(depth * rate / (1 + rate), kFastestLift * dt);
    a.displacement += multiply(a.inverseMass, deepest.N) * (wA > 0 ? way / (wA + wB) : Real(0));
    b.displacement -= multiply(b.inverseMass, deepest.N) * (wB > 0 ? way / (wA + wB) : Real(0));
    pair.positionImpulse += deepest.N * (way / ((wA + wB) * dt));
    pair.moved = true;
}

}  // namespace

void lift(DampedStep& step) {
    if (!(step.settings.liftRate > 0))
        return;
    for (ImpulsePair& pair : step.impulse.pairs())
        pair.positionImpulse = {};
    for (const std::uint32_t i : step.impulse.scratch.order)
        if (ImpulsePair& pair = step.impulse.pairs()[i]; !pair.sites.empty())
            liftPair(step, pair);
    restoreAngularMomentum(step.impulse);
}

}  // namespace sunder::dynamics
