#include "dynamics/island/steady_islands.h"

#include <algorithm>

#include "core/fitted.h"
#include "dynamics/contact/scalar/contact_frame.h"
#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::dynamics {

namespace {

// m/s: what moves faster stands on nothing.
constexpr Real kCalm = Real(0.1);
// m/s, root of the mean square over a structure's mass. Below this it need not be projected: cubes of a tonne have 2e-9 J each.
constexpr double kStillSpeed = 2e-6;
constexpr double kBudget = 3e6;   // multiplications of a factorisation, about 1 ms; a pyramid of 210 cubes takes 1.5e6
constexpr int kSpareSystems = 4;  // kept, with the order of their elimination, while structures are still
constexpr std::size_t kContactsPerRange = 1024;  // grain of the tasks

bool rests(const SolverBody& body) { return body.velocity == Vec3{} && body.angularVelocity == Vec3{}; }

// Whether no surface point is faster than kCalm, or nothing moves the body.
bool canStand(const SolverBody& body, const SolverBodyConstants& constants) {
    return !constants.isDynamic || length(body.velocity) + length(body.angularVelocity) * constants.radius < kCalm;
}

}  // namespace

void SteadyIslands::sumMotion(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants) {
    states_.clear();
    resizeFitted(states_, structures_.count());
    for (std::uint32_t i = 1; i < bodies.size(); ++i) {
        const int island = structures_.island(i);
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
                              std::span<const ContactLink> links, std::span<const JointLink> joints) {
    for (const JointLink& joint : joints)
        for (const std::uint32_t body : {joint.bodyA, joint.bodyB})
            if (const int island = structures_.island(body); island >= 0)
                states_[island].isBarred = true;
    resizeFitted(islandOf_, links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
        const ContactLink& link = links[i];
        islandOf_[i] = -1;
        if (!stands(link))
            continue;
        const bool movesA = constants[link.bodyA].isDynamic, movesB = constants[link.bodyB].isDynamic;
        islandOf_[i] = structures_.island(movesA ? link.bodyA : link.bodyB);
        IslandState& state = states_[islandOf_[i]];
        state.isYoung = state.isYoung || (link.isYoung && link.isFirm);
        state.isBarred = state.isBarred || link.drives;
        state.isPiled = state.isPiled || !link.isFace;
        state.hasFirm = state.hasFirm || link.isFirm;
        state.hasSoft = state.hasSoft || (!link.isFirm && !link.isYoung);
        if (!movesA || !movesB) {
            state.isGrounded = true;
            state.isBarred = state.isBarred || !rests(bodies[movesA ? link.bodyB : link.bodyA]);
        }
    }
}

void SteadyIslands::markStanding(TaskRunner& tasks, std::span<const SolverBody> bodies,
                                 std::span<const SolverBodyConstants> constants) {
    isStanding_.resize(bodies.size());
    runRanges(tasks, bodies.size(), kContactsPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            isStanding_[i] = canStand(bodies[i], constants[i]);
    });
}

void SteadyIslands::findStructures(TaskRunner& tasks, std::span<const SolverBody> bodies,
                                   std::span<const SolverBodyConstants> constants, std::span<const ContactLink> links,
                                   std::span<const JointLink> joints) {
    markStanding(tasks, bodies, constants);
    structures_.begin(tasks, constants);
    runRanges(tasks, links.size(), kContactsPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (stands(links[i]))
                structures_.join(links[i].bodyA, links[i].bodyB);
    });
    structures_.finish(tasks, Islands::Loners::LeftOut);
    sumMotion(bodies, constants);
    findHolds(bodies, constants, links, joints);
}

void SteadyIslands::choose(bool isDue) {
    systemCount_ = 0;
    for (IslandState& state : states_) {
        state.isLookedAt = isDue || state.isYoung;
        const bool isStructure = state.isGrounded && !state.isBarred && !state.hasSoft && (state.hasFirm || !state.isPiled);
        state.isFirm = state.isLookedAt && isStructure;
        if (state.isFirm && state.energy > kStillSpeed * kStillSpeed * state.mass / 2)
            state.system = systemCount_++;
    }
    clearSystems();
}

void SteadyIslands::clearSystems() {
    if (int(systems_.size()) < systemCount_ || int(systems_.size()) > 2 * systemCount_ + kSpareSystems)
        systems_.resize(systemCount_);
    for (int i = 0; i < systemCount_; ++i)
        systems_[i].clear();
}

template <class Add, class Solve>
void SteadyIslands::solveSystems(TaskRunner& tasks, std::size_t bodyCount, Add&& add, Solve&& solve) {
    for (std::size_t i = 0; i < islandOf_.size(); ++i)
        if (islandOf_[i] >= 0)
            if (const int system = states_[islandOf_[i]].system; system >= 0)
                add(systems_[system], i);
    placeOf_.resize(std::max(placeOf_.size(), bodyCount), -1);
    for (IslandState& state : states_)
        if (state.system >= 0)
            state.isFirm = systems_[state.system].plan(placeOf_, kBudget);
    runTasks(tasks, int(states_.size()), [&](int island) {
        if (const IslandState& state = states_[island]; state.system >= 0 && state.isFirm)
            solve(systems_[state.system], state);
    });
}

