#include "dynamics/island/steady_islands.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

// m/s, root of the mean square over an island's mass. A structure that moves faster than the first is none any more; below the
// second it need not be projected, and its cubes of a tonne have 2e-9 J each.
constexpr double kSlow = 0.1, kStill = 2e-6;
// A young island may be as fast as after this many steps of free fall: that is what its contacts do not hold yet.
constexpr double kFallSteps = 1.5;
constexpr double kBudget = 3e6;  // multiplications of a factorisation, about 1 ms; a pyramid of 210 cubes takes 1.5e6

bool rests(const SolverBody& body) { return body.velocity == Vec3{} && body.angularVelocity == Vec3{}; }

}  // namespace

void SteadyIslands::sumMotion(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                              const Islands& islands) {
    states_.assign(islands.count(), {});
    for (std::uint32_t i = 1; i < bodies.size(); ++i) {
        const int island = islands.island(i);
        if (island < 0 || !constants[i].isDynamic)
            continue;
        IslandState& state = states_[island];
        const Vec3 &v = bodies[i].velocity, &w = bodies[i].angularVelocity, &inertia = constants[i].principalInertia;
        const double mean = double(inertia.x + inertia.y + inertia.z) / 3;
        state.mass += double(constants[i].mass);
        state.energy += (double(constants[i].mass) * double(dot(v, v)) + mean * double(dot(w, w))) / 2;
        state.isBarred = state.isBarred || constants[i].lockedAxes != 0;
    }
}

void SteadyIslands::findHolds(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                              std::span<const ContactLink> links, std::span<const JointLink> joints, const Islands& islands) {
    for (const JointLink& joint : joints)
        for (const std::uint32_t body : {joint.bodyA, joint.bodyB})
            if (const int island = islands.island(body); island >= 0)
                states_[island].isBarred = true;
    islandOf_.assign(links.size(), -1);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const ContactLink& link = links[i];
        const bool movesA = constants[link.bodyA].isDynamic, movesB = constants[link.bodyB].isDynamic;
        const int island = islands.island(movesA ? link.bodyA : link.bodyB);
        if (island < 0)
            continue;
        IslandState& state = states_[island];
        islandOf_[i] = island;
        state.isYoung = state.isYoung || link.isYoung;
        if (!link.carriedLoad)
            continue;
        state.isBarred = state.isBarred || link.isRare;
        state.isPiled = state.isPiled || !link.isFace;
        state.hasFirm = state.hasFirm || link.isFirm;
        state.hasSoft = state.hasSoft || (!link.isFirm && !link.isYoung);
        if (!movesA || !movesB) {
            state.isGrounded = true;
            state.isBarred = state.isBarred || !rests(bodies[movesA ? link.bodyB : link.bodyA]);
        }
    }
}

void SteadyIslands::choose(const Moment& moment) {
    systemCount_ = 0;
    const double fall = kFallSteps * double(moment.gravity) * double(moment.dt);
    for (IslandState& state : states_) {
        state.isLookedAt = moment.isDue || state.isYoung;
        const double slow = state.isYoung ? std::max(kSlow, fall) : kSlow;
        const bool isStructure = state.isGrounded && !state.isBarred && !state.hasSoft && (state.hasFirm || !state.isPiled);
        state.isFirm = state.isLookedAt && isStructure && state.energy < slow * slow * state.mass / 2;
        if (state.isFirm && state.energy > kStill * kStill * state.mass / 2)
            state.system = systemCount_++;
    }
    if (int(systems_.size()) < systemCount_)
        systems_.resize(systemCount_);
    for (int i = 0; i < systemCount_; ++i)
        systems_[i].clear();
}

void SteadyIslands::solve(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                          PagedVector<ContactConstraint>& constraints, std::span<const ContactLink> links, int substeps) {
    for (std::size_t i = 0; i < links.size(); ++i)
        if (islandOf_[i] >= 0 && links[i].carriedLoad)
            if (const int system = states_[islandOf_[i]].system; system >= 0)
                systems_[system].add(std::uint32_t(i), constraints[i], bodies, constants);
    placeOf_.resize(std::max(placeOf_.size(), bodies.size()), -1);
    for (IslandState& state : states_)
        if (state.system >= 0)
            state.isFirm = systems_[state.system].plan(placeOf_, kBudget);
    runTasks(tasks, int(states_.size()), [&](int island) {
        const IslandState& state = states_[island];
        if (state.system < 0 || !state.isFirm)
            return;
        SteadySystem& system = systems_[state.system];
        system.solve(bodies, constants);
        if (state.isYoung)
            system.carryOn(1.0 / substeps, constraints);
    });
}

void SteadyIslands::run(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                        PagedVector<ContactConstraint>& constraints, std::span<const ContactLink> links,
                        std::span<const JointLink> joints, const Islands& islands, const Moment& moment) {
    sumMotion(bodies, constants, islands);
    findHolds(bodies, constants, links, joints, islands);
    choose(moment);
    if (systemCount_ > 0)
        solve(tasks, bodies, constants, constraints, links, moment.substeps);
    for (std::size_t i = 0; i < links.size(); ++i)
        if (islandOf_[i] >= 0)
            if (const IslandState& state = states_[islandOf_[i]]; state.isLookedAt && state.isFirm != links[i].isFirm)
                constraints[i].isFirm = state.isFirm;
}

}  // namespace sunder::dynamics
