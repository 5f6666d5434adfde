#include "dynamics/island/steady_islands.h"

#include <algorithm>

#include "dynamics/contact/scalar/contact_frame.h"
#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::dynamics {

namespace {

// m/s, root of the mean square over an island's mass. A structure that moves faster than the first is none any more; below the
// second it need not be projected, and its cubes of a tonne have 2e-9 J each.
constexpr double kSlow = 0.1, kStill = 2e-6;
// A young island may be as fast as after this many steps of free fall: that is what its contacts do not hold yet.
constexpr double kFallSteps = 1.5;
constexpr double kBudget = 3e6;  // multiplications of a factorisation, about 1 ms; a pyramid of 210 cubes takes 1.5e6

constexpr std::size_t kContactsPerRange = 1024;

bool rests(const SolverBody& body) { return body.velocity == Vec3{} && body.angularVelocity == Vec3{}; }

bool isSlow(const SolverBody& body) { return lengthSquared(body.velocity) < Real(kSlow * kSlow); }

// Whether a contact is new between bodies that hardly move, as those of bodies that were put on each other are.
bool isNew(const ContactConstraint& constraint, std::span<const SolverBody> bodies) {
    return constraint.age == 0 && isSlow(bodies[constraint.bodyA]) && isSlow(bodies[constraint.bodyB]);
}

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
        state.isBarred = state.isBarred || link.drives || link.rolls;
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
    clearSystems();
}

void SteadyIslands::clearSystems() {
    if (int(systems_.size()) < systemCount_)
        systems_.resize(systemCount_);
    for (int i = 0; i < systemCount_; ++i)
        systems_[i].clear();
}

void SteadyIslands::planSystems(std::size_t bodyCount) {
    placeOf_.resize(std::max(placeOf_.size(), bodyCount), -1);
    for (IslandState& state : states_)
        if (state.system >= 0)
            state.isFirm = systems_[state.system].plan(placeOf_, kBudget);
}

void SteadyIslands::makeFirm(PagedVector<ContactConstraint>& constraints, std::span<const ContactLink> links) const {
    for (std::size_t i = 0; i < links.size(); ++i)
        if (islandOf_[i] >= 0)
            if (const IslandState& state = states_[islandOf_[i]]; state.isLookedAt && state.isFirm != links[i].isFirm)
                constraints[i].isFirm = state.isFirm;
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

// Islands of new contacts that touch, and their links, which say so in carriedLoad.
void SteadyIslands::linkTouching(TaskRunner& tasks, std::span<const SolverBody> bodies,
                                 std::span<const SolverBodyConstants> constants,
                                 const PagedVector<ContactConstraint>& constraints, std::span<const JointLink> joints) {
    touching_.begin(tasks, constants);
    newLinks_.clear();
    for (const std::uint32_t index : newContacts_) {
        const ContactConstraint& constraint = constraints[index];
        const ContactPlane plane = planeOf(constraint, bodies[constraint.bodyA], bodies[constraint.bodyB]);
        ContactLink& link = newLinks_.emplace_back(linkOf(constraint));
        for (int p = 0; p < constraint.count; ++p) {
            link.carriedLoad = link.carriedLoad || plane.points[p].separation <= kTouchingGap;
            // What overlaps will be pushed apart, and is no structure yet.
            link.isFace = link.isFace && plane.points[p].separation >= -kFirmDepth;
        }
        if (link.carriedLoad)
            touching_.join(constraint.bodyA, constraint.bodyB);
    }
    for (const JointLink& joint : joints)
        touching_.link(joint.bodyA, joint.bodyB);
    touching_.finish(tasks, Islands::Loners::LeftOut);
}

void SteadyIslands::chooseNew(std::span<const SolverBodyConstants> constants) {
    for (IslandState& state : states_)
        state.isFirm = state.isGrounded && !state.isBarred && !state.isPiled && state.energy < kSlow * kSlow * state.mass / 2;
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
    if (!anyInRanges(tasks, constraints.size(), kContactsPerRange,
                     [&](std::size_t i) { return isNew(constraints[i], bodies); }))
        return;
    listNew(bodies.size(), constraints, constants);
    if (newContacts_.empty())
        return;
    linkTouching(tasks, bodies, constants, constraints, joints);
    sumMotion(bodies, constants, touching_);
    findHolds(bodies, constants, newLinks_, joints, touching_);
    chooseNew(constants);
    for (std::size_t i = 0; i < newLinks_.size(); ++i)
        if (islandOf_[i] >= 0 && newLinks_[i].carriedLoad)
            if (const int system = states_[islandOf_[i]].system; system >= 0)
                systems_[system].addTouching(newContacts_[i], constraints[newContacts_[i]], bodies, constants);
    planSystems(bodies.size());
    runTasks(tasks, int(states_.size()), [&](int island) {
        const IslandState& state = states_[island];
        if (state.system < 0 || !state.isFirm)
            return;
        systems_[state.system].solve(bodies, constants, h);
        systems_[state.system].carryOn(1, constraints);
    });
    for (std::size_t i = 0; i < newLinks_.size(); ++i)
        if (islandOf_[i] >= 0 && states_[islandOf_[i]].isFirm)
            constraints[newContacts_[i]].isFirm = true;
}

void SteadyIslands::solve(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                          PagedVector<ContactConstraint>& constraints, std::span<const ContactLink> links, int substeps) {
    for (std::size_t i = 0; i < links.size(); ++i)
        if (islandOf_[i] >= 0 && links[i].carriedLoad)
            if (const int system = states_[islandOf_[i]].system; system >= 0)
                systems_[system].addLoaded(std::uint32_t(i), constraints[i], bodies, constants);
    planSystems(bodies.size());
    runTasks(tasks, int(states_.size()), [&](int island) {
        const IslandState& state = states_[island];
        if (state.system < 0 || !state.isFirm)
            return;
        SteadySystem& system = systems_[state.system];
        system.solve(bodies, constants, 0);
        system.setVelocities(bodies);
        if (state.isYoung)
            system.carryOn(1.0 / substeps, constraints);
    });
}

void SteadyIslands::project(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                            PagedVector<ContactConstraint>& constraints, std::span<const ContactLink> links,
                            std::span<const JointLink> joints, const Islands& islands, const Moment& moment) {
    sumMotion(bodies, constants, islands);
    findHolds(bodies, constants, links, joints, islands);
    choose(moment);
    if (systemCount_ > 0)
        solve(tasks, bodies, constants, constraints, links, moment.substeps);
    makeFirm(constraints, links);
}

}  // namespace sunder::dynamics