void SteadyIslands::makeFirm(PagedVector<ContactConstraint>& constraints, std::span<const ContactLink> links,
                             bool isDue) const {
    for (std::size_t i = 0; i < links.size(); ++i) {
        const IslandState* state = islandOf_[i] >= 0 ? &states_[islandOf_[i]] : nullptr;
        if (const bool isFirm = state && state->isFirm; isFirm != links[i].isFirm && (state ? state->isLookedAt : isDue))
            constraints[i].isFirm = isFirm;
    }
}

// The contacts of bodies all of whose contacts are new and bear nothing yet: no others belong to a structure that was just
// built.
void SteadyIslands::listNew(std::size_t bodyCount, const PagedVector<ContactConstraint>& constraints,
                            std::span<const SolverBodyConstants> constants) {
    isOld_.assign(bodyCount, 0);
    for (const ContactConstraint& constraint : constraints)
        if (constraint.age > 0)
            isOld_[constraint.bodyA] = isOld_[constraint.bodyB] = 1;
    newContacts_.clear();
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const ContactConstraint& constraint = constraints[i];
        const auto isNewBody = [&](std::uint32_t body) { return constants[body].isDynamic && isOld_[body] == 0; };
        if (constraint.age == 0 && (isNewBody(constraint.bodyA) || isNewBody(constraint.bodyB)))
            newContacts_.push_back(std::uint32_t(i));
    }
}

// Links of the new contacts, which say in carriedLoad whether they touch.
void SteadyIslands::linkNew(std::span<const SolverBody> bodies, const PagedVector<ContactConstraint>& constraints) {
    resizeFitted(newLinks_, newContacts_.size());
    for (std::size_t i = 0; i < newContacts_.size(); ++i) {
        const ContactConstraint& constraint = constraints[newContacts_[i]];
        const ContactPlane plane = planeOf(constraint, bodies[constraint.bodyA], bodies[constraint.bodyB]);
        ContactLink& link = newLinks_[i] = linkOf(constraint);
        for (int p = 0; p < constraint.count; ++p) {
            link.carriedLoad = link.carriedLoad || plane.points[p].separation <= kTouchingGap;
            // What overlaps will be pushed apart, and is no structure yet.
            link.isFace = link.isFace && plane.points[p].separation >= -kFirmDepth;
        }
    }
}

void SteadyIslands::chooseNew(std::span<const SolverBodyConstants> constants) {
    for (IslandState& state : states_)
        state.isFirm = state.isGrounded && !state.isBarred && !state.isPiled;
    for (std::size_t i = 0; i < newLinks_.size(); ++i)
        if (islandOf_[i] >= 0)
            for (const std::uint32_t body : {newLinks_[i].bodyA, newLinks_[i].bodyB})
                if (constants[body].isDynamic && isOld_[body] != 0)
                    states_[islandOf_[i]].isFirm = false;
    systemCount_ = 0;
    for (IslandState& state : states_)
        if (state.isFirm)
            state.system = systemCount_++;
    clearSystems();
}

void SteadyIslands::load(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                         PagedVector<ContactConstraint>& constraints, std::span<const JointLink> joints, Real h) {
    const auto isNew = [&](std::size_t i) {
        const std::uint32_t a = constraints[i].bodyA, b = constraints[i].bodyB;
        return constraints[i].age == 0 && canStand(bodies[a], constants[a]) && canStand(bodies[b], constants[b]);
    };
    if (!anyInRanges(tasks, constraints.size(), kContactsPerRange, isNew))
        return;
    listNew(bodies.size(), constraints, constants);
    if (newContacts_.empty())
        return;
    linkNew(bodies, constraints);
    findStructures(tasks, bodies, constants, newLinks_, joints);
    chooseNew(constants);
    solveSystems(
        tasks, bodies.size(),
        [&](SteadySystem& system, std::size_t i) {
            system.addTouching(newContacts_[i], constraints[newContacts_[i]], bodies, constants);
        },
        [&](SteadySystem& system, const IslandState&) {
            system.solve(bodies, constants, h);
            system.carryOn(1, constraints);
        });
    for (std::size_t i = 0; i < newLinks_.size(); ++i)
        if (islandOf_[i] >= 0 && states_[islandOf_[i]].isFirm)
            constraints[newContacts_[i]].isFirm = true;
}

void SteadyIslands::project(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                            PagedVector<ContactConstraint>& constraints, std::span<const ContactLink> links,
                            std::span<const JointLink> joints, int substeps, bool isDue) {
    if (!isDue && !anyInRanges(tasks, links.size(), kContactsPerRange,
                               [&](std::size_t i) { return links[i].isYoung && links[i].isFirm; }))
        return;
    findStructures(tasks, bodies, constants, links, joints);
    choose(isDue);
    solveSystems(
        tasks, bodies.size(),
        [&](SteadySystem& system, std::size_t i) { system.addLoaded(std::uint32_t(i), constraints[i], bodies, constants); },
        [&](SteadySystem& system, const IslandState& state) {
            system.solve(bodies, constants, 0);
            system.setVelocities(bodies);
            if (state.isYoung)
                system.carryOn(1.0 / substeps, constraints);
        });
    makeFirm(constraints, links, isDue);
}

}  // namespace sunder::dynamics
